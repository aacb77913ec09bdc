/** The languages in which the product is shown: the first is the one the source is written in. */
export const LANGUAGES = ['en', 'de'] as const

/** One of the languages in which the product is shown. */
export type Language = (typeof LANGUAGES)[number]

/** The cookie in which a browser keeps which language was chosen; no secret, and gone with the browser's own data. */
export const LANGUAGE_COOKIE = 'language'

/** The same behind https, where a browser can hold it to this one host. */
export const BOUND_LANGUAGE_COOKIE = '__Host-language'

/** What somebody may have said, as one of our languages; undefined when it is none. */
export const toLanguage = (said: string | null | undefined): Language | undefined =>
  LANGUAGES.find((language) => language === said)

/** What one wish of `Accept-Language` asks for and how much, from 0 to 1: `de-CH;q=0.8`. */
function parseLanguageRange(wish: string): { readonly language: Language; readonly weight: number } | undefined {
  const [tag = '', weight = 'q=1'] = wish.split(';').map((part) => part.trim().toLowerCase())
  const language = toLanguage(tag.split('-', 1)[0])
  const [, said = '0'] = /^q ?= ?([\d.]+)$/.exec(weight) ?? []
  return language && Number(said) > 0 ? { language, weight: Number(said) } : undefined
}

/** The first of our languages that a browser asks for in `Accept-Language`, by how much it wants each. */
export const preferredLanguage = (header = ''): Language | undefined =>
  header
    .split(',')
    .flatMap((wish) => parseLanguageRange(wish) ?? [])
    .toSorted((one, other) => other.weight - one.weight)[0]?.language
