import { type ClipboardEvent, type ComponentType, type DragEvent, type MouseEvent, type RefObject, useRef } from 'react'
import { useLatest } from '#web/ui/browser/use-latest.ts'
import { type GridProps, type GridSource, type GridTexts, rowAt } from './grid-props.ts'
import type { GridLine, GridLines, Span } from './rows/row-window.ts'
import {
  ALL_SELECTED,
  isSelected,
  NOTHING_SELECTED,
  placeOfAnchor,
  rangeOf,
  type SelectionAnchor,
  stateOfRows,
  withRows,
} from './selection/selection.ts'
import { blockOf, type CellBlock, type CellBounds, type CellPlace, type CellRect } from './selection/cell-range.ts'
import type { EditorBoxProps } from './editing/editor-box.tsx'
import { type GridColumn, type GridLayout, nextSorting, type PlacedColumn } from './columns/grid-column.ts'
import type { ColumnCommands } from './editing/grid-editing.ts'
import type { GridCommand, GridExtent, GridPosition, KeyPlace, PendingKey } from './keyboard/keyboard.ts'
import type { ActiveCell, CellRangeState } from './selection/use-active-cell.ts'
import type { CellEditing } from './editing/use-cell-editor.ts'

export type GridActions = {
  readonly sort: (columnId: string, isAdding: boolean) => void
  readonly selectRow: (line: number, isRange: boolean) => void
  readonly selectAll: () => void
  readonly open: (line: number) => void
  readonly toggleGroup: (line: number, isAll: boolean) => void
}

export function useGridActions<Row>(props: GridProps<Row>, lines: GridLines): GridActions {
  const { source, idOf, sort, onSort, selection = NOTHING_SELECTED, onSelection, onOpenRow, grouping } = props
  const anchor = useRef<SelectionAnchor | undefined>(undefined)
  const rowOfLine = (line: number) => rowOf(source, lines.lineAt(line))
  // The selection may change while rows are being loaded.
  const latest = useLatest(selection)

  return {
    sort: (columnId, isAdding) => {
      const isSortable = props.columns.find((column) => column.id === columnId)?.isSortable ?? false
      if (isSortable) onSort?.(nextSorting(sort, columnId, { isAdding }))
    },
    selectRow: (line, isRange) => {
      const found = lines.lineAt(line)
      const row = rowOf(source, found)
      if (row === undefined || found?.kind !== 'row') return
      const target = { id: idOf(row), ordinal: found.ordinal }
      const from = isRange ? anchor.current : undefined
      anchor.current = target
      const isSelecting = !isSelected(selection, target.id)
      const select = (ids: readonly string[]) => onSelection?.(withRows(latest.current, ids, isSelecting))
      const spans = from ? spansBetween(from, target, { source, lines, idOf }) : []
      const rows = loadedRows(source, spans)
      if (rows) select(rangeOf(rows.map(idOf), from?.id, target.id))
      else {
        void props.onSelectUnloaded?.(spans).then((read) => {
          if (read) select(rangeOf(read.map(idOf), from?.id, target.id))
        })
      }
    },
    selectAll: () => {
      if (source.kind === 'window') {
        const isEverything = selection.mode === 'allBut' && selection.ids.size === 0
        onSelection?.(isEverything ? NOTHING_SELECTED : ALL_SELECTED)
        return
      }
      const ids = source.rows.map(idOf)
      onSelection?.(withRows(selection, ids, stateOfRows(selection, ids) !== 'all'))
    },
    open: (line) => {
      const row = rowOfLine(line)
      if (row !== undefined) onOpenRow?.(row)
    },
    toggleGroup: (line, isAll) => {
      const found = lines.lineAt(line)
      if (found?.kind === 'group') grouping?.setCollapsed(found.groupIndex, 'other', isAll)
    },
  }
}

export function stateOfAll<Row>({ source, selection, idOf }: GridProps<Row>): 'none' | 'some' | 'all' | undefined {
  if (!selection) return undefined
  if (source.kind === 'page') return stateOfRows(selection, source.rows.map(idOf))
  if (selection.ids.size > 0) return 'some'
  return selection.mode === 'allBut' ? 'all' : 'none'
}

function rowOf<Row>(source: GridSource<Row>, line: GridLine | undefined): Row | undefined {
  return line?.kind === 'row' ? rowAt(source, line.ordinal) : undefined
}

/** The rows in the given ranges; undefined if any row isn't loaded, so that no row is skipped silently. */
export function loadedRows<Row>(source: GridSource<Row>, spans: readonly Span[]): Row[] | undefined {
  const rows: Row[] = []
  for (const { first, end } of spans) {
    for (let ordinal = first; ordinal < end; ordinal += 1) {
      const row = rowAt(source, ordinal)
      if (row === undefined) return undefined
      rows.push(row)
    }
  }
  return rows
}

type VisibleRows<Row> = {
  readonly source: GridSource<Row>
  readonly lines: GridLines
  readonly idOf: (row: Row) => string
}

function spansBetween<Row>(
  anchor: SelectionAnchor,
  target: SelectionAnchor,
  { source, lines, idOf }: VisibleRows<Row>,
): readonly Span[] {
  const idAt = (ordinal: number): string | undefined => {
    const row = rowAt(source, ordinal)
    return row === undefined ? undefined : idOf(row)
  }
  const ordinal =
    source.kind === 'window'
      ? placeOfAnchor(anchor, idAt)
      : ordinalOnPage(source.rows.map(idOf), source.first, anchor.id)
  const from = ordinal === undefined ? undefined : lines.lineOfRow(ordinal)
  const to = lines.lineOfRow(target.ordinal)
  if (from === undefined || to === undefined) return []
  return lines.rowsIn({ first: Math.min(from, to), end: Math.max(from, to) + 1 })
}

function ordinalOnPage(ids: readonly string[], first: number, id: string): number | undefined {
  const at = ids.indexOf(id)
  return at < 0 ? undefined : first + at
}

export type GridInteractions<Row> = {
  readonly run: (command: GridCommand, at: GridPosition) => boolean | undefined
  readonly edit: (at: GridPosition, seed?: string) => boolean
  readonly press: (event: MouseEvent<HTMLElement>) => void
  readonly copy: (event: ClipboardEvent<HTMLElement>, isCut: boolean) => void
  readonly paste: (event: ClipboardEvent<HTMLElement>) => void
  /** Tracks touches on the headers. Returns a cleanup function. */
  readonly watchTouches: (grid: HTMLElement) => () => void
  readonly menu: (event: MouseEvent<HTMLElement>) => void
  readonly dragFiles: (event: DragEvent<HTMLElement>) => void
  readonly dropFiles: (event: DragEvent<HTMLElement>) => void
  readonly fitColumn: (columnId: string) => void
  readonly commandsOf: (props: GridProps<Row>, column: GridColumn<Row>) => ColumnCommands
  readonly EditorBox: ComponentType<EditorBoxProps<Row>>
}

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
  readonly cellRange: CellRangeState
  readonly editing: CellEditing<Row>
  readonly paneStartPx: number
  readonly columnAt: (index: number) => PlacedColumn<Row> | undefined
  readonly reveal: (position: GridPosition) => void
  readonly focusColumn: (columnId: string) => void
  /** Sets a column's width; only the final width after dragging is saved. */
  readonly setWidth: (columnId: string, widthPx: number, isFinal: boolean) => void
  readonly announce: (text: string) => void
  /** Undefined until the interactions have loaded. */
  readonly interactions: GridInteractions<Row> | undefined
  readonly pendingKeys: PendingKey[]
}

export function kindOfLine<Row>({ extent, lines }: GridContext<Row>, line: number): KeyPlace {
  if (line < extent.headerLines) return line === 0 ? 'header' : 'filters'
  if (line >= extent.headerLines + extent.bodyLines) return 'footer'
  return lines.lineAt(line - extent.headerLines)?.kind ?? 'row'
}

export function placeOf<Row>({ extent }: GridContext<Row>, { line, column }: GridPosition): CellPlace {
  return { line: line - extent.headerLines, column }
}

export function positionAt<Row>({ extent }: GridContext<Row>, { line, column }: CellPlace): GridPosition {
  return { line: line + extent.headerLines, column }
}

/** The row at a position; undefined for headers, group headers and rows that are still loading. */
export function rowOfPosition<Row>(context: GridContext<Row>, { line }: GridPosition): Row | undefined {
  const found = context.lines.lineAt(line - context.extent.headerLines)
  return found?.kind === 'row' ? rowAt(context.props.source, found.ordinal) : undefined
}

export function blockIn<Row>({ lines, columnAt }: GridContext<Row>, rect: CellRect): CellBlock {
  return blockOf(rect, lines, (index) => columnAt(index)?.column.id)
}

export function mayEdit<Row>(column: GridColumn<Row>, row: Row): boolean {
  return column.renderEditor !== undefined && (column.isEditable?.(row) ?? true)
}
