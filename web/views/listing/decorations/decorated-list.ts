import { useState } from 'react'
import type { GridProps, GridSource } from '#web/ui/grid/grid-props.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'

import type { ListSettings } from '#web/views/listing/list-settings.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import type { Listing } from '#web/data/queries/record-list-queries.ts'

/** The list that is dressed. */
export type DecoratedList = {
  readonly collection: TypedCollection
  readonly listing: Listing
  /** The names of the fields it is grouped by, separated by commas. */
  readonly group: string | null
  readonly look: ListSettings
  readonly onLook: (look: Partial<ListSettings>) => void
  readonly source: GridSource<RecordRow>
}

/** What comes on top of the rows of a list: their groups, figures below the columns, colours. */
export type Decorations = Pick<GridProps<RecordRow>, 'grouping' | 'footer' | 'paintOf'>

/** That, as far as it is there; `areHeadsDue` as long as the groups are on their way and none of them failed. */
export type DecorationsState = { readonly dressing: Decorations; readonly areHeadsDue: boolean }

/** Whether a list has its first rows, or is known to have none. */
export const hasRows = <Row>(source: GridSource<Row>): boolean =>
  source.kind === 'page' ? source.loadingRows === undefined : source.total === 0 || source.rowAt(0) !== undefined

/** Whether rows of the list, as it is filtered now, have been there: what is asked besides waits for them. */
export function useHasRows({ listing, source }: Pick<DecoratedList, 'listing' | 'source'>): boolean {
  const key = JSON.stringify([listing.filter, listing.search])
  const isThere = hasRows(source)
  const [held, setHeld] = useState<string>()
  if (isThere && held !== key) setHeld(key)
  return isThere || held === key
}
