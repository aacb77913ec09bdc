import { IconWorld } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import { EDITED_IN_CELLS, type KindTraits } from './kind-traits.ts'
import { printText, readText } from './text.ts'

export const urlTraits: KindTraits<'url'> = {
  ...EDITED_IN_CELLS,
  label: t('URL'),
  hint: t('A link to a web page'),
  Icon: IconWorld,
  read: readText,
  copyText: printText,
}
