import { useEffect, useRef } from 'react'
import type { GridGrouping } from '#web/ui/grid/groups/grid-grouping.ts'
import type { GridLines } from './grid-lines.ts'
import type { GridSource } from '#web/ui/grid/grid-source.ts'
import { type Span, spansOf } from './row-window.ts'
import type { GridViewport } from '#web/ui/grid/scroll/use-grid-viewport.ts'

/** Rows are asked for at most this often, so that a fling asks for where it is and not for all it passes. */
const MIN_INTERVAL_MS = 80

/** Rows beyond the drawn ones that are asked for in the direction of the scroll, so that it runs into few skeletons. */
const LINES_AHEAD = 200

/** Asks the source for the rows of the drawn lines, and in a scroll for those that come next. */
export function useRowRequests<Row>(
  source: GridSource<Row>,
  lines: GridLines,
  view: GridViewport,
  grouping: GridGrouping | undefined,
): void {
  const { drawnLines, span } = view
  const askedAtMs = useRef(Number.NEGATIVE_INFINITY)
  const askedFirst = useRef(0)
  useEffect(() => {
    if (source.kind !== 'window') return undefined
    const ask = () => {
      const moved = span.first - askedFirst.current
      // In a fling nobody will see what comes next.
      const direction = Math.abs(moved) > LINES_AHEAD ? 0 : Math.sign(moved)
      askedAtMs.current = performance.now()
      askedFirst.current = span.first
      const needed = spansOf(ordinalsOf(lines, [...drawnLines, ...linesAhead(span, direction)]))
      source.onNeedRows(needed)
      grouping?.onShown?.(needed)
    }
    const timer = setTimeout(ask, Math.max(0, askedAtMs.current + MIN_INTERVAL_MS - performance.now()))
    return () => clearTimeout(timer)
  }, [source, lines, drawnLines, span, grouping])
}

function linesAhead(span: Span, direction: number): number[] {
  if (direction === 0) return []
  const edge = direction > 0 ? span.end - 1 : span.first
  return Array.from({ length: LINES_AHEAD }, (_, i) => edge + direction * (i + 1))
}

function ordinalsOf(lines: GridLines, wanted: readonly number[]): number[] {
  const ordinals = wanted.flatMap((line) => {
    const found = lines.lineAt(line)
    return found?.kind === 'row' ? [found.ordinal] : []
  })
  return [...new Set(ordinals)].toSorted((a, b) => a - b)
}
