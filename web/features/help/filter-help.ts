import type { OperandKind } from '#domain/query/filter/operators.ts'
import { OPERATORS, type Operator } from '#domain/query/filter/filter.ts'
import { OPERATOR_RULES, takesKind } from '#domain/query/filter/operators.ts'
import { t } from '#web/i18n/t.ts'

type FilterExample = { readonly filter: string; readonly means: string }

export type FilterChapter = { readonly title: string; readonly examples: readonly FilterExample[] }

/** A group of field types with the same operators, and its example field. */
type ExampleKind = {
  readonly title: string
  readonly kinds: readonly OperandKind[]
  readonly field: string
  /** Two values in ascending order, written as filter literals. */
  readonly values: readonly [string, string]
  /** A substring for search examples. */
  readonly part?: string
}

/** The groups together cover every field type. */
export const EXAMPLE_KINDS: readonly ExampleKind[] = [
  {
    title: t('Text, email, URL, phone'),
    kinds: ['text', 'long-text', 'email', 'url', 'phone'],
    field: 'title',
    values: ['"Boat house"', '"Summer"'],
    part: '"boat"',
  },
  { title: t('Rich text'), kinds: ['rich-text'], field: 'notes', values: ['"agreed"', '"open"'], part: '"agreed"' },
  { title: t('Number, autonumber'), kinds: ['number', 'auto-number'], field: 'hours', values: ['2', '8.5'] },
  { title: t('Checkbox'), kinds: ['checkbox'], field: 'paid', values: ['true', 'false'] },
  { title: t('Date'), kinds: ['date'], field: 'due', values: ['@today-7d', '"2026-12-31"'] },
  { title: t('Date and time'), kinds: ['date-time'], field: 'sentAt', values: ['@now-2h', '@now'] },
  {
    title: t('Select, status'),
    kinds: ['select', 'state'],
    field: 'status',
    values: ['"Open"', '"Done"'],
    part: '"op"',
  },
  { title: t('Multi-select'), kinds: ['multi-select'], field: 'tags', values: ['"Red"', '"Blue"'], part: '"re"' },
  {
    title: t('Linked record'),
    kinds: ['relation', 'reverse'],
    field: 'customer',
    values: ['"01jd9q4z7m3k8w2x5v6c0b1n4r"', '"01jd9q4z7m3k8w2x5v6c0b1n4s"'],
    part: '"north"',
  },
  {
    title: t('Person'),
    kinds: ['user'],
    field: 'owner',
    values: ['@me', '"01jd9q4z7m3k8w2x5v6c0b1n4r"'],
    part: '"ada"',
  },
  {
    title: t('Files'),
    kinds: ['files'],
    field: 'papers',
    values: ['"01jd9q4z7m3k8w2x5v6c0b1n4r"', '"01jd9q4z7m3k8w2x5v6c0b1n4s"'],
    part: '".pdf"',
  },
  { title: t('JSON'), kinds: ['json'], field: 'data', values: ['""', '""'] },
  {
    title: t('Record ID'),
    kinds: ['id'],
    field: 'id',
    values: ['"01jd9q4z7m3k8w2x5v6c0b1n4r"', '"01jd9q4z7m3k8w2x5v6c0b1n4s"'],
    part: '"01jd"',
  },
]

const EXPLANATIONS: { readonly [Sign in Operator]: string } = {
  '=': t('is equal to the value'),
  '!=': t('is not equal to the value, or is empty'),
  '<': t('is before or less than the value'),
  '<=': t('is before, less than or equal to the value'),
  '>': t('is after or greater than the value'),
  '>=': t('is after, greater than or equal to the value'),
  '~': t('contains the value; case and accents are ignored'),
  '!~': t('does not contain the value, or is empty'),
  '^=': t('starts with the value'),
  '$=': t('ends with the value'),
  in: t('is one of these'),
  between: t('is between the two values, inclusive'),
  'is empty': t('has no value'),
  'is not empty': t('has a value'),
}

function written({ field, values, part }: ExampleKind, op: Operator): string {
  const [first, second] = values
  switch (OPERATOR_RULES[op].takes) {
    case 'nothing':
      return `${field} ${op}`
    case 'list':
      return `${field} ${op} (${first}, ${second})`
    case 'pair':
      return `${field} ${op} ${first} and ${second}`
    case 'one':
      return `${field} ${op} ${(/[~^$]/.test(op) ? part : undefined) ?? first}`
  }
}

const chapterOf = (kind: ExampleKind): FilterChapter => ({
  title: kind.title,
  examples: OPERATORS.filter((op) => kind.kinds.every((one) => takesKind(op, one))).map((op) => ({
    filter: written(kind, op),
    means: EXPLANATIONS[op],
  })),
})

const GENERAL: readonly FilterChapter[] = [
  {
    title: t('Combine conditions'),
    examples: [
      { filter: 'status = "Open" && hours > 2', means: t('both conditions match') },
      { filter: 'status = "Open" || paid = true', means: t('at least one condition matches') },
      {
        filter: '(status = "Open" || status = "Done") && owner = @me',
        means: t('parentheses group conditions; && is evaluated before ||'),
      },
      { filter: 'customer.title ~ "north"', means: t('a field of the linked record') },
    ],
  },
  {
    title: t('Compare two fields'),
    examples: [
      { filter: 'end >= start', means: t('a name without quotes refers to another field; both fields need a value') },
      { filter: 'owner != createdBy', means: t('the two fields differ, or one is empty') },
      { filter: 'createdAt < customer.createdAt', means: t('a field of the linked record') },
    ],
  },
  {
    title: t('Functions and arithmetic'),
    examples: [
      { filter: 'len(title) > 30', means: t('a function of a field, as in formulas') },
      { filter: 'hours * 8 <= 40', means: t('arithmetic with +, -, * and /; & joins texts') },
      { filter: 'not(contains(title, "draft"))', means: t('the condition in parentheses isn’t true') },
      { filter: 'dateadd(due, 7, "days") < today()', means: t('today() and now() instead of @today and @now') },
    ],
  },
  {
    title: t('Placeholders'),
    examples: [
      { filter: 'owner = @me', means: t('the current user') },
      { filter: 'due = @today', means: t('today, in your time zone') },
      { filter: 'due < @today+2w', means: t('d, w, m and y stand for days, weeks, months and years') },
      { filter: 'due >= @today-1m', means: t('one month ago or later') },
      { filter: 'sentAt > @now-12h', means: t('within the last twelve hours') },
      { filter: 'sentAt <= @now', means: t('now or earlier') },
      { filter: 'createdAt >= @today-7d', means: t('every record has createdAt, createdBy, updatedAt and updatedBy') },
    ],
  },
  {
    title: t('Value syntax'),
    examples: [
      { filter: 'title = "He said \\"yes\\""', means: t('text in double quotes; write \\" for a quote inside') },
      { filter: 'hours = 2.5', means: t('numbers with a decimal point') },
      { filter: 'due = "2026-12-31"', means: t('a date as year-month-day') },
      { filter: 'sentAt >= "2026-11-05T09:30:00Z"', means: t('a date and time with time zone; Z means UTC') },
      { filter: 'paid = true', means: t('true or false') },
    ],
  },
]

export const filterChapters = (): readonly FilterChapter[] => [...GENERAL, ...EXAMPLE_KINDS.map(chapterOf)]
