import { LOCALE, numberText } from './locale.ts'

/** Numbers are formatted in the reader's locale. */
type Value = string | number

type ValuesOf<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Key in Name]: Value } & ValuesOf<Rest>
  : unknown

/** Concatenation loses the literal type of a message. */
type Requested<Text extends string> = string extends Text ? Readonly<{ [name: string]: Value }> : ValuesOf<Text>

/** Values for the placeholders in a message, and a context if the message is ambiguous. */
type More<Text extends string> =
  unknown extends Requested<Text>
    ? [values?: Readonly<{ [name: string]: never }>, context?: string]
    : [values: Requested<Text>, context?: string]

/** Texts by plural category, such as `one` and `other`. */
type Forms = { readonly [Category in Intl.LDMLPluralRule]?: string }

const RULES = new Intl.PluralRules(LOCALE)

function filled(text: string, values: Readonly<{ [name: string]: Value }>): string {
  return text.replaceAll(/\{(\w+)\}/g, (name, key: string) => {
    const value = values[key]
    return typeof value === 'number' ? numberText(value) : (value ?? name)
  })
}

/** Translates a message: `t('First {shown} of {found}', { shown, found })`. Each language has its own build. */
export function t<const Text extends string>(text: Text, ...[values]: More<Text>): string {
  return values ? filled(text, values) : text
}

/** Translates a message with a count: `plural(n, '{n} record', '{n} records')`; the last text is the catalog key. */
export function plural<const Text extends string>(
  n: number,
  one: string | Forms,
  other: Text,
  more?: Omit<Requested<Text>, 'n'>,
): string {
  const forms = typeof one === 'string' ? { one } : one
  return filled(forms[RULES.select(n)] ?? other, { ...more, n })
}
