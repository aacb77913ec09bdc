/** UI languages; the first one is the language of the source code. */
export const LANGUAGES = ['en', 'de'] as const

export type Language = (typeof LANGUAGES)[number]

export const LANGUAGE_COOKIE = 'language'

/** Cookie name used over HTTPS; the prefix binds the cookie to the host. */
export const HOST_LANGUAGE_COOKIE = '__Host-language'

export const toLanguage = (value: string | null | undefined): Language | undefined =>
  LANGUAGES.find((language) => language === value)

/** Matches entries such as `de-CH;q=0.8`. */
function parseLanguageRange(range: string): { readonly language: Language; readonly weight: number } | undefined {
  const [tag = '', weight = 'q=1'] = range.split(';').map((part) => part.trim().toLowerCase())
  const language = toLanguage(tag.split('-', 1)[0])
  const [, value = '0'] = /^q ?= ?([\d.]+)$/.exec(weight) ?? []
  return language && Number(value) > 0 ? { language, weight: Number(value) } : undefined
}

/** Supported language with the highest weight in `Accept-Language`. */
export const preferredLanguage = (header = ''): Language | undefined =>
  header
    .split(',')
    .flatMap((range) => parseLanguageRange(range) ?? [])
    .toSorted((one, other) => other.weight - one.weight)[0]?.language
