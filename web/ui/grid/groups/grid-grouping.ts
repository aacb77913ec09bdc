import type { ReactNode, RefObject } from 'react'
import type { PlacedColumn } from '#web/ui/grid/columns/grid-column.ts'
import type { GridLines } from '#web/ui/grid/rows/grid-lines.ts'
import type { GridGroup } from './group-rows.ts'
import type { GridExtent, GridPosition } from '#web/ui/grid/keyboard/keyboard.ts'
import type { Span } from '#web/ui/grid/rows/row-window.ts'

/** Where a group is to be: expanded, collapsed, or what it is not. */
export type CollapseTo = 'expanded' | 'collapsed' | 'other'

/** Where the head of a group is drawn. */
export type GroupHeaderPlace = {
  /** Names the element, which is taken up again by other lines. */
  readonly slot: number
  readonly groupIndex: number
  readonly isExpanded: boolean
  readonly line: number
  readonly topPx: number
  /** The column of the tab stop, when it is in this line. */
  readonly activeColumn: number | undefined
  readonly countText: (count: number) => string
  // Heads show no values of rows, so that whose columns these are means nothing to them.
  readonly frozen: readonly PlacedColumn<never>[]
  readonly center: readonly PlacedColumn<never>[]
  readonly paneStartPx: number
  readonly columnCount: number
  readonly widthPx: number
}

/** What keys on the head of a group see of the grid. */
export type GroupContext = {
  readonly gridRef: RefObject<HTMLElement | null>
  readonly lines: GridLines
  readonly extent: GridExtent
  readonly cell: { readonly send: (to: GridPosition) => void }
  readonly reveal: (to: GridPosition) => void
}

/** The groups of a list, as `group-view.tsx` makes them: fetched when a list is grouped. */
export type GridGrouping = {
  /** The lines of these rows with the heads of their groups. */
  readonly linesOf: (rows: Span) => GridLines
  readonly groupAt: (groupIndex: number) => GridGroup | undefined
  readonly renderHead: (place: GroupHeaderPlace) => ReactNode
  /** Turns a group over, or all of them with it. */
  readonly fold: (groupIndex: number, to: CollapseTo, isAll: boolean) => void
  /** Does what a key asks for on the head of a group: expand, collapse, go into it and out of it. */
  readonly run: (
    reach: GroupContext,
    at: GridPosition,
    command: { readonly to: CollapseTo; readonly isAll?: boolean },
  ) => void
  /** Told which rows are in sight, for groups that are read by and by. */
  readonly onShown?: (rows: readonly Span[]) => void
}
