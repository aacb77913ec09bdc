import { type CollapsedGroups, isGroupCollapsed } from './collapsed-groups.ts'
import { type GridLines, shared, type Span } from '#web/ui/grid/rows/row-window.ts'
import type { ReactNode, RefObject } from 'react'
import type { PlacedColumn } from '#web/ui/grid/columns/grid-column.ts'
import type { GridExtent, GridPosition } from '#web/ui/grid/keyboard/keyboard.ts'

/** One group as the list needs it. Groups come parents first; `first` is the ordinal of the group's first row. */
export type GroupNode = {
  readonly key: string
  readonly depth: number
  readonly count: number
  readonly first: number
}

/** A figure of a group or of a whole list: what it is, and how much. */
export type GridSummaryValue = { readonly name: string; readonly text: string }

/** A group with what its head shows. */
export type GridGroup = GroupNode & {
  readonly label: string
  /** Figures of its rows, by the column they are of. */
  readonly figures?: { readonly [columnId: string]: GridSummaryValue | undefined } | undefined
}

type GroupSegment = {
  readonly kind: 'group'
  readonly startLine: number
  readonly groupIndex: number
  readonly isExpanded: boolean
  readonly first: number
}

type RowsSegment = {
  readonly kind: 'rows'
  readonly startLine: number
  readonly first: number
  readonly count: number
  readonly level: number
}

type Segment = GroupSegment | RowsSegment

/**
 * The lines of a grouped list, cut to a span of rows: the page, or all of them. Heads of groups are never counted as
 * rows, and rows that no known group holds are shown all the same, so that every row can be reached.
 */
export function groupedLines(groups: readonly GroupNode[], fold: CollapsedGroups, span: Span): GridLines {
  const segments = segmentsOf(groups, fold, span)
  const last = segments.at(-1)
  const rows = segments.filter((segment) => segment.kind === 'rows')
  const heads = segments.filter((segment) => segment.kind === 'group')
  const lineOfRow = (ordinal: number) => {
    const segment = lastAtOrBefore(rows, ordinal, (candidate) => candidate.first)
    if (!segment || ordinal >= segment.first + segment.count) return undefined
    return segment.startLine + ordinal - segment.first
  }
  return {
    lineCount: last ? last.startLine + linesIn(last) : 0,
    isGrouped: true,
    lineAt: (line) => {
      const segment = lastAtOrBefore(segments, line, (candidate) => candidate.startLine)
      if (!segment || line >= segment.startLine + linesIn(segment)) return undefined
      if (segment.kind === 'group') return segment
      return { kind: 'row', ordinal: segment.first + line - segment.startLine, level: segment.level }
    },
    lineOfRow,
    lineNear: (ordinal) => lineOfRow(ordinal) ?? lastAtOrBefore(heads, ordinal, ({ first }) => first)?.startLine,
    lineOfGroup: (wanted) => {
      const head = lastAtOrBefore(heads, wanted, ({ groupIndex }) => groupIndex)
      return head?.groupIndex === wanted ? head.startLine : undefined
    },
    rowsIn: (lines) =>
      rows.flatMap(({ first, startLine, count }) => {
        const shift = first - startLine
        return shared({ first: lines.first + shift, end: lines.end + shift }, { first, end: first + count })
      }),
  }
}

/** Where a group stands among its siblings, counted from 1, and how many there are: `aria-posinset`, `aria-setsize`. */
export type SiblingPlace = { readonly position: number; readonly size: number }

/** The places of all groups at once. */
export function placesAmongSiblings(groups: readonly GroupNode[]): readonly SiblingPlace[] {
  // The siblings that are being counted, from the outermost down.
  const open: { count: number }[] = []
  const counted = groups.map(({ depth }) => {
    open.length = Math.min(open.length, depth + 1)
    while (open.length <= depth) open.push({ count: 0 })
    const siblings = open[depth] ?? { count: 0 }
    siblings.count += 1
    return { position: siblings.count, siblings }
  })
  return counted.map(({ position, siblings }) => ({ position, size: siblings.count }))
}

/** The group around a group; undefined for one of the outermost. */
export function parentOf(groups: readonly GroupNode[], index: number): number | undefined {
  const depth = groups[index]?.depth ?? 0
  for (let at = index - 1; at >= 0 && depth > 0; at--) if ((groups[at]?.depth ?? 0) < depth) return at
  return undefined
}

function segmentsOf(groups: readonly GroupNode[], fold: CollapsedGroups, span: Span): Segment[] {
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

    addRows(reached, first, group.depth + 1)
    const isExpanded = !isGroupCollapsed(fold, group.key)
    hiddenBelow = isExpanded ? Number.POSITIVE_INFINITY : group.depth
    segments.push({ kind: 'group', startLine: line, groupIndex, isExpanded, first })
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

/** Where a group is to be: expanded, collapsed, or what it is not. */
type CollapseTo = 'expanded' | 'collapsed' | 'other'

/** Where the head of a group is drawn. */
export type GroupHeaderPlace = {
  /** Names the element, which is taken up again by other lines. */
  readonly slot: number
  readonly groupIndex: number
  readonly isExpanded: boolean
  readonly line: number
  readonly topPx: number
  /** The column of the tab stop, when it is in this line. */
  readonly activeColumn: number | undefined
  readonly countText: (count: number) => string
  // Heads show no values of rows, so that whose columns these are means nothing to them.
  readonly frozen: readonly PlacedColumn<never>[]
  readonly center: readonly PlacedColumn<never>[]
  readonly paneStartPx: number
  readonly columnCount: number
  readonly widthPx: number
}

/** What keys on the head of a group see of the grid. */
export type GroupContext = {
  readonly gridRef: RefObject<HTMLElement | null>
  readonly lines: GridLines
  readonly extent: GridExtent
  readonly cell: { readonly send: (to: GridPosition) => void }
  readonly reveal: (to: GridPosition) => void
}

/** The groups of a list, as `group-view.tsx` makes them: fetched when a list is grouped. */
export type GridGrouping = {
  /** The lines of these rows with the heads of their groups. */
  readonly linesOf: (rows: Span) => GridLines
  readonly groupAt: (groupIndex: number) => GridGroup | undefined
  readonly renderHead: (place: GroupHeaderPlace) => ReactNode
  /** Turns a group over, or all of them with it. */
  readonly fold: (groupIndex: number, to: CollapseTo, isAll: boolean) => void
  /** Does what a key asks for on the head of a group: expand, collapse, go into it and out of it. */
  readonly run: (
    reach: GroupContext,
    at: GridPosition,
    command: { readonly to: CollapseTo; readonly isAll?: boolean },
  ) => void
  /** Told which rows are in sight, for groups that are read by and by. */
  readonly onShown?: (rows: readonly Span[]) => void
}
