import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import {
  blockOf,
  type CellBlock,
  type CellBounds,
  type CellRange,
  type CellRect,
  clippedAtGroupHeaders,
  isOneCell,
  oneCell,
  rectOf,
} from './cell-range.ts'
import type { GridLines } from '#web/ui/grid/rows/grid-lines.ts'
import type { GridPosition } from '#web/ui/grid/keyboard/keyboard.ts'

/** The marked cells of a grid, and the ways to mark others. */
export type MarkedCells = {
  /** What copying, filling and clearing act upon: the marked cells, or else the active one. */
  readonly rect: CellRect | undefined
  /** Undefined when nothing is marked beyond the active cell. */
  readonly range: CellRange | undefined
  /** What is drawn as marked: while cells are being filled, those that will be. */
  readonly shown: CellRect | undefined
  readonly isFilling: boolean
  /** Marks cells; they stay marked for as long as the focus stays in `at`. */
  readonly mark: (range: CellRange, at: GridPosition) => void
  readonly unmark: () => void
  readonly preview: (rect: CellRect | undefined) => void
}

type CellRangeInput = {
  readonly listKey: string
  readonly active: GridPosition
  readonly headLines: number
  readonly bounds: CellBounds
  readonly lines: GridLines
  readonly columnIdAt: (index: number) => string | undefined
  readonly onRange: ((block: CellBlock | undefined) => void) | undefined
}

type RangeState = { readonly range: CellRange; readonly at: GridPosition; readonly listKey: string }

/**
 * Keeps what is marked. It belongs to the cell with the focus: once the focus goes to another, or the list changes,
 * nothing is marked any more.
 */
export function useCellRange(input: CellRangeInput): MarkedCells {
  const { listKey, active, headLines, bounds, lines } = input
  const [held, setHeld] = useState<RangeState | undefined>()
  const [filling, setFilling] = useState<CellRect | undefined>()
  const isHeld = held?.at.line === active.line && held.at.column === active.column && held.listKey === listKey
  const range = isHeld ? held.range : undefined

  const { lines: lineCount, firstColumn, endColumn } = bounds
  const rect = useMemo(() => {
    const within = { lines: lineCount, firstColumn, endColumn }
    const place = { line: active.line - headLines, column: active.column }
    const hasCell = place.line >= 0 && lines.lineAt(place.line)?.kind === 'row'
    const found = range ? rectOf(range, within) : hasCell ? rectOf(oneCell(place), within) : undefined
    return found && clippedAtGroupHeaders(found, lines)
  }, [range, active, headLines, lines, lineCount, firstColumn, endColumn])

  const mark = useCallback((next: CellRange, at: GridPosition) => setHeld({ range: next, at, listKey }), [listKey])
  const unmark = useCallback(() => setHeld(undefined), [])
  useReportRange(input, range && rect && !isOneCell(rect) ? rect : undefined)
  return { rect, range, shown: filling ?? rect, isFilling: filling !== undefined, mark, unmark, preview: setFilling }
}

/** Tells the app what is marked, once for every change of it. */
function useReportRange({ lines, columnIdAt, onRange }: CellRangeInput, marked: CellRect | undefined): void {
  const latest = useRef({ columnIdAt, onRange })
  useEffect(() => {
    latest.current = { columnIdAt, onRange }
  })
  const wasMarked = useRef(false)
  useEffect(() => {
    if (!marked && !wasMarked.current) return
    wasMarked.current = marked !== undefined
    latest.current.onRange?.(marked && blockOf(marked, lines, latest.current.columnIdAt))
  }, [marked, lines])
}
