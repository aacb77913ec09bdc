import { IconCircleDot } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import { EDITED_IN_CELLS, type KindTraits } from './kind-traits.ts'
import { printText, readText } from './text.ts'

export const selectTraits: KindTraits<'select'> = {
  ...EDITED_IN_CELLS,
  label: t('Select'),
  hint: t('One option from a list, with colors'),
  Icon: IconCircleDot,
  read: readText,
  copyText: printText,
}
