import { useState } from 'react'
import type { GridProps, GridSource } from '#web/ui/grid/grid-props.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'

import type { ListSettings } from '#web/views/listing/list-settings.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import type { Listing } from '#web/data/queries/record-list-queries.ts'

export type DecoratedList = {
  readonly collection: TypedCollection
  readonly listing: Listing
  readonly group: string | null
  readonly look: ListSettings
  readonly onLook: (look: Partial<ListSettings>) => void
  readonly source: GridSource<RecordRow>
}

export type Decorations = Pick<GridProps<RecordRow>, 'grouping' | 'footer' | 'paintOf'>

/** The decorations loaded so far; `areHeadsDue` while the groups are loading and none of them failed. */
export type DecorationsState = { readonly dressing: Decorations; readonly areHeadsDue: boolean }

export const hasRows = <Row>(source: GridSource<Row>): boolean =>
  source.kind === 'page' ? source.loadingRows === undefined : source.total === 0 || source.rowAt(0) !== undefined

/** Whether rows of the current list have loaded: other requests wait for them. */
export function useHasRows({ listing, source }: Pick<DecoratedList, 'listing' | 'source'>): boolean {
  const key = JSON.stringify([listing.filter, listing.search])
  const isThere = hasRows(source)
  const [held, setHeld] = useState<string>()
  if (isThere && held !== key) setHeld(key)
  return isThere || held === key
}
