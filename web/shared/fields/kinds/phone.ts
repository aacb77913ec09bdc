import { IconPhone } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import { EDITED_IN_CELLS, type KindTraits } from './kind-traits.ts'
import { printText, readText } from './text.ts'

export const phoneTraits: KindTraits<'phone'> = {
  ...EDITED_IN_CELLS,
  label: t('Phone'),
  hint: t('A phone number, searchable by its digits'),
  Icon: IconPhone,
  read: readText,
  copyText: printText,
}
