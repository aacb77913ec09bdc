import { IconCalendarClock } from '#web/ui/icons/general.ts'
import { t } from '#web/i18n/t.ts'
import { formatInstant } from '#web/shared/formatting/format-value.ts'
import { EDITED_IN_CELLS, type KindTraits } from './kind-traits.ts'
import { printPlain, readText } from './text.ts'

export const dateTimeTraits: KindTraits<'date-time'> = {
  ...EDITED_IN_CELLS,
  label: t('Date and time'),
  hint: t('A date and time, shown in each person’s own time zone'),
  Icon: IconCalendarClock,
  read: readText,
  copyText: printPlain,
  localText: (value) => (typeof value === 'string' ? formatInstant(value) : undefined),
}
