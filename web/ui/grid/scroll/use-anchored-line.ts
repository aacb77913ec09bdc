import { type RefObject, useLayoutEffect, useRef } from 'react'
import type { GridLines } from '#web/ui/grid/rows/grid-lines.ts'
import type { GridPosition } from '#web/ui/grid/keyboard/keyboard.ts'
import type { ActiveCell } from '#web/ui/grid/selection/use-active-cell.ts'

/** Keeps the active cell with its row or its group when lines above it come or go, as they do when groups are folded. */
export function useAnchoredLine(input: {
  readonly scrollerRef: RefObject<HTMLElement | null>
  readonly listKey: string
  readonly lines: GridLines
  readonly headLines: number
  readonly cell: ActiveCell
  readonly reveal: (to: GridPosition) => void
}): void {
  const { scrollerRef, listKey, lines, headLines, cell, reveal } = input
  const before = useRef({ lines, listKey })
  useLayoutEffect(() => {
    const { lines: old, listKey: oldKey } = before.current
    before.current = { lines, listKey }
    if (old === lines || oldKey !== listKey || !(old.isGrouped && lines.isGrouped)) return
    const bodyLine = cell.active.line - headLines
    const was = old.lineAt(bodyLine)
    if (!was) return
    const is = was.kind === 'row' ? lines.lineNear(was.ordinal) : lines.lineOfGroup(was.groupIndex)
    if (is === undefined || is === bodyLine) return
    const to = { line: is + headLines, column: cell.active.column }
    if (!scrollerRef.current?.contains(document.activeElement)) return cell.arrive(to)
    cell.send(to)
    reveal(to)
  })
}
