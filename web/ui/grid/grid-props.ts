import type { ReactNode, Ref } from 'react'
import type { CellBlock } from './selection/cell-range.ts'
import type { GridColumn, GridDensity, GridLayout } from './columns/grid-column.ts'
import type { CellMenu, ColumnCommands, DroppedFiles, GridFill, GridHandle, GridPaste } from './editing/grid-editing.ts'
import type { GridSummary } from './summary/grid-summary.ts'
import type { GridGrouping } from './groups/grid-grouping.ts'
import type { GridSource } from './grid-source.ts'
import type { GridTexts } from './grid-texts.ts'
import type { RowColors } from './rows/row-color.ts'
import type { Span } from './rows/row-window.ts'
import type { GridSelection } from './selection/selection.ts'
import type { GridSort } from './header/sorting.ts'

/** Everything a grid is told by the app. */
export type GridProps<Row> = {
  /** The grid's name for those who cannot see it. */
  readonly label: string
  /** Stable between renders. */
  readonly columns: readonly GridColumn<Row>[]
  readonly source: GridSource<Row>
  readonly idOf: (row: Row) => string
  /** What a row is called, for its checkbox. */
  readonly nameOf?: (row: Row) => string
  /** Names the list: a new filter, order, page or page size. A new name begins at the top. */
  readonly listKey?: string
  readonly sort: readonly GridSort[]
  readonly onSort?: (sort: readonly GridSort[]) => void
  /** Leave it out, and rows have no checkboxes. */
  readonly selection?: GridSelection
  readonly onSelection?: (selection: GridSelection) => void
  readonly grouping?: GridGrouping
  readonly footer?: GridSummary
  /** How a row stands out; the same object for as long as it is so. */
  readonly paintOf?: (row: Row) => RowColors | undefined
  readonly layout?: GridLayout
  readonly onLayout?: (layout: GridLayout) => void
  readonly density?: GridDensity
  /** Long values go on in further lines, for which every row has room. */
  readonly isWrapped?: boolean
  readonly areFiltersShown?: boolean
  /** Told of the marked cells, when there are more than one; undefined when they are not marked any more. */
  readonly onRange?: (block: CellBlock | undefined) => void
  /** Reads marked rows that are not loaded, to copy them; undefined when that is refused, which the app says itself. */
  readonly onCopyUnloaded?: (rows: readonly Span[]) => Promise<readonly Row[] | undefined>
  /** Reads rows that are not loaded, to select them; undefined when that is refused, which the app says itself. */
  readonly onSelectUnloaded?: (rows: readonly Span[]) => Promise<readonly Row[] | undefined>
  /** Leave these out, and nothing can be pasted, filled, cleared, undone or done again. */
  readonly onPaste?: (paste: GridPaste) => void
  readonly onFill?: (fill: GridFill) => void
  /** Empties cells: Delete, and Cut after it has copied them. */
  readonly onClear?: (block: CellBlock) => void
  readonly onUndo?: () => void
  readonly onRedo?: () => void
  /** Files dropped on a cell, or pasted into it, where its column takes them; or on a row that does. */
  readonly onFiles?: (files: DroppedFiles<Row>) => void
  /** Whether files may be dropped anywhere on a row. */
  readonly rowTakesFiles?: (row: Row) => boolean
  /** The menu of a cell is wanted: a press of the other button, or the menu key. Left out, the browser shows its own. */
  readonly onCellMenu?: (menu: CellMenu<Row>) => void
  readonly handleRef?: Ref<GridHandle>
  /** The row that is shown beside the grid. */
  readonly currentId?: string | undefined
  /** Opens a row: Ctrl+Enter, its title; Enter and a double click where the cell cannot be edited. */
  readonly onOpenRow?: (row: Row) => void
  /** Makes titles links, so that a row can also be opened in a new tab. */
  readonly hrefOf?: (row: Row) => string
  readonly renderHeaderMenu?: (column: GridColumn<Row>, tabIndex: -1, commands: ColumnCommands) => ReactNode
  /** Shown under the header when there are no rows. */
  readonly empty?: ReactNode
  /** Shown under the header instead of rows, when they could not be read. */
  readonly failure?: ReactNode
  readonly texts?: GridTexts
}
