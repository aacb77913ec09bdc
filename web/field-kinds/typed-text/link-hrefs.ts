import { phoneDigits } from '#domain/fields/phone-digits.ts'

export const mailtoHref = (email: string): string => `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`

/** A phone link; the extension is left out. */
export const telHref = (phone: string): string => `tel:${phoneDigits(phone.split('#')[0] ?? phone)}`

/** A URL without scheme, `www.` and trailing slash. */
export const shortUrl = (url: string): string => url.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '')
