import ipaddr from 'ipaddr.js'

/** Global addresses of IPv6 all begin with these three bits; everything else is of one's own, or wraps another. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')

/**
 * Whether an address may be asked for a file: a public one of a single machine. What is wrapped in another (IPv4 in IPv6,
 * NAT64, 6to4, Teredo) is no public one here, wherever it leads.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || address.match(GLOBAL_IPV6)
}
