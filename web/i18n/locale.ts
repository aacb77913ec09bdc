import { toLanguage, type Language } from '#domain/shared/language.ts'

/** The language this page was built in; the page says it of itself, and a test without a page speaks English. */
export const LANGUAGE: Language = toLanguage(globalThis.document?.documentElement.lang) ?? 'en'

/** Each language as it calls itself: who looks for theirs reads no other. */
export const LANGUAGE_NAMES: { readonly [Each in Language]: string } = { en: 'English', de: 'Deutsch' }

/** What a browser says may be no language tag at all, such as `en-US@posix`, at which every `Intl` throws. */
const isTag = (tag: string): boolean => /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i.test(tag)

const REGIONAL =
  globalThis.navigator?.languages?.find((tag) => isTag(tag) && tag.split('-', 1)[0] === LANGUAGE) ?? LANGUAGE

/** The page's language with the browser's region, such as `en-GB` or `de-AT`; formats numbers and dates. */
export const LOCALE: string = new Intl.Locale(REGIONAL).toString()

const NUMBER = new Intl.NumberFormat(LOCALE)

/** A number as the reader writes it: `1,234`, `1.234`. */
export const numberText = (value: number): string => NUMBER.format(value)

/** A moment as the reader writes it, in their zone unless another is named. */
export const dateText = (at: Date, format: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(LOCALE, format).format(at)

/** “a, b and c”, in the language of the page. */
export const listText = (parts: Iterable<string>, type: Intl.ListFormatType = 'conjunction'): string =>
  new Intl.ListFormat(LOCALE, { type }).format(parts)
