import { IconListNumbers } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import { EDITED_ON_PAGE, type KindTraits } from './kind-traits.ts'
import { printPlain } from './text.ts'

export const autoNumberTraits: KindTraits<'auto-number'> = {
  ...EDITED_ON_PAGE,
  label: t('Autonumber'),
  hint: t('Numbers records automatically, starting at 1'),
  Icon: IconListNumbers,
  read: (value) => (typeof value === 'number' ? value : null),
  copyText: printPlain,
  // An identifier: no separators between its digits.
  localText: (value) => (typeof value === 'number' ? String(value) : undefined),
  onDuplicate: 'omit',
}
