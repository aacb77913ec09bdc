import type { ReactNode } from 'react'
import type { PlacedColumn } from '#web/ui/grid/columns/grid-column.ts'

/** Where the line below the rows is drawn. */
export type SummaryRowPlace = {
  /** Counted from the first header line. */
  readonly line: number
  readonly ariaRowIndex: number
  /** The column of the tab stop, when it is in this line. */
  readonly activeColumn: number | undefined
  // It shows no values of rows, so that whose columns these are means nothing to it.
  readonly frozen: readonly PlacedColumn<never>[]
  readonly center: readonly PlacedColumn<never>[]
  readonly frozenPx: number
  /** How wide the checkboxes before the columns are; 0 where there are none. */
  readonly selectPx: number
}

/** A line that stays at the bottom, as `footer-line.tsx` makes it: fetched when a list has one. */
export type GridSummary = {
  /** Left out while it is on its way: the room for it is kept. */
  readonly renderLine?: (place: SummaryRowPlace) => ReactNode
}
