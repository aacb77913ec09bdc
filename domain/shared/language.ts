/** The languages in which the product is shown: the first is the one the source is written in. */
export const LANGUAGES = ['en', 'de'] as const

/** One of the languages in which the product is shown. */
export type Language = (typeof LANGUAGES)[number]

/** The cookie with the chosen language. */
export const LANGUAGE_COOKIE = 'language'

/** The same behind https, where a browser can hold it to this one host. */
export const HOST_LANGUAGE_COOKIE = '__Host-language'

/** A supported language, or undefined. */
export const toLanguage = (value: string | null | undefined): Language | undefined =>
  LANGUAGES.find((language) => language === value)

/** One range of `Accept-Language` with its weight: `de-CH;q=0.8`. */
function parseLanguageRange(range: string): { readonly language: Language; readonly weight: number } | undefined {
  const [tag = '', weight = 'q=1'] = range.split(';').map((part) => part.trim().toLowerCase())
  const language = toLanguage(tag.split('-', 1)[0])
  const [, value = '0'] = /^q ?= ?([\d.]+)$/.exec(weight) ?? []
  return language && Number(value) > 0 ? { language, weight: Number(value) } : undefined
}

/** The first of our languages that a browser asks for in `Accept-Language`, by how much it wants each. */
export const preferredLanguage = (header = ''): Language | undefined =>
  header
    .split(',')
    .flatMap((range) => parseLanguageRange(range) ?? [])
    .toSorted((one, other) => other.weight - one.weight)[0]?.language
