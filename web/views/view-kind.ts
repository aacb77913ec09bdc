import type { ComponentType } from 'react'
import type { ViewKind, ViewOptionsOf } from '#domain/views/view-kinds.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { GridProps } from '#web/ui/grid/grid-props.ts'
import type { Icon } from '#web/ui/icons/draw-icon.tsx'
import type { LazyComponent } from '#web/ui/loading/lazy-module.tsx'

export type ListingProps<Options> = {
  readonly collection: TypedCollection
  /** Fields are column IDs. */
  readonly options: Options
  /** The rows and what can be done with them. */
  readonly grid: GridProps<RecordRow>
  /** As on a phone. */
  readonly isNarrow: boolean
}

export type ViewOptionsFormProps<Options> = {
  readonly collection: TypedCollection
  readonly options: Options
  readonly onChange: (options: Options) => void
}

/** What a kind of view looks like; `Listing` is part of a list's first load, so a large one is loaded by it. */
export type ViewKindUi<Kind extends ViewKind> = {
  readonly label: string
  readonly icon: Icon
  readonly Listing: ComponentType<ListingProps<ViewOptionsOf[Kind]>>
  /** Null for kinds without options. */
  readonly OptionsForm: LazyComponent<ViewOptionsFormProps<ViewOptionsOf[Kind]>> | null
}
