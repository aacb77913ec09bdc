/** How many rows are asked for at once; the same as a page of the windowed mode. */
export const BLOCK_ROWS = 100

/** A half-open run of whole numbers: `first` is in it, `end` is not. */
export type Span = { readonly first: number; readonly end: number }

/** What the viewport shows of a list of rows of one height. */
export type WindowInput = {
  readonly offsetPx: number
  readonly viewportPx: number
  readonly rowPx: number
  readonly lineCount: number
  /** Lines drawn beyond each edge, so that scrolling finds them already there. */
  readonly overscan: number
}

/** The lines to draw. */
export function lineWindow({ offsetPx, viewportPx, rowPx, lineCount, overscan }: WindowInput): Span {
  const first = Math.floor(offsetPx / rowPx) - overscan
  const end = Math.ceil((offsetPx + viewportPx) / rowPx) + overscan
  return { first: clamp(first, 0, lineCount), end: clamp(end, 0, lineCount) }
}

/** The lines of a window together with one that must stay drawn wherever it is, in the order of the list. */
export function windowLines(span: Span, keptLine: number | undefined): number[] {
  const lines = Array.from({ length: span.end - span.first }, (_, i) => span.first + i)
  if (keptLine === undefined) return lines
  if (keptLine < span.first) return [keptLine, ...lines]
  if (keptLine >= span.end) return [...lines, keptLine]
  return lines
}

/** The numbers of the blocks that hold these rows. */
export function blocksOf({ first, end }: Span): number[] {
  if (end <= first) return []
  const from = Math.floor(first / BLOCK_ROWS)
  const to = Math.floor((end - 1) / BLOCK_ROWS)
  return Array.from({ length: to - from + 1 }, (_, i) => from + i)
}

/** The rows of one block, cut at the end of the list. */
export function blockSpan(block: number, total: number): Span {
  const first = Math.min(block * BLOCK_ROWS, total)
  return { first, end: Math.min(first + BLOCK_ROWS, total) }
}

/** Which blocks to ask for, and which running requests nobody is waiting for any more. */
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
 * Gives each drawn line the place of the pool it is drawn in. A line keeps its place for as long as it is drawn, so the
 * focused row's elements are never reused for another row; places that fall free are taken by the lines that come in.
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

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max)
}
