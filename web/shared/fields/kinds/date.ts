import { IconCalendar } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import { formatDay } from '#web/shared/formatting/format-value.ts'
import { EDITED_IN_CELLS, type KindTraits } from './kind-traits.ts'
import { printPlain, readText } from './text.ts'

export const dateTraits: KindTraits<'date'> = {
  ...EDITED_IN_CELLS,
  label: t('Date'),
  hint: t('A calendar date'),
  Icon: IconCalendar,
  read: readText,
  copyText: printPlain,
  localText: (value) => (typeof value === 'string' ? formatDay(value) : undefined),
  continuesSeries: true,
}
