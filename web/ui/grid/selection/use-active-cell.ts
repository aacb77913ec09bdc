import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useLatest } from '#web/ui/browser/use-latest.ts'
import { columnsOf, type GridExtent, type GridPosition } from '#web/ui/grid/keyboard/keyboard.ts'
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
  readonly activate: (position: GridPosition) => void
  readonly focus: (position: GridPosition) => void
}

/** Keeps the active cell inside the grid and focused. In a new list, the first row is active. */
export function useActiveCell(
  scrollerRef: RefObject<HTMLDivElement | null>,
  listKey: string,
  size: Omit<GridExtent, 'linesPerPage'>,
): ActiveCell {
  const [stored, setStored] = useState<(GridPosition & { readonly listKey: string }) | undefined>()
  const mustFocus = useRef(false)
  const isValid = stored !== undefined && (stored.listKey === listKey || stored.line < size.headerLines)
  const { line, column } = withinGrid(isValid ? stored : { line: size.headerLines, column: 1 }, size)
  const active = useMemo(() => ({ line, column }), [line, column])

  const hasFocus = useHasFocus(scrollerRef)

  useLayoutEffect(() => {
    // The focused element may have been removed or re-rendered, but focus must stay in the grid.
    const isLost = hasFocus.current && document.activeElement === document.body
    if (!mustFocus.current && !isLost) return
    const cell = scrollerRef.current && findCell(scrollerRef.current, active)
    if (!cell) return
    mustFocus.current = false
    cell.focus({ preventScroll: true })
  })

  const activate = useCallback(
    (position: GridPosition) => {
      setStored((before) => {
        const isSame = before?.line === position.line && before.column === position.column && before.listKey === listKey
        return isSame ? before : { ...position, listKey }
      })
    },
    [listKey],
  )
  const focus = useCallback(
    (position: GridPosition) => {
      mustFocus.current = true
      setStored({ ...position, listKey })
    },
    [listKey],
  )
  return { active, activate, focus }
}

/** Whether the grid has focus. Remains true when the focused element is removed, because this fires no event. */
function useHasFocus(scrollerRef: RefObject<HTMLDivElement | null>): RefObject<boolean> {
  const hasFocus = useRef(false)
  useLayoutEffect(() => {
    const grid = scrollerRef.current
    if (!grid) return undefined
    const onFocusIn = () => {
      hasFocus.current = true
    }
    const onFocusOut = ({ target }: FocusEvent) =>
      queueMicrotask(() => {
        const isRemoved = target instanceof Node && !target.isConnected
        hasFocus.current = isRemoved || grid.contains(document.activeElement)
      })
    grid.addEventListener('focusin', onFocusIn)
    grid.addEventListener('focusout', onFocusOut)
    return () => {
      grid.removeEventListener('focusin', onFocusIn)
      grid.removeEventListener('focusout', onFocusOut)
    }
  }, [scrollerRef])
  return hasFocus
}

/**
 * The cell that an event belongs to; undefined outside cells, and in popups whose events bubble here only through
 * React.
 */
export function positionOf(grid: Element, target: EventTarget): GridPosition | undefined {
  if (!(target instanceof Element) || !grid.contains(target)) return undefined
  const cell = target.closest<HTMLElement>('[data-column]')
  const line = cell?.closest<HTMLElement>('[data-line]')
  return cell && line ? { line: Number(line.dataset['line']), column: Number(cell.dataset['column']) } : undefined
}

/** A cell's element; a group header is a single cell. */
export function findCell(grid: Element, { line, column }: GridPosition): HTMLElement | null {
  const lineSelector = `[data-line="${line}"]`
  return (
    grid.querySelector<HTMLElement>(`${lineSelector} [data-column="${column}"]`) ??
    grid.querySelector<HTMLElement>(`${lineSelector} [data-column]`)
  )
}

function withinGrid(position: GridPosition, size: Omit<GridExtent, 'linesPerPage'>): GridPosition {
  const { headerLines, bodyLines, footerLines = 0 } = size
  const isAboveNothing = position.line >= headerLines && bodyLines === 0
  const line = isAboveNothing ? 0 : Math.min(position.line, headerLines + bodyLines + footerLines - 1)
  return { line, column: Math.max(0, Math.min(position.column, columnsOf(size, line) - 1)) }
}

export type CellRangeState = {
  /** The cells to copy, fill or clear: the selection, or the active cell if nothing is selected. */
  readonly rect: CellRect | undefined
  readonly range: CellRange | undefined
  /** The displayed selection; while filling, the cells to fill. */
  readonly shown: CellRect | undefined
  readonly isFilling: boolean
  /** Selects cells until focus leaves the cell `at`. */
  readonly select: (range: CellRange, at: GridPosition) => void
  readonly clear: () => void
  readonly preview: (rect: CellRect | undefined) => void
}

type CellRangeInput = {
  readonly listKey: string
  readonly active: GridPosition
  readonly headerLines: number
  readonly bounds: CellBounds
  readonly lines: GridLines
  readonly columnIdAt: (index: number) => string | undefined
  readonly onRange: ((block: CellBlock | undefined) => void) | undefined
}

type RangeState = { readonly range: CellRange; readonly at: GridPosition; readonly listKey: string }

/** The selection is cleared when focus moves to another cell or the list changes. */
export function useCellRange(input: CellRangeInput): CellRangeState {
  const { listKey, active, headerLines, bounds, lines } = input
  const [stored, setStored] = useState<RangeState | undefined>()
  const [filling, setFilling] = useState<CellRect | undefined>()
  const isCurrent = stored?.at.line === active.line && stored.at.column === active.column && stored.listKey === listKey
  const range = isCurrent ? stored.range : undefined

  const { lines: lineCount, firstColumn, endColumn } = bounds
  const rect = useMemo(() => {
    const within = { lines: lineCount, firstColumn, endColumn }
    const place = { line: active.line - headerLines, column: active.column }
    const hasCell = place.line >= 0 && lines.lineAt(place.line)?.kind === 'row'
    const found = range ? rectOf(range, within) : hasCell ? rectOf(oneCell(place), within) : undefined
    return found && clippedAtGroupHeaders(found, lines)
  }, [range, active, headerLines, lines, lineCount, firstColumn, endColumn])

  const select = useCallback((next: CellRange, at: GridPosition) => setStored({ range: next, at, listKey }), [listKey])
  const clear = useCallback(() => setStored(undefined), [])
  useReportRange(input, range && rect && !isOneCell(rect) ? rect : undefined)
  return { rect, range, shown: filling ?? rect, isFilling: filling !== undefined, select, clear, preview: setFilling }
}

function useReportRange({ lines, columnIdAt, onRange }: CellRangeInput, selected: CellRect | undefined): void {
  const latest = useLatest({ columnIdAt, onRange })
  const wasSelected = useRef(false)
  useEffect(() => {
    if (!selected && !wasSelected.current) return
    wasSelected.current = selected !== undefined
    latest.current.onRange?.(selected && blockOf(selected, lines, latest.current.columnIdAt))
  }, [selected, lines, latest])
}
