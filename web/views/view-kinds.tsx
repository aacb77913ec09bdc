import type { ComponentType } from 'react'
import type { ViewDisplay, ViewKind } from '#domain/views/view-kinds.ts'
import { boardView } from './board/board-view.tsx'
import { calendarView } from './calendar/calendar-view.tsx'
import { cardsView } from './cards/cards-view.tsx'
import { chartView } from './chart/chart-view.tsx'
import { gridView } from './grid/grid-view.tsx'
import { listView } from './list/list-view.tsx'
import { timelineView } from './timeline/timeline-view.tsx'
import type { ListingProps, ViewKindUi, ViewOptionsFormProps } from './view-kind.ts'

export const VIEW_KIND_UI: { readonly [Kind in ViewKind]: ViewKindUi<Kind> } = {
  grid: gridView,
  cards: cardsView,
  list: listView,
  board: boardView,
  calendar: calendarView,
  timeline: timelineView,
  chart: chartView,
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
      <Form
        collection={collection}
        options={options}
        onChange={(next) => onChange({ kind, options: next } as ViewDisplay)}
      />
    )
  )
}
