import type { Field, FieldKind } from '#domain/fields/field.ts'
import { autoNumberUi, numberUi } from './number/number.tsx'
import { checkboxUi } from './checkbox/checkbox.tsx'
import { dateUi, dateTimeUi } from './date/date.tsx'
import { emailUi, jsonUi, phoneUi, urlUi } from './typed-text/typed-text.tsx'
import { formulaUi } from './formula/formula.tsx'
import { filesUi } from './files/files.tsx'
import { longTextUi, textUi } from './text/text.tsx'
import { relationUi, userUi } from './relation/relation.tsx'
import { reverseUi } from './reverse/reverse.tsx'
import { countUi, lookupUi, rollupUi } from './rollup/rollup.tsx'
import { richTextUi } from './rich-text/rich-text.tsx'
import { multiSelectUi, selectUi, stateUi } from './select/select.tsx'
import type { FieldKindUi } from './field-kind.ts'

/** The user interface of every kind; its traits are in `web/shared/fields/kinds.ts`. */
export const FIELD_KIND_UI: { readonly [Kind in FieldKind]: FieldKindUi<Kind> } = {
  text: textUi,
  'long-text': longTextUi,
  'rich-text': richTextUi,
  number: numberUi,
  checkbox: checkboxUi,
  date: dateUi,
  'date-time': dateTimeUi,
  select: selectUi,
  'multi-select': multiSelectUi,
  state: stateUi,
  email: emailUi,
  url: urlUi,
  phone: phoneUi,
  relation: relationUi,
  reverse: reverseUi,
  user: userUi,
  files: filesUi,
  'auto-number': autoNumberUi,
  json: jsonUi,
  formula: formulaUi,
  lookup: lookupUi,
  count: countUi,
  rollup: rollupUi,
}

/** Lookups that views and features use for a field whose kind is known only at run time. */
export const uiOf = ({
  kind,
}: Pick<Field, 'kind'>): Omit<FieldKindUi<FieldKind>, 'Cell' | 'Input' | 'OptionsForm' | 'CellEditor'> =>
  FIELD_KIND_UI[kind]
