import type { Field, FieldKind } from '#domain/fields/field.ts'
import { t } from '#web/language/t.ts'

type Words = readonly [ascending: string, descending: string]

const LETTERS: Words = [t('A to Z'), t('Z to A')]
const NUMBERS: Words = [t('Smallest first'), t('Largest first')]
const TIMES: Words = [t('Earliest first'), t('Latest first')]
const CHOICES: Words = [t('First choice first'), t('Last choice first')]

const WORDS: { readonly [Kind in FieldKind]: Words } = {
  text: LETTERS,
  'long-text': LETTERS,
  'rich-text': LETTERS,
  email: LETTERS,
  url: LETTERS,
  phone: LETTERS,
  relation: LETTERS,
  user: LETTERS,
  files: LETTERS,
  number: NUMBERS,
  'auto-number': NUMBERS,
  date: TIMES,
  'date-time': TIMES,
  select: CHOICES,
  'multi-select': CHOICES,
  state: CHOICES,
  checkbox: [t('No first'), t('Yes first')],
  json: LETTERS,
}

/** The two directions a field is sorted in, as people say them. */
export function directionWords(field: Field | undefined) {
  const [asc, desc] = field ? WORDS[field.kind] : ([t('Ascending'), t('Descending')] as const)
  return [
    { value: 'asc', label: asc },
    { value: 'desc', label: desc },
  ]
}
