import {
  type FocusEvent,
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import type { GridHandle } from '#web/ui/grid/editing/grid-editing.ts'
import { useGridActions } from '#web/ui/grid/grid-context.ts'
import { type GridProps, spanOf } from '#web/ui/grid/grid-props.ts'
import { useRowRequests } from '#web/ui/grid/rows/load-rows.ts'
import { type GridLines, plainLines } from '#web/ui/grid/rows/row-window.ts'
import { useGridViewport } from '#web/ui/grid/rows/use-grid-viewport.ts'

/** As in timeline.css. */
const ROW_PX = 36

type ScrollerRef = RefObject<HTMLDivElement | null>

/** Draws only the rows in sight, and moves between them by keyboard. */
export function useTimelineRows(grid: GridProps<RecordRow>, scrollerRef: ScrollerRef, heightPx: number) {
  const { source, grouping, listKey = '' } = grid
  const { first, end } = spanOf(source)
  const lines = useMemo(() => grouping?.linesOf({ first, end }) ?? plainLines({ first, end }), [grouping, first, end])
  const { active, arrive, send: focusLine } = useActiveLine(scrollerRef, listKey, lines.lineCount)
  const view = useGridViewport({
    scrollerRef,
    lineCount: lines.lineCount,
    rowPx: ROW_PX,
    viewportPx: heightPx,
    isWindowed: source.kind === 'window',
    listKey,
    keptLine: active < lines.lineCount ? active : undefined,
  })
  useRowRequests(source, lines, view, grouping)
  const actions = useGridActions(grid, lines)
  const send = (line: number) => {
    const next = Math.max(0, Math.min(line, lines.lineCount - 1))
    view.reveal(next)
    focusLine(next)
  }
  useTimelineHandle(grid.handleRef, { lines, active, reveal: view.reveal, arrive, send })
  const steps: { readonly [key: string]: number } = {
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    PageDown: active + view.linesPerPage,
    PageUp: active - view.linesPerPage,
    Home: 0,
    End: lines.lineCount - 1,
  }
  return {
    lines,
    active,
    spacerPx: view.spacerPx,
    drawn: view.drawnLines.flatMap((line) => {
      const found = lines.lineAt(line)
      return found ? [{ line, found, topPx: view.topOf(line) }] : []
    }),
    toggle: (line: number) => actions.toggleGroup(line, false),
    onFocus: ({ target }: FocusEvent<HTMLElement>) => {
      const line = target.closest<HTMLElement>('[data-line]')?.dataset['line']
      if (line !== undefined) arrive(Number(line))
    },
    /** Returns whether the key was used. */
    onKey: ({ key, target, altKey, ctrlKey, metaKey }: KeyboardEvent<HTMLElement>): boolean => {
      const isInRow = target instanceof Element && target.closest('[data-line]') !== null
      const next = isInRow && !altKey && !ctrlKey && !metaKey ? steps[key] : undefined
      if (next !== undefined) send(next)
      return next !== undefined
    },
  }
}

/** The focused line; reset to the first line in a new list. */
function useActiveLine(scrollerRef: ScrollerRef, listKey: string, lineCount: number) {
  const [chosen, setChosen] = useState({ listKey, line: 0 })
  const active = chosen.listKey === listKey ? Math.min(chosen.line, Math.max(0, lineCount - 1)) : 0
  const isFocusDue = useRef(false)
  useLayoutEffect(() => {
    if (!isFocusDue.current) return
    const stop = scrollerRef.current?.querySelector<HTMLElement>(`[data-line="${active}"] [data-stop]`)
    if (!stop) return
    isFocusDue.current = false
    stop.focus({ preventScroll: true })
  })
  const arrive = (line: number) => setChosen({ listKey, line })
  const send = (line: number) => {
    isFocusDue.current = true
    arrive(line)
  }
  return { active, arrive, send }
}

type TimelineLines = {
  readonly lines: GridLines
  readonly active: number
  readonly reveal: (line: number) => void
  readonly arrive: (line: number) => void
  readonly send: (line: number) => void
}

function useTimelineHandle(handleRef: Ref<GridHandle> | undefined, rows: TimelineLines): void {
  const { lines, active, reveal, arrive, send } = rows
  useImperativeHandle(handleRef, () => {
    const go = (ordinal: number, then: (line: number) => void): boolean => {
      const line = lines.lineOfRow(ordinal)
      if (line === undefined) return false
      reveal(line)
      then(line)
      return true
    }
    return {
      goTo: (ordinal) => go(ordinal, send),
      show: (ordinal) => go(ordinal, arrive),
      edit: () => false,
      columnId: () => undefined,
      columnIds: () => [],
      has: (ordinal) => lines.lineOfRow(ordinal) !== undefined,
      ordinal: () => {
        const found = lines.lineAt(active)
        return found?.kind === 'row' ? found.ordinal : undefined
      },
      focus: () => send(active),
    }
  })
}
