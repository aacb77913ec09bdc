/** What a link may lead to. Everything else could run or read something. */
const SAFE_ADDRESS = /^(?:https?:\/\/[^/?#]|mailto:[^?]|tel:[^?]|sms:[^?])/i
/** Control and invisible characters, which browsers skip while they look for the scheme, white space, half characters. */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\s]/u
/** Longest address kept; browsers and servers stop being reliable beyond about this. */
const MAX_LINK_LENGTH = 2048

/** What a link takes, as the end of “it must be …”. */
export const SAFE_LINK_WORDS = `a URL of at most ${MAX_LINK_LENGTH.toLocaleString('en')} characters that starts with https://, http://, mailto:, tel: or sms:`

/**
 * Whether an address may be stored and followed. Only absolute addresses pass, so a link means the same wherever it is
 * shown. What is drawn is judged again by the same measure, and by whether a browser can read it at all.
 */
export const isSafeLink = (href: string): boolean =>
  href.length <= MAX_LINK_LENGTH && !FORBIDDEN.test(href) && SAFE_ADDRESS.test(href)
