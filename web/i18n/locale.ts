import { toLanguage, type Language } from '#domain/shared/language.ts'

/** The language of this build; defaults to English in tests without a page. */
export const LANGUAGE: Language = toLanguage(globalThis.document?.documentElement.lang) ?? 'en'

export const LANGUAGE_NAMES: { readonly [Each in Language]: string } = { en: 'English', de: 'Deutsch' }

/** Browsers may report invalid tags such as `en-US@posix`, on which `Intl` throws. */
const isTag = (tag: string): boolean => /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i.test(tag)

const REGIONAL =
  globalThis.navigator?.languages?.find((tag) => isTag(tag) && tag.split('-', 1)[0] === LANGUAGE) ?? LANGUAGE

/** The page's language with the browser's region, such as `en-GB` or `de-AT`. */
export const LOCALE: string = new Intl.Locale(REGIONAL).toString()

const NUMBER = new Intl.NumberFormat(LOCALE)

/** `1,234` or `1.234`. */
export const numberText = (value: number): string => NUMBER.format(value)

/** Formats a date in the reader's time zone unless another one is given. */
export const dateText = (at: Date, format: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(LOCALE, format).format(at)

/** Joins items into a list such as “a, b and c”. */
export const listText = (parts: Iterable<string>, type: Intl.ListFormatType = 'conjunction'): string =>
  new Intl.ListFormat(LOCALE, { type }).format(parts)
