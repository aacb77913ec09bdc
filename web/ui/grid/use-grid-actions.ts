import { useLayoutEffect, useRef } from 'react'
import type { GridLine, GridLines } from './rows/grid-lines.ts'
import type { GridProps } from './grid-props.ts'
import { type GridSource, rowAt } from './grid-source.ts'
import type { Span } from './rows/row-window.ts'
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
import { nextSorting } from './header/sorting.ts'

/** What can be done in a grid, named by body line where it is done to one. */
export type GridActions = {
  readonly sort: (columnId: string, isAdding: boolean) => void
  readonly selectRow: (line: number, isRange: boolean) => void
  readonly selectAll: () => void
  readonly open: (line: number) => void
  /** Turns the group over whose head was pressed, or all of them. */
  readonly turnGroup: (line: number, isAll: boolean) => void
}

/** The actions of a grid, as the app's own functions let it do them. */
export function useGridActions<Row>(props: GridProps<Row>, lines: GridLines): GridActions {
  const { source, idOf, sort, onSort, selection = NOTHING_SELECTED, onSelection, onOpenRow, grouping } = props
  const anchor = useRef<SelectionAnchor | undefined>(undefined)
  const rowOfLine = (line: number) => rowOf(source, lines.lineAt(line))
  // Rows that are read first come to a selection that may have gone on.
  const latest = useRef(selection)
  useLayoutEffect(() => {
    latest.current = selection
  })

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
      const isChosen = !isSelected(selection, target.id)
      const choose = (ids: readonly string[]) => onSelection?.(withRows(latest.current, ids, isChosen))
      const spans = from ? spansBetween(from, target, { source, lines, idOf }) : []
      const rows = loadedRows(source, spans)
      if (rows) choose(rangeOf(rows.map(idOf), from?.id, target.id))
      else {
        void props.onSelectUnloaded?.(spans).then((read) => {
          if (read) choose(rangeOf(read.map(idOf), from?.id, target.id))
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
    turnGroup: (line, isAll) => {
      const found = lines.lineAt(line)
      if (found?.kind === 'group') grouping?.fold(found.groupIndex, 'other', isAll)
    },
  }
}

/** What the checkbox above all rows shows. */
export function stateOfAll<Row>({ source, selection, idOf }: GridProps<Row>): 'none' | 'some' | 'all' | undefined {
  if (!selection) return undefined
  if (source.kind === 'page') return stateOfRows(selection, source.rows.map(idOf))
  if (selection.ids.size > 0) return 'some'
  return selection.mode === 'allBut' ? 'all' : 'none'
}

function rowOf<Row>(source: GridSource<Row>, line: GridLine | undefined): Row | undefined {
  return line?.kind === 'row' ? rowAt(source, line.ordinal) : undefined
}

/** The rows of some spans; undefined if one of them is not loaded, so that none is left out unseen. */
function loadedRows<Row>(source: GridSource<Row>, spans: readonly Span[]): Row[] | undefined {
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

type Shown<Row> = {
  readonly source: GridSource<Row>
  readonly lines: GridLines
  readonly idOf: (row: Row) => string
}

/** The rows shown from the anchor to the target, without those in collapsed groups; none where the anchor is not shown. */
function spansBetween<Row>(
  anchor: SelectionAnchor,
  target: SelectionAnchor,
  { source, lines, idOf }: Shown<Row>,
): readonly Span[] {
  const idAt = (ordinal: number): string | undefined => {
    const row = rowAt(source, ordinal)
    return row === undefined ? undefined : idOf(row)
  }
  const ordinal =
    source.kind === 'window' ? placeOfAnchor(anchor, idAt) : placeOnPage(source.rows.map(idOf), source.first, anchor.id)
  const from = ordinal === undefined ? undefined : lines.lineOfRow(ordinal)
  const to = lines.lineOfRow(target.ordinal)
  if (from === undefined || to === undefined) return []
  return lines.rowsIn({ first: Math.min(from, to), end: Math.max(from, to) + 1 })
}

function placeOnPage(ids: readonly string[], first: number, id: string): number | undefined {
  const at = ids.indexOf(id)
  return at < 0 ? undefined : first + at
}
