import type { ReactNode, RefObject } from 'react'
import type { PlacedColumn } from '#web/ui/grid/columns/grid-column.ts'
import type { GridExtent, GridPosition } from '#web/ui/grid/keyboard/keyboard.ts'
import { countWhile, type GridLines, intersect, type Span } from '#web/ui/grid/rows/row-window.ts'

/** Collapsed groups: either all except some, or none except some, so that the set stays small after "collapse all". */
export type CollapsedGroups = {
  readonly isCollapsed: boolean
  readonly except: ReadonlySet<string>
}

export const ALL_EXPANDED: CollapsedGroups = { isCollapsed: false, except: new Set() }

export const ALL_COLLAPSED: CollapsedGroups = { isCollapsed: true, except: new Set() }

export const isGroupCollapsed = (collapsed: CollapsedGroups, key: string): boolean =>
  collapsed.except.has(key) !== collapsed.isCollapsed

export function withToggled({ isCollapsed, except }: CollapsedGroups, key: string): CollapsedGroups {
  const next = new Set(except)
  if (!next.delete(key)) next.add(key)
  return { isCollapsed, except: next }
}

/** A group; parents are listed before their children. `first` is the ordinal of the group's first row. */
export type GroupNode = {
  readonly key: string
  readonly depth: number
  readonly count: number
  readonly first: number
}

export type GridSummaryValue = { readonly name: string; readonly text: string }

export type GridGroup = GroupNode & {
  readonly label: string
  readonly summaries?: { readonly [columnId: string]: GridSummaryValue | undefined } | undefined
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
 * The lines of a grouped list within a range of rows. Group headers don't count as rows, and rows outside all known
 * groups are included, so that every row is reachable.
 */
export function groupedLines(groups: readonly GroupNode[], collapsed: CollapsedGroups, span: Span): GridLines {
  const segments = segmentsOf(groups, collapsed, span)
  const last = segments.at(-1)
  const rows = segments.filter((segment) => segment.kind === 'rows')
  const headers = segments.filter((segment) => segment.kind === 'group')
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
    lineNear: (ordinal) => lineOfRow(ordinal) ?? lastAtOrBefore(headers, ordinal, ({ first }) => first)?.startLine,
    lineOfGroup: (wanted) => {
      const header = lastAtOrBefore(headers, wanted, ({ groupIndex }) => groupIndex)
      return header?.groupIndex === wanted ? header.startLine : undefined
    },
    rowsIn: (lines) =>
      rows.flatMap(({ first, startLine, count }) => {
        const shift = first - startLine
        return intersect({ first: lines.first + shift, end: lines.end + shift }, { first, end: first + count })
      }),
  }
}

/** One-based position of a group among its siblings, and their number, for `aria-posinset` and `aria-setsize`. */
export type SiblingPlace = { readonly position: number; readonly size: number }

export function placesAmongSiblings(groups: readonly GroupNode[]): readonly SiblingPlace[] {
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

export function parentOf(groups: readonly GroupNode[], index: number): number | undefined {
  const depth = groups[index]?.depth ?? 0
  for (let at = index - 1; at >= 0 && depth > 0; at--) if ((groups[at]?.depth ?? 0) < depth) return at
  return undefined
}

function segmentsOf(groups: readonly GroupNode[], collapsed: CollapsedGroups, span: Span): Segment[] {
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
    const isExpanded = !isGroupCollapsed(collapsed, group.key)
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

function lastAtOrBefore<T>(sorted: readonly T[], wanted: number, numberOf: (item: T) => number): T | undefined {
  return sorted[countWhile(sorted, (item) => numberOf(item) <= wanted) - 1]
}

type CollapseTo = 'expanded' | 'collapsed' | 'other'

export type GroupHeaderPlace = {
  readonly slot: number
  readonly groupIndex: number
  readonly isExpanded: boolean
  readonly line: number
  readonly topPx: number
  readonly activeColumn: number | undefined
  readonly countText: (count: number) => string
  readonly frozen: readonly PlacedColumn<never>[]
  readonly center: readonly PlacedColumn<never>[]
  readonly paneStartPx: number
  readonly columnCount: number
  readonly widthPx: number
}

export type GroupContext = {
  readonly gridRef: RefObject<HTMLElement | null>
  readonly lines: GridLines
  readonly extent: GridExtent
  readonly cell: { readonly focus: (to: GridPosition) => void }
  readonly reveal: (to: GridPosition) => void
}

/** The groups of a list; created by `group-view.tsx`, which is loaded only for grouped lists. */
export type GridGrouping = {
  readonly linesOf: (rows: Span) => GridLines
  readonly groupAt: (groupIndex: number) => GridGroup | undefined
  readonly renderHeader: (place: GroupHeaderPlace) => ReactNode
  readonly setCollapsed: (groupIndex: number, to: CollapseTo, isAll: boolean) => void
  readonly run: (
    context: GroupContext,
    at: GridPosition,
    command: { readonly to: CollapseTo; readonly isAll?: boolean },
  ) => void
  /** Called with the visible rows, to load their groups on demand. */
  readonly onShown?: (rows: readonly Span[]) => void
}
