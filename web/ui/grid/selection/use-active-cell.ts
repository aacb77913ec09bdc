import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { GridExtent, GridPosition } from '#web/ui/grid/keyboard/keyboard.ts'

/** The cell that is the grid's one tab stop, and the way to send the focus to another. */
export type ActiveCell = {
  readonly active: GridPosition
  /** The focus came to a cell by itself: a click, or Tab. */
  readonly arrive: (position: GridPosition) => void
  /** Sends the focus to a cell, wherever it is; it is drawn first. */
  readonly send: (position: GridPosition) => void
}

/** Keeps the active cell inside the grid and the browser's focus on it. In another list it begins at the first row. */
export function useActiveCell(
  scrollerRef: RefObject<HTMLDivElement | null>,
  listKey: string,
  size: Omit<GridExtent, 'linesPerPage'>,
): ActiveCell {
  const [chosen, setChosen] = useState<(GridPosition & { readonly listKey: string }) | undefined>()
  const isFocusDue = useRef(false)
  const isStillThere = chosen !== undefined && (chosen.listKey === listKey || chosen.line < size.headLines)
  const { line, column } = withinGrid(isStillThere ? chosen : { line: size.headLines, column: 1 }, size)
  // The same object for as long as it is the same cell.
  const active = useMemo(() => ({ line, column }), [line, column])

  const hasFocus = useHasFocus(scrollerRef)

  useLayoutEffect(() => {
    // What had the focus may be gone, or be drawn anew elsewhere: then it stays in the grid.
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

/** Whether the focus is in the grid; that goes on when the element that has it is taken away, of which nobody is told. */
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

/** The cell an event happened in; undefined outside every cell, or in something floating that only React counts in. */
export function positionOf(grid: Element, target: EventTarget): GridPosition | undefined {
  if (!(target instanceof Element) || !grid.contains(target)) return undefined
  const cell = target.closest<HTMLElement>('[data-column]')
  const line = cell?.closest<HTMLElement>('[data-line]')
  return cell && line ? { line: Number(line.dataset['line']), column: Number(cell.dataset['column']) } : undefined
}

/** The element of a cell; the head of a group is one cell wherever the focus comes from. */
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
