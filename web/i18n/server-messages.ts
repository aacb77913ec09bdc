import { LANGUAGE } from './locale.ts'

/** Translations of server messages; a placeholder in braces matches any value. */
type Catalogue = Readonly<{ [sentence: string]: string }>

const CATALOGUES = import.meta.glob<Catalogue>('./*/{server,domain}.json', { import: 'default' })

type Known = {
  readonly pattern: RegExp
  readonly names: readonly string[]
  /** Placeholders that contain role or policy names. */
  readonly rules: ReadonlySet<string>
  readonly said: string
  readonly letters: number
}

/** Characters with a special meaning in regular expressions. */
const SPECIAL = /[\\^$.*+?()[\]{}|]/g

const NAME = /\{(\w+)\}/g

/** Number of literal letters; more letters make a match more reliable. */
const normalizedText = (sentence: string): number => sentence.replaceAll(NAME, '').replaceAll(/[^\p{L}]/gu, '').length

/** Text that precedes a role or policy name. */
const BEFORE_RULES = /\b(?:role|Examples of) $/

const ALL_QUOTED = /^“[^“”]*”(?:, “[^“”]*”)*$/

/** Shorter patterns would match other messages. */
const MIN_MATCH_LENGTH = 6

function knownFrom([sentence, said]: readonly [string, string]): readonly Known[] {
  const names = [...sentence.matchAll(NAME)].map(([, name = '']) => name)
  const letters = normalizedText(sentence)
  if (names.length === 0 || letters < MIN_MATCH_LENGTH) return []
  const parts = sentence.split(NAME)
  const pattern = parts.map((part, at) => (at % 2 === 0 ? part.replaceAll(SPECIAL, '\\$&') : '(.+?)'))
  const rules = new Set(names.filter((_, at) => BEFORE_RULES.test(parts[2 * at] ?? '')))
  return [{ pattern: new RegExp(`^${pattern.join('')}$`, 's'), names, rules, said, letters }]
}

/**
 * Translates server messages, leaving unknown ones unchanged. `ruleNames` translates the names of built-in roles and
 * policies.
 */
export function translator(
  catalogue: Catalogue,
  ruleNames: ReadonlyMap<string, string> = new Map(),
): (text: string) => string {
  const quotes = catalogue['“{value}”']
  const inQuotes = (text: string): string =>
    quotes === undefined
      ? text
      : text.replaceAll(/“([^“”]*)”/g, (_, value: string) => quotes.replace('{value}', () => value))
  const rulesInWords = (text: string): string =>
    text
      .split(', ')
      .map((name) => ruleNames.get(name) ?? name)
      .join(', ')
  const patterns = Object.entries(catalogue)
    .flatMap(knownFrom)
    .toSorted((one, other) => other.letters - one.letters)
  // A value can itself be a message, such as the reason for an error.
  const inWords = (text: string): string => {
    const exact = catalogue[text]
    if (exact !== undefined) return exact
    if (ALL_QUOTED.test(text)) return inQuotes(text)
    for (const { pattern, names, rules, said } of patterns) {
      const [, ...values] = pattern.exec(text) ?? []
      if (values.length === 0) continue
      return said.replaceAll(NAME, (name, key: string) => {
        const value = values[names.indexOf(key)]
        if (value === undefined) return name
        return rules.has(key) ? rulesInWords(value) : inWords(value)
      })
    }
    return text
  }
  return inWords
}

let loading: Promise<(text: string) => string> | undefined

async function load(): Promise<(text: string) => string> {
  const own = Object.entries(CATALOGUES).filter(([path]) => path.startsWith(`./${LANGUAGE}/`))
  const [{ BUILT_IN_TEXTS }, ...catalogues] = await Promise.all([
    import('./built-in-roles.ts'),
    ...own.map(([, read]) => read()),
  ])
  return translator(Object.assign({}, ...catalogues) as Catalogue, BUILT_IN_TEXTS)
}

const unchanged = (text: string): string => text

/** Loads the translations of server messages with the first error; the server sends English messages. */
export function serverTranslator(): Promise<(text: string) => string> {
  if (LANGUAGE === 'en') return Promise.resolve(unchanged)
  loading ??= load().then(undefined, () => {
    loading = undefined
    return unchanged
  })
  return loading
}
