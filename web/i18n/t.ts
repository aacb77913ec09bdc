import { LOCALE, numberText } from './locale.ts'

/** What may stand where a sentence has a name in braces; a number is written as the reader writes numbers. */
type Value = string | number

/** A value for every name that a sentence has in braces. */
type ValuesOf<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Key in Name]: Value } & ValuesOf<Rest>
  : unknown

/** A sentence put together of several literals is no longer known by its letters. */
type Asked<Text extends string> = string extends Text ? Readonly<{ [name: string]: Value }> : ValuesOf<Text>

/** What follows a sentence: its values when it has names, and what it is about when it alone could mean two things. */
type More<Text extends string> =
  unknown extends Asked<Text>
    ? [values?: Readonly<{ [name: string]: never }>, context?: string]
    : [values: Asked<Text>, context?: string]

/** One text for each of the forms in which a language counts: `one` and `other` in English and German. */
type Forms = { readonly [Category in Intl.LDMLPluralRule]?: string }

const RULES = new Intl.PluralRules(LOCALE)

/** Puts the values into a text, each where its name stands in braces. */
function filled(text: string, values: Readonly<{ [name: string]: Value }>): string {
  return text.replaceAll(/\{(\w+)\}/g, (name, key: string) => {
    const value = values[key]
    return typeof value === 'number' ? numberText(value) : (value ?? name)
  })
}

/**
 * A sentence for people: `t('First {shown} of {found}', { shown, found })`. The source says it in English; the build of
 * another language puts its own sentence in this place, and a sentence without values is a plain text in any build.
 */
export function t<const Text extends string>(text: Text, ...[values]: More<Text>): string {
  return values ? filled(text, values) : text
}

/**
 * A sentence about a number of things: `plural(n, '{n} record', '{n} records')`. The catalogue of a language knows it by
 * its last text and has one text for each form in which that language counts; its build puts all of them in place of
 * the first.
 */
export function plural<const Text extends string>(
  n: number,
  one: string | Forms,
  other: Text,
  more?: Omit<Asked<Text>, 'n'>,
): string {
  const forms = typeof one === 'string' ? { one } : one
  return filled(forms[RULES.select(n)] ?? other, { ...more, n })
}
