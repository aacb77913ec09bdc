import { escapeGuarded } from '#domain/imports/print-csv.ts'
import { IconBraces } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import { EDITED_IN_CELLS, type KindTraits } from './kind-traits.ts'

export const jsonTraits: KindTraits<'json'> = {
  ...EDITED_IN_CELLS,
  label: t('JSON'),
  hint: t('Structured data for integrations'),
  Icon: IconBraces,
  read: (value) => value ?? null,
  copyText: (value) => escapeGuarded(JSON.stringify(value)),
  hasCellEditor: false,
}
