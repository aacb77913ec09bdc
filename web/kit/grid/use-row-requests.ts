import { useEffect, useRef } from 'react'
import type { GridLines } from './group-rows.ts'
import type { GridSource } from './grid-source.ts'
import { spansOf } from './row-window.ts'

/** Rows are asked for at most this often, so that a fling asks for where it is and not for all it passes. */
const ASK_EVERY_MS = 80

/** Asks the source for the rows of the drawn lines. */
export function useRowRequests<Row>(source: GridSource<Row>, lines: GridLines, drawn: readonly number[]): void {
  const askedAtMs = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    if (source.kind !== 'window') return undefined
    const ask = () => {
      askedAtMs.current = performance.now()
      source.onNeedRows(spansOf(ordinalsOf(lines, drawn)))
    }
    const timer = setTimeout(ask, Math.max(0, askedAtMs.current + ASK_EVERY_MS - performance.now()))
    return () => clearTimeout(timer)
  }, [source, lines, drawn])
}

function ordinalsOf(lines: GridLines, drawn: readonly number[]): number[] {
  return drawn.flatMap((line) => {
    const found = lines.lineAt(line)
    return found?.kind === 'row' ? [found.ordinal] : []
  })
}
