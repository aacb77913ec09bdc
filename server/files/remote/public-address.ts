import ipaddr from 'ipaddr.js'

/** Global unicast IPv6; everything else is local or wraps another address. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')

/**
 * Whether a file may be fetched from this address. Wrapped addresses (IPv4 in IPv6, NAT64, 6to4, Teredo) never count
 * as public.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || address.match(GLOBAL_IPV6)
}
