import type { ComponentType } from 'react'
import type { ViewDisplay, ViewKind } from '#domain/views/view-kinds.ts'
import { cardsView } from './cards/cards-view.tsx'
import { gridView } from './grid/grid-view.tsx'
import type { ListingProps, ViewKindUi, ViewOptionsFormProps } from './view-kind.ts'

export const VIEW_KIND_UI: { readonly [Kind in ViewKind]: ViewKindUi<Kind> } = { grid: gridView, cards: cardsView }

type ViewListingProps = Omit<ListingProps<unknown>, 'options'> & { readonly display: ViewDisplay }

export function ViewListing({ display, ...props }: ViewListingProps) {
  // TypeScript can't infer that the options match the kind.
  const Listing = VIEW_KIND_UI[display.kind].Listing as ComponentType<ListingProps<unknown>>
  return <Listing {...props} options={display.options} />
}

type DisplayFormProps = Pick<ListingProps<unknown>, 'collection'> & {
  readonly display: ViewDisplay
  readonly onChange: (display: ViewDisplay) => void
}

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
