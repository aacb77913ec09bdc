/** The schemes a link may have; everything else could run or read something. */
const SAFE_SCHEMES = ['http:', 'https:', 'mailto:', 'tel:', 'sms:']
/** Longest address kept; browsers and servers stop being reliable beyond about this. */
const MAX_LINK_LENGTH = 2048

/**
 * Whether an address may be stored and followed. Only absolute addresses pass, so a link means the same wherever it is
 * shown; control characters and white space, which browsers skip while they look for the scheme, are refused.
 */
export function isSafeLink(href: string): boolean {
  if (href.length > MAX_LINK_LENGTH || /[\p{Cc}\s]/u.test(href)) return false
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(href)?.[0].toLowerCase()
  return scheme !== undefined && SAFE_SCHEMES.includes(scheme)
}
