import { LANGUAGE } from './locale.ts'

/** What a language says for sentences of the server; a name in braces stands for whatever the server put there. */
type Catalogue = Readonly<{ [sentence: string]: string }>

const CATALOGUES = import.meta.glob<Catalogue>('./*/{server,domain}.json', { import: 'default' })

/** A sentence with names in it, as a pattern. */
type Known = {
  readonly pattern: RegExp
  readonly names: readonly string[]
  /** Those of the names that stand for roles and policies. */
  readonly rules: ReadonlySet<string>
  readonly said: string
  readonly letters: number
}

/** What means something else in a pattern than itself. */
const SPECIAL = /[\\^$.*+?()[\]{}|]/g

const NAME = /\{(\w+)\}/g

/** What is left of a sentence without its names: the more, the surer it is meant. */
const normalizedText = (sentence: string): number => sentence.replaceAll(NAME, '').replaceAll(/[^\p{L}]/gu, '').length

/** What stands right before the name of a role, or of policies. */
const BEFORE_RULES = /\b(?:role|Examples of) $/

/** Names in a row, each in quotes. */
const ALL_QUOTED = /^“[^“”]*”(?:, “[^“”]*”)*$/

/** Fewer letters of its own and a pattern would fit sentences it does not mean. */
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
 * Puts sentences of the server into the words of a catalogue; what it does not know stays as it is. `ruleNames`: how the
 * roles and policies are called that every workspace begins with.
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
  // A value may be a sentence itself, as the reason is in “Nothing was saved. {message}”.
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

/**
 * How the language of the page says what the server said in English, which programs read. Loaded when something has
 * failed for the first time; while it cannot be loaded the server is heard as it speaks.
 */
export function serverTranslator(): Promise<(text: string) => string> {
  if (LANGUAGE === 'en') return Promise.resolve(unchanged)
  loading ??= load().then(undefined, () => {
    loading = undefined
    return unchanged
  })
  return loading
}
