import type { Span } from './row-window.ts'

/** What stands in one line: the head of a group, or a row by its ordinal in the whole sorted list. */
export type GridLine =
  | { readonly kind: 'group'; readonly groupIndex: number; readonly isExpanded: boolean }
  | { readonly kind: 'row'; readonly ordinal: number; readonly level: number }

/** The lines of a list, found by arithmetic and binary search: nothing here grows with the number of rows. */
export type GridLines = {
  readonly lineCount: number
  readonly isGrouped: boolean
  readonly lineAt: (line: number) => GridLine | undefined
  /** Where a row stands; undefined when its group is collapsed or it is not in this list. */
  readonly lineOfRow: (ordinal: number) => number | undefined
  /** Where a row stands, or else the head of the collapsed group it is in. */
  readonly lineNear: (ordinal: number) => number | undefined
  /** Where the head of a group stands; undefined when a group around it is collapsed. */
  readonly lineOfGroup: (groupIndex: number) => number | undefined
  /** The ordinals of the rows among some lines, as runs; a million lines cost no more than the groups among them. */
  readonly rowsIn: (lines: Span) => Span[]
}

/** The lines of an ungrouped list. */
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
    rowsIn: (lines) => shared({ first: first + lines.first, end: first + lines.end }, { first, end: first + count }),
  }
}

/** What two runs have in common: one run or none. */
export function shared(a: Span, b: Span): Span[] {
  const first = Math.max(a.first, b.first)
  const end = Math.min(a.end, b.end)
  return first < end ? [{ first, end }] : []
}
