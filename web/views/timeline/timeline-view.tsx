import { t } from '#web/i18n/t.ts'
import { IconMenu3 } from '#web/ui/icons/general.ts'
import { lazyComponent, lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import type { ViewKindUi } from '../view-kind.ts'

const timeline = lazyModule(() => import('./timeline.tsx'))

export const timelineView: ViewKindUi<'timeline'> = {
  label: t('Timeline'),
  icon: IconMenu3,
  draws: 'rows',
  Listing: function TimelineListing(props) {
    const { Timeline } = useLazyModule(timeline, true) ?? {}
    return Timeline ? <Timeline {...props} /> : null
  },
  OptionsForm: lazyComponent(() => import('../dates/date-fields-form.tsx'), 'TimelineOptionsForm'),
}
