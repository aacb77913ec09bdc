import { t } from '#web/i18n/t.ts'
import { IconCalendar } from '#web/ui/icons/general.ts'
import { lazyComponent, lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import type { ViewKindUi } from '../view-kind.ts'

const calendar = lazyModule(() => import('./calendar.tsx'))

export const calendarView: ViewKindUi<'calendar'> = {
  label: t('Calendar'),
  icon: IconCalendar,
  draws: 'windows',
  Listing: function CalendarListing(props) {
    const { Calendar } = useLazyModule(calendar, true) ?? {}
    return Calendar ? <Calendar {...props} /> : null
  },
  OptionsForm: lazyComponent(() => import('../dates/date-fields-form.tsx'), 'CalendarOptionsForm'),
}
