import { dialledDigits } from '#domain/fields/dialled-digits.ts'

/** The address that writes to somebody. */
export const mailAddress = (email: string): string => `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`

/** The address that calls a number; its extension is dialled by whoever calls. */
export const callAddress = (phone: string): string => `tel:${dialledDigits(phone.split('#')[0] ?? phone)}`

/** A web address as people read it: without what goes without saying. */
export const shortAddress = (url: string): string => url.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '')
