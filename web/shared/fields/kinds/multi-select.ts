import { escapeGuarded } from '#domain/imports/print-csv.ts'
import { printList } from '#domain/shared/list-text.ts'
import { IconTags } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import { EDITED_IN_CELLS, type KindTraits } from './kind-traits.ts'

const readNames = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []

export const multiSelectTraits: KindTraits<'multi-select'> = {
  ...EDITED_IN_CELLS,
  label: t('Multi-select'),
  hint: t('Several options from a list, with colors'),
  Icon: IconTags,
  read: readNames,
  copyText: (value) => escapeGuarded(printList(readNames(value))),
}
