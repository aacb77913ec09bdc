import { type ComponentType, Suspense } from 'react'
import { DEFAULT_CARDS, type GalleryOptions } from '#domain/views/cards.ts'
import type { ViewDisplay, ViewKind } from '#domain/views/view-kinds.ts'
import { t } from '#web/i18n/t.ts'
import { Grid } from '#web/ui/grid/grid.tsx'
import {
  IconCalendar,
  IconChartBar,
  IconLayoutCards,
  IconLayoutKanban,
  IconListDetails,
  IconMenu3,
  IconTable,
} from '#web/ui/icons/general.ts'
import { lazyComponent, lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import type { ListingProps, ViewKindUi, ViewOptionsFormProps } from './view-kind.ts'

/** A view that is loaded on demand. */
function lazyListing<Options>(fetchListing: () => Promise<ComponentType<ListingProps<Options>>>) {
  const module = lazyModule(async () => ({ Listing: await fetchListing() }))
  return function LazyListing(props: ListingProps<Options>) {
    const { Listing } = useLazyModule(module, true) ?? {}
    return Listing ? <Listing {...props} /> : null
  }
}

const CardsListing = lazyListing<GalleryOptions>(() => import('./cards/card-list.tsx').then(({ CardList }) => CardList))

export const VIEW_KIND_UI: { readonly [Kind in ViewKind]: ViewKindUi<Kind> } = {
  grid: {
    label: t('Grid'),
    icon: IconTable,
    draws: 'rows',
    Listing: (props) =>
      props.isNarrow ? <CardsListing {...props} options={DEFAULT_CARDS} /> : <Grid {...props.grid} />,
    OptionsForm: null,
  },
  cards: {
    label: t('Gallery'),
    icon: IconLayoutCards,
    draws: 'rows',
    Listing: CardsListing,
    OptionsForm: lazyComponent(() => import('./cards/cards-options.tsx'), 'GalleryOptionsForm'),
  },
  list: {
    label: t('List'),
    icon: IconListDetails,
    draws: 'rows',
    Listing: lazyListing(() => import('./cards/card-list.tsx').then(({ LineList }) => LineList)),
    OptionsForm: lazyComponent(() => import('./cards/cards-options.tsx'), 'ListOptionsForm'),
  },
  board: {
    label: t('Board'),
    icon: IconLayoutKanban,
    draws: 'windows',
    Listing: lazyListing(() => import('./board/board.tsx').then(({ Board }) => Board)),
    OptionsForm: lazyComponent(() => import('./cards/cards-options.tsx'), 'BoardOptionsForm'),
  },
  calendar: {
    label: t('Calendar'),
    icon: IconCalendar,
    draws: 'windows',
    Listing: lazyListing(() => import('./calendar/calendar.tsx').then(({ Calendar }) => Calendar)),
    OptionsForm: lazyComponent(() => import('./dates/date-fields-form.tsx'), 'CalendarOptionsForm'),
  },
  timeline: {
    label: t('Timeline'),
    icon: IconMenu3,
    draws: 'rows',
    Listing: lazyListing(() => import('./timeline/timeline.tsx').then(({ Timeline }) => Timeline)),
    OptionsForm: lazyComponent(() => import('./dates/date-fields-form.tsx'), 'TimelineOptionsForm'),
  },
  chart: {
    label: t('Chart'),
    icon: IconChartBar,
    draws: 'windows',
    Listing: lazyListing(() => import('./chart/chart-figure.tsx').then(({ ChartListing }) => ChartListing)),
    OptionsForm: lazyComponent(() => import('./chart/chart-options.tsx'), 'ChartOptionsForm'),
  },
}

type WithDisplay = { readonly display: ViewDisplay; readonly onChange: (display: ViewDisplay) => void }

type ViewListingProps = Omit<ListingProps<unknown>, 'options' | 'onOptions'> & WithDisplay

export function ViewListing({ display, onChange, ...props }: ViewListingProps) {
  const { kind, options } = display
  // TypeScript can't infer that the options match the kind.
  const Listing = VIEW_KIND_UI[kind].Listing as ComponentType<ListingProps<unknown>>
  return <Listing {...props} options={options} onOptions={(next) => onChange({ kind, options: next } as ViewDisplay)} />
}

type DisplayFormProps = Pick<ListingProps<unknown>, 'collection'> & WithDisplay

export function ViewOptionsForm({ collection, display, onChange }: DisplayFormProps) {
  const { kind, options } = display
  const Form = VIEW_KIND_UI[kind].OptionsForm as ComponentType<ViewOptionsFormProps<unknown>> | null
  return (
    Form && (
      // Otherwise, the whole page would be hidden and lose focus while the form is loading.
      <Suspense fallback={null}>
        <Form
          collection={collection}
          options={options}
          onChange={(next) => onChange({ kind, options: next } as ViewDisplay)}
        />
      </Suspense>
    )
  )
}
