import { useLayoutEffect, useRef } from 'react'
import type { GridLine, GridLines } from './grid-lines.ts'
import type { GridProps } from './grid-props.ts'
import { type GridSource, rowAt } from './grid-source.ts'
import type { Span } from './row-window.ts'
import { ALL_SELECTED, isSelected, NOTHING_SELECTED, stateOfRows, withRows } from './selection.ts'
import { nextSorting } from './sorting.ts'

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
  const anchorLine = useRef<number | undefined>(undefined)
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
      const row = rowOfLine(line)
      if (row === undefined) return
      const from = isRange ? (anchorLine.current ?? line) : line
      anchorLine.current = line
      const isChosen = !isSelected(selection, idOf(row))
      const choose = (rows: readonly Row[]) => onSelection?.(withRows(latest.current, rows.map(idOf), isChosen))
      const range = loadedRange(from, line, rowOfLine)
      if (range) choose(range)
      else void props.onSelectUnloaded?.(spanOfLines(lines, from, line)).then((rows) => rows && choose(rows))
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

/** The rows from one line to another; undefined if one of them is not loaded, so that none is left out unseen. */
function loadedRange<Row>(from: number, to: number, rowOfLine: (line: number) => Row | undefined): Row[] | undefined {
  const lines = Array.from({ length: Math.abs(to - from) + 1 }, (_, i) => Math.min(from, to) + i)
  const rows = lines.flatMap((line) => rowOfLine(line) ?? [])
  return rows.length === lines.length ? rows : undefined
}

/** The rows from one line to another as they stand in the list. */
function spanOfLines(lines: GridLines, from: number, to: number): readonly Span[] {
  const spans: { first: number; end: number }[] = []
  for (let line = Math.min(from, to); line <= Math.max(from, to); line += 1) {
    const found = lines.lineAt(line)
    if (found?.kind !== 'row') continue
    const last = spans.at(-1)
    if (last?.end === found.ordinal) last.end += 1
    else spans.push({ first: found.ordinal, end: found.ordinal + 1 })
  }
  return spans
}
