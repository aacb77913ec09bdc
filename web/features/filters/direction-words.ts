import type { Field, FieldKind } from '#domain/fields/field.ts'

type Words = readonly [ascending: string, descending: string]

const LETTERS: Words = ['A to Z', 'Z to A']
const NUMBERS: Words = ['Smallest first', 'Largest first']
const TIMES: Words = ['Earliest first', 'Latest first']
const CHOICES: Words = ['First choice first', 'Last choice first']

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
  checkbox: ['No first', 'Yes first'],
  json: LETTERS,
}

/** The two directions a field is sorted in, as people say them. */
export function directionWords(field: Field | undefined) {
  const [asc, desc] = field ? WORDS[field.kind] : (['Ascending', 'Descending'] as const)
  return [
    { value: 'asc', label: asc },
    { value: 'desc', label: desc },
  ]
}
