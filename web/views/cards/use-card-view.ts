import { type FocusEvent, type KeyboardEvent, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type GridProps, spanOf } from '#web/ui/grid/grid-props.ts'
import { useElementSize } from '#web/ui/browser/use-element-size.ts'
import { useGridViewport } from '#web/ui/grid/rows/use-grid-viewport.ts'
import { useRowRequests } from '#web/ui/grid/rows/load-rows.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import { countOf } from '#web/ui/grid/selection/cell-range.ts'
import { type GridLine, type GridLines, plainLines, type Span } from '#web/ui/grid/rows/row-window.ts'
import type { FieldKind } from '#domain/fields/field.ts'
import type { GridActions } from '#web/ui/grid/grid-context.ts'

/** In px: height of a group header and unit of card heights; equals the minimum touch target. */
const UNIT_PX = 44

/** Minimum width of a field on a card; determines the number of fields per row. */
const FIELD_PX = 220

/** Total width of the checkbox and menu on a card. */
const CONTROLS_PX = 88

const COVER_PX = 88

/** A card's fields per row, and its height in units: one for the title and one per row of fields. */
export function cardShape(fieldCount: number, widthPx: number, hasCover: boolean) {
  const fieldsPerRow = Math.max(2, Math.floor((widthPx - CONTROLS_PX - (hasCover ? COVER_PX : 0)) / FIELD_PX))
  const units = 1 + Math.ceil(fieldCount / fieldsPerRow)
  return { fieldsPerRow, units: hasCover ? Math.max(units, COVER_PX / UNIT_PX) : units }
}

const STATUS_KINDS: readonly FieldKind[] = ['state', 'select']
const DATE_KINDS: readonly FieldKind[] = ['date', 'date-time']

/** The fields shown on a card, in list order; status and date fields are preferred. */
export function cardFields<Of extends { readonly kind: FieldKind | undefined }>(
  fields: readonly Of[],
  count: number,
): readonly Of[] {
  const firstOf = (kinds: readonly FieldKind[]) =>
    kinds.flatMap((kind) => fields.find((field) => field.kind === kind) ?? []).slice(0, 1)
  const byImportance = [...firstOf(STATUS_KINDS), ...firstOf(DATE_KINDS), ...fields]
  const shown = new Set([...new Set(byImportance)].slice(0, count))
  return fields.filter((field) => shown.has(field))
}

export type CardPosition = { readonly line: number; readonly unit: number; readonly found: GridLine }

/** Positions of lines with two heights, computed without iteration: group headers are one unit tall, cards several. */
type CardPositions = {
  readonly unitCount: number
  readonly unitOf: (line: number) => number
  readonly linesIn: (units: Span) => Span
}

export function cardPositions(lines: GridLines, cardUnits: number): CardPositions {
  const rowsBefore = (line: number) => (lines.isGrouped ? countOf(lines.rowsIn({ first: 0, end: line })) : line)
  const unitOf = (line: number) => line + rowsBefore(line) * (cardUnits - 1)
  const lineOf = (unit: number): number => {
    if (!lines.isGrouped) return Math.floor(unit / cardUnits)
    let low = 0
    let high = lines.lineCount
    while (low < high) {
      const middle = (low + high) >>> 1
      if (unitOf(middle + 1) <= unit) low = middle + 1
      else high = middle
    }
    return low
  }
  return {
    unitCount: unitOf(lines.lineCount),
    unitOf,
    linesIn: ({ first, end }) => ({
      first: Math.min(lineOf(first), lines.lineCount),
      end: end <= first ? Math.min(lineOf(first), lines.lineCount) : Math.min(lineOf(end - 1) + 1, lines.lineCount),
    }),
  }
}

export type CardLook = {
  readonly fieldCount: number
  readonly hasCover: boolean
  /** If set, each card is a single line of this height. */
  readonly linePx: number | undefined
}

export type CardView = ReturnType<typeof useCardView>

/**
 * Determines which cards are in or near the viewport, so that a list of a million records renders no more cards than a
 * short one.
 */
export function useCardView(grid: GridProps<RecordRow>, { fieldCount, hasCover, linePx }: CardLook) {
  const { source, grouping, listKey = '' } = grid
  const scrollerRef = useRef<HTMLDivElement>(null)
  const { heightPx, widthPx } = useElementSize(scrollerRef)
  const { first, end } = spanOf(source)
  const lines = useMemo(() => grouping?.linesOf({ first, end }) ?? plainLines({ first, end }), [grouping, first, end])
  const { fieldsPerRow, units } = cardShape(fieldCount, widthPx, hasCover)
  const [unitPx, cardUnits] = linePx === undefined ? [UNIT_PX, units] : [linePx, 1]
  const { unitCount, unitOf, linesIn } = useMemo(() => cardPositions(lines, cardUnits), [lines, cardUnits])
  const keyboard = useActiveLine(scrollerRef, listKey, lines.lineCount)
  const { active } = keyboard
  const isWindowed = source.kind === 'window'
  const view = useGridViewport({
    scrollerRef,
    lineCount: unitCount,
    rowPx: unitPx,
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
    // The focused card is always rendered.
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
    fieldsPerRow,
    cardPx: cardUnits * unitPx,
    linesPerPage: Math.max(1, Math.floor(heightPx / (cardUnits * unitPx))),
  }
}

/** The focused line; reset to the first line in a new list. */
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

type Keys = { readonly grid: GridProps<RecordRow>; readonly view: CardView; readonly actions: GridActions }

const STEPS: { readonly [key: string]: (from: number, view: CardView) => number } = {
  ArrowDown: (from) => from + 1,
  ArrowUp: (from) => from - 1,
  PageDown: (from, { linesPerPage }) => from + linesPerPage,
  PageUp: (from, { linesPerPage }) => from - linesPerPage,
  Home: () => 0,
  End: (_, { lines }) => lines.lineCount - 1,
}

export function useCardKeys({ grid, view, actions }: Keys): (event: KeyboardEvent<HTMLElement>) => void {
  return (event) => {
    const line = event.target instanceof Element && event.target.closest<HTMLElement>('[data-line]')?.dataset['line']
    if (line === undefined || line === false || event.defaultPrevented || event.altKey) return
    if (run(event, Number(line), { grid, view, actions })) event.preventDefault()
  }
}

function run(event: KeyboardEvent<HTMLElement>, line: number, { grid, view, actions }: Keys): boolean {
  const { key } = event
  const step = STEPS[key]
  if (step) return walk(view, step(line, view))
  if (event.ctrlKey || event.metaKey) return runShortcut(event, line, { grid, view, actions })
  const found = view.lines.lineAt(line)
  if (found?.kind === 'group') return collapseOrExpand(grid, found.groupIndex, key)
  const isOnStop = event.target instanceof Element && event.target.matches('[data-stop]')
  if (key !== ' ' || !isOnStop) return false
  actions.selectRow(line, event.shiftKey)
  return true
}

function walk(view: CardView, wanted: number): true {
  const line = Math.max(0, Math.min(wanted, view.lines.lineCount - 1))
  view.reveal(line)
  view.send(line)
  return true
}

function collapseOrExpand({ grouping }: GridProps<RecordRow>, groupIndex: number, key: string): boolean {
  if (key !== 'ArrowRight' && key !== 'ArrowLeft') return false
  const isExpanding = (key === 'ArrowRight') !== (document.dir === 'rtl')
  grouping?.setCollapsed(groupIndex, isExpanding ? 'expanded' : 'collapsed', false)
  return true
}

function runShortcut({ key, shiftKey }: KeyboardEvent, line: number, { grid, actions }: Keys): boolean {
  switch (key.toLowerCase()) {
    case 'enter':
      actions.open(line)
      return true
    case 'a':
      actions.selectAll()
      return true
    case 'z':
      ;(shiftKey ? grid.onRedo : grid.onUndo)?.()
      return true
    case 'y':
      grid.onRedo?.()
      return true
    default:
      return false
  }
}
