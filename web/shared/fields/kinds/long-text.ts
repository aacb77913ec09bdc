import { IconAlignLeft } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import { EDITED_IN_CELLS, type KindTraits } from './kind-traits.ts'
import { printText, readText } from './text.ts'

export const longTextTraits: KindTraits<'long-text'> = {
  ...EDITED_IN_CELLS,
  label: t('Long text'),
  hint: t('Multiple lines of plain text'),
  Icon: IconAlignLeft,
  read: readText,
  copyText: printText,
  onDuplicate: 'mark',
}
