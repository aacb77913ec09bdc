import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { GridExtent, GridPosition } from '#web/ui/grid/keyboard/keyboard.ts'
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
import type { GridLines } from '#web/ui/grid/rows/row-window.ts'

export type ActiveCell = {
  readonly active: GridPosition
  readonly arrive: (position: GridPosition) => void
  readonly send: (position: GridPosition) => void
}

/** Keeps the active cell inside the grid and the browser's focus on it. In another list it starts at the first row. */
export function useActiveCell(
  scrollerRef: RefObject<HTMLDivElement | null>,
  listKey: string,
  size: Omit<GridExtent, 'linesPerPage'>,
): ActiveCell {
  const [chosen, setChosen] = useState<(GridPosition & { readonly listKey: string }) | undefined>()
  const isFocusDue = useRef(false)
  const isStillThere = chosen !== undefined && (chosen.listKey === listKey || chosen.line < size.headLines)
  const { line, column } = withinGrid(isStillThere ? chosen : { line: size.headLines, column: 1 }, size)
  const active = useMemo(() => ({ line, column }), [line, column])

  const hasFocus = useHasFocus(scrollerRef)

  useLayoutEffect(() => {
    // The focused element may be gone, or rendered elsewhere: focus stays in the grid.
    const isLost = hasFocus.current && document.activeElement === document.body
    if (!isFocusDue.current && !isLost) return
    const cell = scrollerRef.current && findCell(scrollerRef.current, active)
    if (!cell) return
    isFocusDue.current = false
    cell.focus({ preventScroll: true })
  })

  const arrive = useCallback(
    (position: GridPosition) => {
      setChosen((before) => {
        const isSame = before?.line === position.line && before.column === position.column && before.listKey === listKey
        return isSame ? before : { ...position, listKey }
      })
    },
    [listKey],
  )
  const send = useCallback(
    (position: GridPosition) => {
      isFocusDue.current = true
      setChosen({ ...position, listKey })
    },
    [listKey],
  )
  return { active, arrive, send }
}

/** Whether the grid has focus; it keeps it when the focused element is removed, which fires no event. */
function useHasFocus(scrollerRef: RefObject<HTMLDivElement | null>): RefObject<boolean> {
  const hasFocus = useRef(false)
  useLayoutEffect(() => {
    const grid = scrollerRef.current
    if (!grid) return undefined
    const come = () => {
      hasFocus.current = true
    }
    const go = ({ target }: FocusEvent) =>
      queueMicrotask(() => {
        const isGone = target instanceof Node && !target.isConnected
        hasFocus.current = isGone || grid.contains(document.activeElement)
      })
    grid.addEventListener('focusin', come)
    grid.addEventListener('focusout', go)
    return () => {
      grid.removeEventListener('focusin', come)
      grid.removeEventListener('focusout', go)
    }
  }, [scrollerRef])
  return hasFocus
}

/** The cell of an event; undefined outside all cells, or in a popup whose events only React bubbles here. */
export function positionOf(grid: Element, target: EventTarget): GridPosition | undefined {
  if (!(target instanceof Element) || !grid.contains(target)) return undefined
  const cell = target.closest<HTMLElement>('[data-column]')
  const line = cell?.closest<HTMLElement>('[data-line]')
  return cell && line ? { line: Number(line.dataset['line']), column: Number(cell.dataset['column']) } : undefined
}

/** The element of a cell; a group header is one cell. */
export function findCell(grid: Element, { line, column }: GridPosition): HTMLElement | null {
  const lineSelector = `[data-line="${line}"]`
  return (
    grid.querySelector<HTMLElement>(`${lineSelector} [data-column="${column}"]`) ??
    grid.querySelector<HTMLElement>(`${lineSelector} [data-column]`)
  )
}

function withinGrid(position: GridPosition, size: Omit<GridExtent, 'linesPerPage'>): GridPosition {
  const { headLines, bodyLines, footLines = 0, columns } = size
  if (position.line >= headLines && bodyLines === 0) return { line: 0, column: Math.min(position.column, columns - 1) }
  return {
    line: Math.min(position.line, headLines + bodyLines + footLines - 1),
    column: Math.max(0, Math.min(position.column, columns - 1)),
  }
}

export type MarkedCells = {
  /** The cells for copying, filling and clearing: the selection, or else the active cell. */
  readonly rect: CellRect | undefined
  readonly range: CellRange | undefined
  /** The rendered selection: during a fill, the cells to be filled. */
  readonly shown: CellRect | undefined
  readonly isFilling: boolean
  /** Selects cells; they stay selected while focus stays in `at`. */
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

/** The selection belongs to the focused cell: it is cleared when focus moves or the list changes. */
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
