import { t } from '#web/i18n/t.ts'
import { IconChartBar } from '#web/ui/icons/general.ts'
import { lazyComponent, lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import type { ViewKindUi } from '../view-kind.ts'

const figure = lazyModule(() => import('./chart-listing.tsx'))

export const chartView: ViewKindUi<'chart'> = {
  label: t('Chart'),
  icon: IconChartBar,
  draws: 'windows',
  Listing: function Chart(props) {
    const { ChartListing } = useLazyModule(figure, true) ?? {}
    return ChartListing ? <ChartListing {...props} /> : null
  },
  OptionsForm: lazyComponent(() => import('./chart-options.tsx'), 'ChartOptionsForm'),
}
