import { type FocusEvent, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { GridProps } from '#web/ui/grid/grid-props.ts'
import { spanOf } from '#web/ui/grid/grid-source.ts'
import { plainLines } from '#web/ui/grid/rows/grid-lines.ts'
import { useElementSize } from '#web/ui/browser/use-element-size.ts'
import { useGridViewport } from '#web/ui/grid/scroll/use-grid-viewport.ts'
import { useRowRequests } from '#web/ui/grid/rows/use-row-requests.ts'
import type { RecordRow } from '#web/shared/cell-editing/record-row.ts'
import { type CardPosition, cardPositions, UNIT_PX, cardHeightInUnits } from './card-positions.ts'

/** What of a list of cards is drawn, where, and which of them has the keyboard. */
export type CardView = ReturnType<typeof useCardView>

/** Works out which cards are in and around sight; a list of a million is no longer in the page than a short one. */
export function useCardView(grid: GridProps<RecordRow>, fieldCount: number) {
  const { source, grouping, listKey = '' } = grid
  const scrollerRef = useRef<HTMLDivElement>(null)
  const { heightPx } = useElementSize(scrollerRef)
  const { first, end } = spanOf(source)
  const lines = useMemo(() => grouping?.linesOf({ first, end }) ?? plainLines({ first, end }), [grouping, first, end])
  const cardUnits = cardHeightInUnits(fieldCount)
  const { unitCount, unitOf, linesIn } = useMemo(() => cardPositions(lines, cardUnits), [lines, cardUnits])
  const keyboard = useActiveLine(scrollerRef, listKey, lines.lineCount)
  const { active } = keyboard
  const isWindowed = source.kind === 'window'
  const view = useGridViewport({
    scrollerRef,
    lineCount: unitCount,
    rowPx: UNIT_PX,
    viewportPx: heightPx,
    isWindowed,
    listKey,
    keptLine: undefined,
  })

  const span = useMemo(
    () => (isWindowed ? linesIn(view.span) : { first: 0, end: lines.lineCount }),
    [isWindowed, linesIn, view.span, lines],
  )
  const drawnLines = useMemo(() => {
    const inSight = Array.from({ length: span.end - span.first }, (_, at) => span.first + at)
    // The one with the keyboard stays, wherever the list is scrolled to.
    if (active < lines.lineCount && (active < span.first || active >= span.end)) inSight.push(active)
    return inSight.toSorted((left, right) => left - right)
  }, [span, active, lines])
  useRowRequests(source, lines, { ...view, drawnLines, span }, grouping)

  const reveal = (line: number) => {
    view.reveal(unitOf(line + 1) - 1)
    view.reveal(unitOf(line))
  }
  return {
    scrollerRef,
    lines,
    ...keyboard,
    reveal,
    drawn: drawnLines.flatMap((line): CardPosition[] => {
      const found = lines.lineAt(line)
      return found ? [{ line, unit: unitOf(line), found }] : []
    }),
    topOf: view.topOf,
    spacerPx: view.spacerPx,
    cardPx: cardUnits * UNIT_PX,
    linesPerPage: Math.max(1, Math.floor(heightPx / (cardUnits * UNIT_PX))),
  }
}

/** The line the keyboard is on; in another list it begins at the first. */
function useActiveLine(scrollerRef: { readonly current: HTMLElement | null }, listKey: string, lineCount: number) {
  const [chosen, setChosen] = useState({ listKey, line: 0 })
  const isFocusDue = useRef(false)
  const active = chosen.listKey === listKey ? Math.min(chosen.line, Math.max(0, lineCount - 1)) : 0
  useLayoutEffect(() => {
    if (!isFocusDue.current) return
    const stop = scrollerRef.current?.querySelector<HTMLElement>(`[data-line="${active}"] [data-stop]`)
    if (!stop) return
    isFocusDue.current = false
    stop.focus({ preventScroll: true })
  })
  const arrive = useCallback((line: number) => setChosen({ listKey, line }), [listKey])
  const send = useCallback(
    (line: number) => {
      isFocusDue.current = true
      setChosen({ listKey, line })
    },
    [listKey],
  )
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    const line = target.closest<HTMLElement>('[data-line]')?.dataset['line']
    if (line !== undefined) arrive(Number(line))
  }
  return { active, arrive, send, onFocus }
}
