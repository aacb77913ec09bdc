import type { ComponentType } from 'react'
import type { ViewKind, ViewOptionsOf } from '#domain/views/view-kinds.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { GridProps } from '#web/ui/grid/grid-props.ts'
import type { Icon } from '#web/ui/icons/draw-icon.tsx'
import type { LazyComponent } from '#web/ui/loading/lazy-module.tsx'

export type ListingProps<Options> = {
  readonly collection: TypedCollection
  /** Identifies fields by column ID. */
  readonly options: Options
  /** The rows and the actions available for them. */
  readonly grid: GridProps<RecordRow>
  /** Whether the layout is narrow, for example on a phone. */
  readonly isNarrow: boolean
}

export type ViewOptionsFormProps<Options> = {
  readonly collection: TypedCollection
  readonly options: Options
  readonly onChange: (options: Options) => void
}

/** The UI of a view type. `Listing` is part of a list's initial load, so it must lazy-load large components. */
export type ViewKindUi<Kind extends ViewKind> = {
  readonly label: string
  readonly icon: Icon
  readonly Listing: ComponentType<ListingProps<ViewOptionsOf[Kind]>>
  /** Null for kinds that have no options. */
  readonly OptionsForm: LazyComponent<ViewOptionsFormProps<ViewOptionsOf[Kind]>> | null
}
