/** Allowed link schemes; other schemes could run code or read data. */
const SAFE_URL = /^(?:https?:\/\/[^/?#]|mailto:[^?]|tel:[^?]|sms:[^?])/i

/** White space, and control and invisible characters, which browsers skip when parsing the scheme. */
const FORBIDDEN = /[\p{Cc}\p{Cf}\s]/u

/** Maximum URL length that browsers and servers reliably support. */
const MAX_URL_LENGTH = 2048

/**
 * Whether a stored URL is safe to link. Checked on every render, because stored documents may be older than the current
 * rules.
 */
export function isSafeUrl(address: unknown): address is string {
  return (
    typeof address === 'string' &&
    address.length <= MAX_URL_LENGTH &&
    !FORBIDDEN.test(address) &&
    SAFE_URL.test(address) &&
    URL.canParse(address)
  )
}

/** The URL for typed text, such as `https://example.com` for `example.com`; undefined if it isn't a valid link. */
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
  // A host must contain a dot or be localhost; `host:port` must not be mistaken for a scheme.
  if (/^(?:[^\s@/:?#.]+(?:\.[^\s@/:?#.]+)+|localhost)(?::\d+)?(?:[/?#].*)?$/i.test(text)) return `https://${text}`
  return ''
}
