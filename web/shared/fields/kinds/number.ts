import { IconHash } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import { formatNumber } from '#web/shared/formatting/format-value.ts'
import { EDITED_IN_CELLS, type KindTraits } from './kind-traits.ts'
import { printPlain } from './text.ts'

export const numberTraits: KindTraits<'number'> = {
  ...EDITED_IN_CELLS,
  label: t('Number'),
  hint: t('Amounts, counts, measurements'),
  Icon: IconHash,
  read: (value) => (typeof value === 'number' ? value : null),
  copyText: (value, _, decimal) => printPlain(value).replace('.', decimal),
  localText: (value) => (typeof value === 'number' ? formatNumber(value) : undefined),
  continuesSeries: true,
}
