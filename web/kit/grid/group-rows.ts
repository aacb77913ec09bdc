import type { Span } from './row-window.ts'

/** One group as the list needs it. Groups come parents first; `first` is the ordinal of the group's first row. */
export type GroupNode = {
  readonly key: string
  readonly depth: number
  readonly count: number
  readonly first: number
}

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
  /** The ordinals of the rows among some lines, as runs; a million lines cost no more than the groups among them. */
  readonly rowsIn: (lines: Span) => Span[]
}

type Segment =
  | { readonly kind: 'group'; readonly startLine: number; readonly groupIndex: number; readonly isExpanded: boolean }
  | {
      readonly kind: 'rows'
      readonly startLine: number
      readonly first: number
      readonly count: number
      readonly level: number
    }

/** The lines of an ungrouped list. */
export function plainLines({ first, end }: Span): GridLines {
  const count = Math.max(0, end - first)
  const isInside = (n: number, from: number) => n >= from && n < from + count
  return {
    lineCount: count,
    isGrouped: false,
    lineAt: (line) => (isInside(line, 0) ? { kind: 'row', ordinal: first + line, level: 1 } : undefined),
    lineOfRow: (ordinal) => (isInside(ordinal, first) ? ordinal - first : undefined),
    rowsIn: (lines) => shared({ first: first + lines.first, end: first + lines.end }, { first, end: first + count }),
  }
}

/**
 * The lines of a grouped list, cut to a span of rows: the page, or all of them. Heads of groups are never counted as
 * rows, and rows that no known group holds are shown all the same, so that every row can be reached.
 */
export function groupedLines(groups: readonly GroupNode[], collapsed: ReadonlySet<string>, span: Span): GridLines {
  const segments = segmentsOf(groups, collapsed, span)
  const last = segments.at(-1)
  const rows = segments.filter((segment) => segment.kind === 'rows')
  return {
    lineCount: last ? last.startLine + linesIn(last) : 0,
    isGrouped: true,
    lineAt: (line) => {
      const segment = lastAtOrBefore(segments, line, (candidate) => candidate.startLine)
      if (!segment || line >= segment.startLine + linesIn(segment)) return undefined
      if (segment.kind === 'group') return segment
      return { kind: 'row', ordinal: segment.first + line - segment.startLine, level: segment.level }
    },
    lineOfRow: (ordinal) => {
      const segment = lastAtOrBefore(rows, ordinal, (candidate) => candidate.first)
      if (!segment || ordinal >= segment.first + segment.count) return undefined
      return segment.startLine + ordinal - segment.first
    },
    rowsIn: (lines) =>
      rows.flatMap(({ first, startLine, count }) => {
        const shift = first - startLine
        return shared({ first: lines.first + shift, end: lines.end + shift }, { first, end: first + count })
      }),
  }
}

/** What two runs have in common: one run or none. */
function shared(a: Span, b: Span): Span[] {
  const first = Math.max(a.first, b.first)
  const end = Math.min(a.end, b.end)
  return first < end ? [{ first, end }] : []
}

/** The collapsed groups after one was turned over. */
export function toggleGroup(collapsed: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(collapsed)
  if (!next.delete(key)) next.add(key)
  return next
}

/** A group's place among its siblings, counted from 1, for `aria-posinset` and `aria-setsize`. */
export function placeAmongSiblings(groups: readonly GroupNode[], index: number): { position: number; size: number } {
  const depth = groups[index]?.depth ?? 0
  const isParent = (group: GroupNode) => group.depth < depth
  const before = groups.slice(0, index)
  const siblingsFrom = before.findLastIndex(isParent) + 1
  const nextParent = groups.findIndex((group, i) => i > index && isParent(group))
  const siblings = groups.slice(siblingsFrom, nextParent < 0 ? undefined : nextParent)
  const countAtDepth = (list: readonly GroupNode[]) => list.filter((group) => group.depth === depth).length
  return { position: countAtDepth(before.slice(siblingsFrom)) + 1, size: countAtDepth(siblings) }
}

function segmentsOf(groups: readonly GroupNode[], collapsed: ReadonlySet<string>, span: Span): Segment[] {
  const segments: Segment[] = []
  let line = 0
  let reached = span.first
  let hiddenBelow = Number.POSITIVE_INFINITY

  const addRows = (first: number, end: number, level: number) => {
    if (end <= first) return
    segments.push({ kind: 'rows', startLine: line, first, count: end - first, level })
    line += end - first
  }

  groups.forEach((group, groupIndex) => {
    const first = Math.max(group.first, span.first)
    const end = Math.min(group.first + group.count, span.end)
    if (end <= first) return
    if (group.depth > hiddenBelow) return

    addRows(reached, first, 1)
    const isExpanded = !collapsed.has(group.key)
    hiddenBelow = isExpanded ? Number.POSITIVE_INFINITY : group.depth
    segments.push({ kind: 'group', startLine: line, groupIndex, isExpanded })
    line += 1

    const isLeaf = (groups[groupIndex + 1]?.depth ?? 0) <= group.depth
    if (isExpanded && isLeaf) addRows(first, end, group.depth + 2)
    reached = isExpanded && !isLeaf ? first : end
  })
  addRows(reached, span.end, 1)
  return segments
}

function linesIn(segment: Segment): number {
  return segment.kind === 'group' ? 1 : segment.count
}

/** Binary search: the last of a sorted list whose number is not above the wanted one. */
function lastAtOrBefore<T>(sorted: readonly T[], wanted: number, numberOf: (item: T) => number): T | undefined {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const item = sorted[middle]
    if (item !== undefined && numberOf(item) <= wanted) low = middle + 1
    else high = middle
  }
  return sorted[low - 1]
}
