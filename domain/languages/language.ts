/** The languages in which the product is shown: the first is the one the source is written in. */
export const LANGUAGES = ['en', 'de', 'ar'] as const

/** One of the languages in which the product is shown. */
export type Language = (typeof LANGUAGES)[number]

/** The cookie in which a browser keeps which language was chosen; no secret, and gone with the browser's own data. */
export const LANGUAGE_COOKIE = 'language'

/** What somebody may have said, as one of our languages; undefined when it is none. */
export const asLanguage = (said: string | null | undefined): Language | undefined =>
  LANGUAGES.find((language) => language === said)

/** Which way a language is written. */
export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr')

/** The shape of one wish of `Accept-Language`: `de-CH;q=0.8`. */
const WISH = /^\s*([a-z]{2,3})(?:-[\w-]*)?\s*(?:;\s*q\s*=\s*([\d.]+))?\s*$/i

/** The first of our languages that a browser asks for in `Accept-Language`, by how much it wants each. */
export function wishedLanguage(header: string | undefined): Language | undefined {
  const wishes = (header ?? '').split(',').flatMap((wish) => {
    const [, tag = '', weight = '1'] = WISH.exec(wish) ?? []
    const language = asLanguage(tag.toLowerCase())
    return language && Number(weight) > 0 ? [{ language, weight: Number(weight) }] : []
  })
  return wishes.toSorted((one, other) => other.weight - one.weight)[0]?.language
}
