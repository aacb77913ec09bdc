/** Rows per request; equals the page size of the virtualized mode. */
export const BLOCK_ROWS = 100

/** A half-open range of integers: includes `first`, excludes `end`. */
export type Span = { readonly first: number; readonly end: number }

export function visibleLines(view: { offsetPx: number; viewportPx: number; rowPx: number; lineCount: number }): Span {
  const { offsetPx, viewportPx, rowPx, lineCount } = view
  return {
    first: clamp(Math.floor(offsetPx / rowPx), 0, lineCount),
    end: clamp(Math.ceil((offsetPx + viewportPx) / rowPx), 0, lineCount),
  }
}

/** Number of additional lines rendered beyond the viewport. */
const OVERSCAN_LINES = { min: 8, max: 56, behind: 4, margin: 3 } as const

/** Scrolling becomes visible up to two frames before new lines can be rendered, so lines are rendered in advance. */
const LATE_FRAMES = 2

/**
 * The lines to render. Existing lines are kept while they cover the viewport. Otherwise, the faster the list scrolls,
 * the more lines are rendered ahead, but almost none during a fling, which is too fast to read. `movedLines` is
 * negative when scrolling up.
 */
export function drawnLines(input: { visible: Span; drawn: Span; lineCount: number; movedLines: number }): Span {
  const { visible, drawn, lineCount, movedLines } = input
  const speed = Math.abs(movedLines)
  const isFling = speed > visible.end - visible.first
  const near = isFling ? OVERSCAN_LINES.margin : OVERSCAN_LINES.margin + Math.ceil(speed * LATE_FRAMES)
  const far = isFling ? OVERSCAN_LINES.behind : clamp(near + Math.ceil(speed), OVERSCAN_LINES.min, OVERSCAN_LINES.max)
  const around = (ahead: number, behind: number): Span => ({
    first: clamp(visible.first - (movedLines < 0 ? ahead : behind), 0, lineCount),
    end: clamp(visible.end + (movedLines < 0 ? behind : ahead), 0, lineCount),
  })

  const needed = around(Math.min(near, far), OVERSCAN_LINES.margin)
  const isEnough = drawn.first <= needed.first && drawn.end >= needed.end && drawn.end <= lineCount
  return isEnough ? drawn : around(far, OVERSCAN_LINES.behind)
}

/** The lines in a window plus a line that must always be rendered, in list order. */
export function windowLines(span: Span, keptLine: number | undefined): number[] {
  const lines = Array.from({ length: span.end - span.first }, (_, i) => span.first + i)
  if (keptLine === undefined) return lines
  if (keptLine < span.first) return [keptLine, ...lines]
  if (keptLine >= span.end) return [...lines, keptLine]
  return lines
}

export function spansOf(numbers: readonly number[]): Span[] {
  const spans: { first: number; end: number }[] = []
  for (const number of numbers) {
    const last = spans.at(-1)
    if (last?.end === number) last.end = number + 1
    else spans.push({ first: number, end: number + 1 })
  }
  return spans
}

export function blocksOf(spans: readonly Span[]): number[] {
  const blocks = new Set<number>()
  for (const { first, end } of spans) {
    for (let block = Math.floor(first / BLOCK_ROWS); block * BLOCK_ROWS < end; block++) blocks.add(block)
  }
  return [...blocks]
}

export function blockSpan(block: number, total: number): Span {
  const first = Math.min(block * BLOCK_ROWS, total)
  return { first, end: Math.min(first + BLOCK_ROWS, total) }
}

/** Determines which blocks to request and which pending requests to abort. */
export function planRequests(input: {
  needed: readonly number[]
  loaded: (block: number) => boolean
  running: readonly number[]
}): { ask: number[]; cancel: number[] } {
  const { needed, loaded, running } = input
  return {
    ask: needed.filter((block) => !loaded(block) && !running.includes(block)),
    cancel: running.filter((block) => !needed.includes(block)),
  }
}

/**
 * Assigns a pooled element to each rendered line. A line keeps its element while it is rendered, so that the focused
 * row's element is never reused.
 */
export function assignSlots(previous: ReadonlyMap<number, number>, lines: readonly number[]): Map<number, number> {
  const taken = new Set<number>()
  for (const line of lines) {
    const slot = previous.get(line)
    if (slot !== undefined) taken.add(slot)
  }
  const slots = new Map<number, number>()
  let next = 0
  for (const line of lines) {
    const kept = previous.get(line)
    if (kept !== undefined) {
      slots.set(line, kept)
      continue
    }
    while (taken.has(next)) next++
    taken.add(next)
    slots.set(line, next)
  }
  return slots
}

export function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max)
}

export type GridLine =
  | { readonly kind: 'group'; readonly groupIndex: number; readonly isExpanded: boolean }
  | { readonly kind: 'row'; readonly ordinal: number; readonly level: number }

/** Line lookups by arithmetic and binary search, so that the cost doesn't grow with the number of rows. */
export type GridLines = {
  readonly lineCount: number
  readonly isGrouped: boolean
  readonly lineAt: (line: number) => GridLine | undefined
  /** The line of a row; undefined if its group is collapsed or the row isn't in the list. */
  readonly lineOfRow: (ordinal: number) => number | undefined
  readonly lineNear: (ordinal: number) => number | undefined
  /** The line of a group header; undefined if a parent group is collapsed. */
  readonly lineOfGroup: (groupIndex: number) => number | undefined
  /** Ranges of row ordinals within the given lines; the cost depends only on the number of groups. */
  readonly rowsIn: (lines: Span) => Span[]
}

export function plainLines({ first, end }: Span): GridLines {
  const count = Math.max(0, end - first)
  const isInside = (n: number, from: number) => n >= from && n < from + count
  const lineOfRow = (ordinal: number) => (isInside(ordinal, first) ? ordinal - first : undefined)
  return {
    lineCount: count,
    isGrouped: false,
    lineAt: (line) => (isInside(line, 0) ? { kind: 'row', ordinal: first + line, level: 1 } : undefined),
    lineOfRow,
    lineNear: lineOfRow,
    lineOfGroup: () => undefined,
    rowsIn: (lines) => intersect({ first: first + lines.first, end: first + lines.end }, { first, end: first + count }),
  }
}

export function intersect(a: Span, b: Span): Span[] {
  const first = Math.max(a.first, b.first)
  const end = Math.min(a.end, b.end)
  return first < end ? [{ first, end }] : []
}

/**
 * Number of leading items that satisfy a condition, by binary search; all items after the first failing one must fail
 * as well.
 */
export function countWhile<Item>(items: readonly Item[], condition: (item: Item) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const item = items[middle]
    if (item !== undefined && condition(item)) low = middle + 1
    else high = middle
  }
  return low
}
