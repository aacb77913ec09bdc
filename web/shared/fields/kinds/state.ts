import { IconProgress } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import { EDITED_IN_CELLS, type KindTraits } from './kind-traits.ts'
import { printText, readText } from './text.ts'

export const stateTraits: KindTraits<'state'> = {
  ...EDITED_IN_CELLS,
  label: t('Status'),
  hint: t('The stage of a record in its workflow; one per collection'),
  Icon: IconProgress,
  read: readText,
  copyText: printText,
}
