/** Allowed link schemes. Any other could run code or read data. */
const SAFE_URL = /^(?:https?:\/\/[^/?#]|mailto:[^?]|tel:[^?]|sms:[^?])/i

/** Control and invisible characters, which browsers skip when parsing the scheme, and white space. */
const FORBIDDEN = /[\p{Cc}\p{Cf}\s]/u

/** Maximum URL length that browsers and servers accept reliably. */
const MAX_URL_LENGTH = 2048

/** Whether a stored URL is safe to link; checked on every render, because stored documents may be older than a rule. */
export function isSafeUrl(address: unknown): address is string {
  return (
    typeof address === 'string' &&
    address.length <= MAX_URL_LENGTH &&
    !FORBIDDEN.test(address) &&
    SAFE_URL.test(address) &&
    URL.canParse(address)
  )
}

/** The URL for typed text, or undefined: `example.com` means `https://example.com`. */
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
  // A host must contain a dot or be localhost; a port looks like a scheme but isn't one.
  if (/^(?:[^\s@/:?#.]+(?:\.[^\s@/:?#.]+)+|localhost)(?::\d+)?(?:[/?#].*)?$/i.test(text)) return `https://${text}`
  return ''
}
