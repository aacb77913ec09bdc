/** What a link may lead to. Everything else could run or read something. */
const SAFE_URL = /^(?:https?:\/\/[^/?#]|mailto:[^?]|tel:[^?]|sms:[^?])/i

/** Control and invisible characters, which browsers skip while they look for the scheme, and white space. */
const FORBIDDEN = /[\p{Cc}\p{Cf}\s]/u

/** Longest address that browsers and servers take reliably. */
const MAX_URL_LENGTH = 2048

/** Whether a stored address may be followed; asked again wherever a link is drawn, since old documents may be older. */
export function isSafeUrl(address: unknown): address is string {
  return (
    typeof address === 'string' &&
    address.length <= MAX_URL_LENGTH &&
    !FORBIDDEN.test(address) &&
    SAFE_URL.test(address) &&
    URL.canParse(address)
  )
}

/**
 * The address somebody means by what they typed, or nothing where it cannot be linked to. `example.com` means
 * `https://example.com`, never a page beside the one it stands on; a mail address and a telephone number are known too.
 */
export function linkUrl(typed: string): string | undefined {
  const text = typed.trim()
  const address = withScheme(text)
  return isSafeUrl(address) ? address : undefined
}

function withScheme(text: string): string {
  if (/^(?:https?|mailto|tel|sms):/i.test(text)) return text
  if (/^\/\/[^/]/.test(text)) return `https:${text}`
  if (/^[^\s@/:?#]+@[^\s@/:?#]+\.[^\s@/:?#]+$/.test(text)) return `mailto:${text}`
  if (/^\+\d[\d\s().-]{5,}$/.test(text)) return `tel:${text.replace(/[^\d+]/g, '')}`
  // A host must have a dot, or be the machine itself; a port may follow it, which looks like a scheme but is none.
  if (/^(?:[^\s@/:?#.]+(?:\.[^\s@/:?#.]+)+|localhost)(?::\d+)?(?:[/?#].*)?$/i.test(text)) return `https://${text}`
  return ''
}
