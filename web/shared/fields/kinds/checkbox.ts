import { IconSquareCheck } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import { EDITED_IN_CELLS, type KindTraits } from './kind-traits.ts'
import { printPlain } from './text.ts'

export const checkboxTraits: KindTraits<'checkbox'> = {
  ...EDITED_IN_CELLS,
  label: t('Checkbox'),
  hint: t('Yes or no'),
  Icon: IconSquareCheck,
  read: (value) => value === true,
  copyText: printPlain,
}
