import type { Field, FieldKind } from '#domain/fields/field.ts'
import { t } from '#web/i18n/t.ts'

type DirectionLabels = readonly [ascending: string, descending: string]

const ALPHABETICAL: DirectionLabels = [t('A to Z'), t('Z to A')]
const NUMBERS: DirectionLabels = [t('Smallest first'), t('Largest first')]
const TIMES: DirectionLabels = [t('Earliest first'), t('Latest first')]
const OPTION_ORDER: DirectionLabels = [t('First option first'), t('Last option first')]

const LABELS: { readonly [Kind in FieldKind]: DirectionLabels } = {
  text: ALPHABETICAL,
  'long-text': ALPHABETICAL,
  'rich-text': ALPHABETICAL,
  email: ALPHABETICAL,
  url: ALPHABETICAL,
  phone: ALPHABETICAL,
  relation: ALPHABETICAL,
  user: ALPHABETICAL,
  files: ALPHABETICAL,
  number: NUMBERS,
  'auto-number': NUMBERS,
  date: TIMES,
  'date-time': TIMES,
  select: OPTION_ORDER,
  'multi-select': OPTION_ORDER,
  state: OPTION_ORDER,
  checkbox: [t('No first'), t('Yes first')],
  json: ALPHABETICAL,
}

/** The two directions a field is sorted in, as people say them. */
export function directionLabels(field: Field | undefined) {
  const [asc, desc] = field ? LABELS[field.kind] : ([t('Ascending'), t('Descending')] as const)
  return [
    { value: 'asc', label: asc },
    { value: 'desc', label: desc },
  ]
}
