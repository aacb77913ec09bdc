import type { FieldKind } from '../fields/field.ts'

const TITLE_KINDS: readonly FieldKind[] = [
  'text',
  'email',
  'url',
  'phone',
  'number',
  'auto-number',
  'date',
  'date-time',
]

/** Whether values of a kind are short and plain enough to name a record. */
export const canBeTitle = (kind: FieldKind): boolean => TITLE_KINDS.includes(kind)
