import type { ClipboardEvent, ComponentType, DragEvent, MouseEvent, RefObject } from 'react'
import { blockOf, type CellBlock, type CellBounds, type CellPlace, type CellRect } from './selection/cell-range.ts'
import type { EditorBoxProps } from './editing/editor-box.tsx'
import type { GridColumn, GridLayout, PlacedColumn } from './columns/grid-column.ts'
import type { ColumnCommands } from './editing/grid-editing.ts'
import type { GridProps } from './grid-props.ts'
import { rowAt } from './grid-source.ts'
import type { GridTexts } from './grid-texts.ts'
import type { GridLines } from './rows/grid-lines.ts'
import type { GridCommand, GridExtent, GridPosition, PendingKey, KeyPlace } from './keyboard/keyboard.ts'
import type { ActiveCell } from './selection/use-active-cell.ts'
import type { CellEditing } from './editing/use-cell-editor.ts'
import type { MarkedCells } from './selection/use-cell-range.ts'
import type { GridActions } from './use-grid-actions.ts'

/** What a grid can do beyond being looked at and walked through; fetched when it rests, before anybody needs it. */
export type GridInteractions<Row> = {
  /** Does what a key asks of cells and columns; undefined for what is not theirs. */
  readonly run: (command: GridCommand, at: GridPosition) => boolean | undefined
  /** Opens the editor of a cell; false where it cannot be edited. */
  readonly edit: (at: GridPosition, seed?: string) => boolean
  readonly press: (event: MouseEvent<HTMLElement>) => void
  readonly copy: (event: ClipboardEvent<HTMLElement>, isCut: boolean) => void
  readonly paste: (event: ClipboardEvent<HTMLElement>) => void
  readonly menu: (event: MouseEvent<HTMLElement>) => void
  readonly holdFiles: (event: DragEvent<HTMLElement>) => void
  readonly dropFiles: (event: DragEvent<HTMLElement>) => void
  readonly fitColumn: (columnId: string) => void
  readonly commandsOf: (props: GridProps<Row>, column: GridColumn<Row>) => ColumnCommands
  readonly EditorBox: ComponentType<EditorBoxProps<Row>>
}

/** Everything that keys, presses, drags and the clipboard can see and do in a grid. */
export type GridContext<Row> = {
  readonly gridRef: RefObject<HTMLElement | null>
  readonly props: GridProps<Row>
  readonly texts: GridTexts
  readonly layout: GridLayout
  readonly cell: ActiveCell
  readonly extent: GridExtent
  readonly lines: GridLines
  readonly bounds: CellBounds
  readonly actions: GridActions
  readonly marked: MarkedCells
  readonly editing: CellEditing<Row>
  /** Where the columns that scroll begin. */
  readonly paneStartPx: number
  readonly columnAt: (index: number) => PlacedColumn<Row> | undefined
  readonly reveal: (position: GridPosition) => void
  /** Sends the focus to the header of a column once it stands where it was put. */
  readonly followColumn: (columnId: string) => void
  /** Gives a column a width; only the final one of a drag is kept. */
  readonly setWidth: (columnId: string, widthPx: number, isFinal: boolean) => void
  /** Says something to those who do not see it. */
  readonly say: (text: string) => void
  /** Undefined until they have come. */
  readonly hands: GridInteractions<Row> | undefined
  /** Keys that wait for what they need, in their order. */
  readonly held: PendingKey[]
}

/** In which kind of line a position is. */
export function kindOfLine<Row>({ extent, lines }: GridContext<Row>, line: number): KeyPlace {
  if (line < extent.headLines) return line === 0 ? 'header' : 'filters'
  if (line >= extent.headLines + extent.bodyLines) return 'footer'
  return lines.lineAt(line - extent.headLines)?.kind ?? 'row'
}

/** A position as a place among the lines under the header. */
export function placeOf<Row>({ extent }: GridContext<Row>, { line, column }: GridPosition): CellPlace {
  return { line: line - extent.headLines, column }
}

/** A place under the header as a position in the whole grid. */
export function positionAt<Row>({ extent }: GridContext<Row>, { line, column }: CellPlace): GridPosition {
  return { line: line + extent.headLines, column }
}

/** The row of a position; undefined in the header, on the head of a group, and while the row is on its way. */
export function rowOfPosition<Row>(reach: GridContext<Row>, { line }: GridPosition): Row | undefined {
  const found = reach.lines.lineAt(line - reach.extent.headLines)
  return found?.kind === 'row' ? rowAt(reach.props.source, found.ordinal) : undefined
}

/** Marked cells as the app knows them. */
export function blockIn<Row>({ lines, columnAt }: GridContext<Row>, rect: CellRect): CellBlock {
  return blockOf(rect, lines, (index) => columnAt(index)?.column.id)
}

/** Whether a cell may be edited. */
export function mayEdit<Row>(column: GridColumn<Row>, row: Row): boolean {
  return column.renderEditor !== undefined && (column.isEditable?.(row) ?? true)
}
