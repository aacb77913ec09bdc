import {
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { type GridProps, spanOf } from '#web/ui/grid/grid-props.ts'
import { useElementSize } from '#web/ui/browser/use-element-size.ts'
import { useGridViewport } from '#web/ui/grid/rows/use-grid-viewport.ts'
import { useRowRequests } from '#web/ui/grid/rows/load-rows.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import { countWhile, type GridLine, type GridLines, plainLines, type Span } from '#web/ui/grid/rows/row-window.ts'
import { keyInTextDirection } from '#web/ui/shortcuts/shortcuts.tsx'
import type { FieldKind } from '#domain/fields/field.ts'
import type { GalleryOptions } from '#domain/views/cards.ts'
import type { GridActions } from '#web/ui/grid/grid-context.ts'

/** In px: height of a group header; equals the minimum touch target. */
const HEADER_PX = 44

/** In px: minimum width of a field in a card that fills the row; determines the number of fields side by side. */
const FIELD_PX = 220

/** In px: total width of the checkbox and menu of a card that fills the row. */
const CONTROLS_PX = 88

const ROW_COVER_PX = 88

/** In px: space between cards, and at the edges of the list. */
export const GAP_PX = 12

/** In px: heights of parts of a card that doesn't fill the row; see `cards.css`. */
const CARD_PX = { title: 44, field: 24, end: 10 } as const

/** Share of a card's width that is the height of its cover. */
const COVER_RATIO = 0.66

const MIN_CARD_PX: { readonly [Size in GalleryOptions['size']]: number } = {
  small: 140,
  medium: 220,
  large: 320,
  row: Number.POSITIVE_INFINITY,
}

export type CardShape = {
  readonly isRow: boolean
  readonly columns: number
  readonly widthPx: number
  readonly heightPx: number
  /** Width of the cover. */
  readonly coverPx: number
  /** Fields side by side in a card. */
  readonly fieldsPerRow: number
  /** Unit of scrolling: smaller than a card, so that large cards are rendered only shortly before they are in view. */
  readonly unitPx: number
  /** Height of a row of cards with the space above it, in units. */
  readonly units: number
}

type Shaped = Pick<GalleryOptions, 'size'> & {
  readonly fieldCount: number
  readonly hasCover: boolean
  /** If set, each card is a single line of this height. */
  readonly linePx?: number | undefined
}

export function cardShape({ size, fieldCount, hasCover, linePx }: Shaped, listPx: number): CardShape {
  if (linePx !== undefined)
    return { ...rowShape(fieldCount, false, listPx), heightPx: linePx, unitPx: linePx, units: 1 }
  if (size === 'row') return rowShape(fieldCount, hasCover, listPx)
  const insidePx = Math.max(0, listPx - 2 * GAP_PX)
  const columns = Math.max(1, Math.floor((insidePx + GAP_PX) / (MIN_CARD_PX[size] + GAP_PX)))
  const widthPx = Math.floor((insidePx - GAP_PX * (columns - 1)) / columns)
  const bodyPx = CARD_PX.title + fieldCount * CARD_PX.field + CARD_PX.end
  const wantedPx = (hasCover ? Math.round(widthPx * COVER_RATIO) : 0) + bodyPx + GAP_PX
  const unitPx = HEADER_PX / 2
  const units = Math.ceil(wantedPx / unitPx)
  const heightPx = units * unitPx - GAP_PX
  return { isRow: false, columns, widthPx, heightPx, coverPx: widthPx, fieldsPerRow: 1, unitPx, units }
}

/** One unit for the title and one per row of fields. */
function rowShape(fieldCount: number, hasCover: boolean, widthPx: number): CardShape {
  const coverPx = hasCover ? ROW_COVER_PX : 0
  const fieldsPerRow = Math.max(2, Math.floor((widthPx - CONTROLS_PX - coverPx) / FIELD_PX))
  const units = Math.max(1 + Math.ceil(fieldCount / fieldsPerRow), coverPx / HEADER_PX)
  const unitPx = HEADER_PX
  return { isRow: true, columns: 1, widthPx, heightPx: units * unitPx, coverPx, fieldsPerRow, unitPx, units }
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

export type CardPosition = {
  readonly line: number
  readonly unit: number
  /** The column of a card. */
  readonly column: number
  readonly found: GridLine
}

/** Positions of cards in columns and of group headers, computed without iterating over cards. */
type CardPositions = {
  readonly unitCount: number
  readonly unitOf: (line: number) => number
  readonly columnOf: (line: number) => number
  readonly unitsOf: (line: number) => number
  readonly linesIn: (units: Span) => Span
  /** The nearest line in the row above or below. */
  readonly above: (line: number) => number
  readonly below: (line: number) => number
}

/** Cards without a header between them. */
type Run = {
  readonly firstLine: number
  readonly endLine: number
  readonly firstUnit: number
  readonly endUnit: number
}

export function cardPositions(
  lines: GridLines,
  { columns, units, unitPx }: Pick<CardShape, 'columns' | 'units' | 'unitPx'>,
): CardPositions {
  // The headers of single lines are lines as well.
  const headerUnits = Math.round(HEADER_PX / unitPx)
  const runs: Run[] = []
  for (const { first, end } of lines.rowsIn({ first: 0, end: lines.lineCount })) {
    const before = runs.at(-1)
    const firstLine = lines.lineOfRow(first) ?? 0
    const firstUnit = (before?.endUnit ?? 0) + (firstLine - (before?.endLine ?? 0)) * headerUnits
    const endUnit = firstUnit + Math.ceil((end - first) / columns) * units
    runs.push({ firstLine, endLine: firstLine + end - first, firstUnit, endUnit })
  }
  const runBefore = (isBefore: (run: Run) => boolean): Run | undefined => runs[countWhile(runs, isBefore) - 1]
  const runAt = (line: number): Run | undefined => {
    const run = runBefore(({ firstLine }) => firstLine <= line)
    return run && line < run.endLine ? run : undefined
  }
  const unitOf = (line: number): number => {
    const run = runBefore(({ firstLine }) => firstLine <= line)
    if (!run) return line * headerUnits
    if (line >= run.endLine) return run.endUnit + (line - run.endLine) * headerUnits
    return run.firstUnit + Math.floor((line - run.firstLine) / columns) * units
  }
  /** The first line of the row of cards, or the header, at a unit. */
  const lineOf = (unit: number): number => {
    const run = runBefore(({ firstUnit }) => firstUnit <= unit)
    if (!run) return Math.floor(unit / headerUnits)
    if (unit >= run.endUnit) return run.endLine + Math.floor((unit - run.endUnit) / headerUnits)
    return run.firstLine + Math.floor((unit - run.firstUnit) / units) * columns
  }
  const columnOf = (line: number): number => {
    const run = runAt(line)
    return run ? (line - run.firstLine) % columns : 0
  }
  const rowEnd = (line: number): number => {
    const run = runAt(line)
    return run ? Math.min(run.endLine, line - columnOf(line) + columns) : line + 1
  }
  return {
    unitCount: unitOf(lines.lineCount),
    unitOf,
    columnOf,
    unitsOf: (line) => (runAt(line) ? units : headerUnits),
    linesIn: ({ first, end }) => {
      const firstLine = Math.min(lineOf(first), lines.lineCount)
      const last = end <= first ? undefined : lineOf(end - 1)
      return { first: firstLine, end: Math.min(last === undefined ? firstLine : rowEnd(last), lines.lineCount) }
    },
    above: (line) => {
      const run = runAt(line)
      if (!run) return line - 1
      if (line - columns >= run.firstLine) return line - columns
      return run.firstLine === 0 ? line : run.firstLine - 1
    },
    below: (line) => {
      const run = runAt(line)
      if (!run) return line + 1
      if (rowEnd(line) < run.endLine) return Math.min(line + columns, run.endLine - 1)
      return run.endLine < lines.lineCount ? run.endLine : line
    },
  }
}

export type CardView = ReturnType<typeof useCardView>

/**
 * Determines which cards are in or near the viewport, so that a list of a million records renders no more cards than a
 * short one.
 */
export function useCardView(grid: GridProps<RecordRow>, shaped: Shaped) {
  const { source, grouping, listKey = '' } = grid
  const scrollerRef = useRef<HTMLDivElement>(null)
  const { heightPx, widthPx } = useElementSize(scrollerRef)
  const { first, end } = spanOf(source)
  const lines = useMemo(() => grouping?.linesOf({ first, end }) ?? plainLines({ first, end }), [grouping, first, end])
  const shape = cardShape(shaped, widthPx)
  const { columns, units, unitPx } = shape
  const positions = useMemo(() => cardPositions(lines, { columns, units, unitPx }), [lines, columns, units, unitPx])
  const { unitCount, unitOf, linesIn } = positions
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
    view.reveal(unitOf(line) + positions.unitsOf(line) - 1)
    view.reveal(unitOf(line))
  }
  return {
    scrollerRef,
    lines,
    ...keyboard,
    reveal,
    drawn: drawnLines.flatMap((line): CardPosition[] => {
      const found = lines.lineAt(line)
      return found ? [{ line, unit: unitOf(line), column: positions.columnOf(line), found }] : []
    }),
    topOf: view.topOf,
    spacerPx: view.spacerPx,
    shape,
    positions,
    /** The distance of a column from the start of the list. */
    startOf: (column: number) => (shape.isRow ? 0 : GAP_PX + column * (shape.widthPx + GAP_PX)),
    linesPerPage: Math.max(1, Math.floor(heightPx / (units * unitPx))) * columns,
  }
}

/** The focused line; reset to the first line in a new list. */
function useActiveLine(scrollerRef: { readonly current: HTMLElement | null }, listKey: string, lineCount: number) {
  const [chosen, setChosen] = useState({ listKey, line: 0 })
  const isFocusDue = useRef(false)
  const focused = useRef<Element>(null)
  const active = chosen.listKey === listKey ? Math.min(chosen.line, Math.max(0, lineCount - 1)) : 0
  useLayoutEffect(() => {
    // A card is drawn again when its record has loaded.
    const isLost = focused.current?.isConnected === false && document.activeElement === document.body
    if (!isFocusDue.current && !isLost) return
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
    focused.current = target
    const line = target.closest<HTMLElement>('[data-line]')?.dataset['line']
    if (line !== undefined) arrive(Number(line))
  }
  return { active, arrive, send, onFocus }
}

export type CardMoves = {
  /** Moves a card past the one before or after it, and keeps it focused. */
  readonly shift: (line: number, by: -1 | 1) => void
  readonly press: (event: PointerEvent<HTMLElement>) => void
}

type Keys = {
  readonly grid: GridProps<RecordRow>
  readonly view: CardView
  readonly actions: GridActions
  readonly moves: CardMoves | undefined
}

const STEPS: { readonly [key: string]: (from: number, view: CardView) => number } = {
  ArrowDown: (from, { positions }) => positions.below(from),
  ArrowUp: (from, { positions }) => positions.above(from),
  PageDown: (from, { linesPerPage }) => from + linesPerPage,
  PageUp: (from, { linesPerPage }) => from - linesPerPage,
  Home: () => 0,
  End: (_, { lines }) => lines.lineCount - 1,
}

const STEPS_ASIDE: { readonly [key: string]: number } = { ArrowLeft: -1, ArrowRight: 1 }

export function useCardKeys({ grid, view, actions, moves }: Keys): (event: KeyboardEvent<HTMLElement>) => void {
  return (event) => {
    const line = event.target instanceof Element && event.target.closest<HTMLElement>('[data-line]')?.dataset['line']
    if (line === undefined || line === false || event.defaultPrevented) return
    if (run(event, Number(line), { grid, view, actions, moves })) event.preventDefault()
  }
}

function run(event: KeyboardEvent<HTMLElement>, line: number, { grid, view, actions, moves }: Keys): boolean {
  const { key } = event
  if (event.altKey) return shift(key, line, moves)
  const step = STEPS[key]
  if (step) return walk(view, step(line, view))
  if (event.ctrlKey || event.metaKey) return runShortcut(event, line, { grid, actions })
  const found = view.lines.lineAt(line)
  if (found?.kind === 'group') return collapseOrExpand(grid, found.groupIndex, key)
  const aside = view.shape.isRow ? undefined : STEPS_ASIDE[keyInTextDirection(key)]
  if (aside !== undefined) return walk(view, line + aside)
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

function shift(key: string, line: number, moves: CardMoves | undefined): boolean {
  if (!moves || (key !== 'ArrowUp' && key !== 'ArrowDown')) return false
  moves.shift(line, key === 'ArrowUp' ? -1 : 1)
  return true
}

type Shortcuts = Pick<Keys, 'grid' | 'actions'>

function runShortcut({ key, shiftKey }: KeyboardEvent, line: number, { grid, actions }: Shortcuts): boolean {
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
