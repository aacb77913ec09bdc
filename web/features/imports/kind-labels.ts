import type { FieldKind } from '#domain/fields/field.ts'

/** What each kind of field is called. */
export const KIND_LABELS: { readonly [Kind in FieldKind]: string } = {
  text: 'Text',
  'long-text': 'Long text',
  'rich-text': 'Rich text',
  number: 'Number',
  checkbox: 'Checkbox',
  date: 'Date',
  'date-time': 'Date and time',
  select: 'Select',
  'multi-select': 'Multi-select',
  state: 'State',
  email: 'E-mail',
  url: 'Web address',
  phone: 'Telephone',
  relation: 'Relation',
  user: 'People',
  files: 'Files',
  'auto-number': 'Auto number',
  json: 'JSON',
}
