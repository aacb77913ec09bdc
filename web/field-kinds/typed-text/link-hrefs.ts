import { phoneDigits } from '#domain/fields/phone-digits.ts'

/** The address that writes to somebody. */
export const mailtoHref = (email: string): string => `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`

/** The address that calls a number; its extension is dialled by whoever calls. */
export const telHref = (phone: string): string => `tel:${phoneDigits(phone.split('#')[0] ?? phone)}`

/** A web address as people read it: without what goes without saying. */
export const shortUrl = (url: string): string => url.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '')
