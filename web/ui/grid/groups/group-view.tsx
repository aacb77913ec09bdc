import {
  ALL_COLLAPSED,
  ALL_EXPANDED,
  type CollapsedGroups,
  type GridGroup,
  type GridGrouping,
  type GridSummaryValue,
  type GroupContext,
  groupedLines,
  type GroupHeaderPlace,
  isGroupCollapsed,
  parentOf,
  placesAmongSiblings,
  type SiblingPlace,
  withToggled,
} from './group-rows.ts'
import type { GridPosition } from '#web/ui/grid/keyboard/keyboard.ts'
import { memo } from 'react'
import { IconChevronRight } from '#web/ui/icons/general.ts'
import '../summary/summary.css'
import './group-header.css'

type GroupHeaderProps = Omit<GroupHeaderPlace, 'slot' | 'groupIndex'> & {
  readonly group: GridGroup
  readonly place: SiblingPlace
}

/** Minimum width of a group name, and its maximum fraction of the available width. */
const LABEL_WIDTH = { minPx: 180, maxShare: 0.8 }

function GroupHeaderOf(props: GroupHeaderProps) {
  const { group, place, line, activeColumn, center, paneStartPx } = props
  const summaryColumns = center.filter(({ column }) => group.summaries?.[column.id])
  return (
    <div
      role="row"
      aria-rowindex={line + 1}
      aria-level={group.depth + 1}
      aria-expanded={props.isExpanded}
      aria-posinset={place.position}
      aria-setsize={place.size}
      data-line={line}
      className="grid-row grid-group"
      style={{ top: props.topPx }}
    >
      <NameCell {...props} first={summaryColumns[0]} isActive={isNameActive(activeColumn, summaryColumns)} />
      {summaryColumns.map(({ column, index, startPx, widthPx }) => (
        <div
          key={column.id}
          role="gridcell"
          aria-colindex={index + 1}
          data-column={index}
          className="grid-cell grid-group-summary"
          data-align={column.align}
          style={{ insetInlineStart: paneStartPx + startPx, width: widthPx }}
          tabIndex={activeColumn === index ? 0 : -1}
        >
          <Summary summary={group.summaries?.[column.id]} />
        </div>
      ))}
    </div>
  )
}

type GroupColumns = GroupHeaderProps['center']

/** In a column without a summary, the group name has focus, because the line has no cell there. */
const isNameActive = (activeColumn: number | undefined, summaryColumns: GroupColumns): boolean =>
  activeColumn !== undefined && summaryColumns.every(({ index }) => index !== activeColumn)

type NameCellProps = GroupHeaderProps & {
  readonly first: GroupColumns[number] | undefined
  readonly isActive: boolean
}

function NameCell({ group, first, isActive, columnCount, countText, frozen, paneStartPx, widthPx }: NameCellProps) {
  const roomPx = first ? Math.min(paneStartPx + first.startPx, widthPx * LABEL_WIDTH.maxShare) : widthPx
  return (
    <div
      role="gridcell"
      aria-colindex={1}
      aria-colspan={first ? first.index : columnCount}
      data-column={0}
      data-group={group.key}
      className="grid-group-cell"
      style={{ paddingInlineStart: 12 + group.depth * 20, maxWidth: Math.max(LABEL_WIDTH.minPx, roomPx) }}
      tabIndex={isActive ? 0 : -1}
    >
      <IconChevronRight className="grid-chevron" size={16} stroke={1.5} aria-hidden />
      <span className="grid-group-label" dir="auto">
        {group.label}
      </span>
      <span className="grid-group-count">{countText(group.count)}</span>
      {frozen.map(({ column }) => (
        <Summary key={column.id} summary={group.summaries?.[column.id]} />
      ))}
    </div>
  )
}

function Summary({ summary }: { readonly summary: GridSummaryValue | undefined }) {
  if (!summary) return null
  return (
    <span className="grid-summary">
      <span className="grid-summary-name">{summary.name}</span> <span>{summary.text}</span>
    </span>
  )
}

const GroupHeader = memo(GroupHeaderOf)

/** The groups of the whole list in list order, parents first; rows must be sorted by the group-by fields. */
export type GroupView = {
  readonly groups: readonly GridGroup[]
  readonly collapsed: CollapsedGroups
  readonly onCollapse: (collapsed: CollapsedGroups) => void
  readonly onShown?: GridGrouping['onShown']
}

export function groupingOf({ groups, collapsed, onCollapse, onShown }: GroupView): GridGrouping {
  const places = placesAmongSiblings(groups)
  const setCollapsed: GridGrouping['setCollapsed'] = (groupIndex, to, isAll) => {
    const key = groups[groupIndex]?.key
    if (key === undefined) return
    const isExpanded = !isGroupCollapsed(collapsed, key)
    if (isAll) onCollapse((to === 'other' ? isExpanded : to === 'collapsed') ? ALL_COLLAPSED : ALL_EXPANDED)
    else if (to === 'other' || isExpanded !== (to === 'expanded')) onCollapse(withToggled(collapsed, key))
  }
  return {
    linesOf: (rows) => groupedLines(groups, collapsed, rows),
    groupAt: (groupIndex) => groups[groupIndex],
    renderHeader: ({ slot, groupIndex, ...at }) => {
      const group = groups[groupIndex]
      const place = places[groupIndex]
      return group && place && <GroupHeader key={slot} group={group} place={place} {...at} />
    },
    setCollapsed,
    run: (context, at, { to, isAll = false }) => {
      const found = context.lines.lineAt(at.line - context.extent.headerLines)
      if (found?.kind !== 'group') return
      const { groupIndex, isExpanded } = found
      if (isAll) setCollapsed(groupIndex, to, true)
      else if (to !== 'other' && at.column > 0) focusCellInLine(context, at, to === 'expanded' ? 1 : -1)
      else if (to === 'expanded' && isExpanded) focusCellInLine(context, at, 1)
      else if (to === 'collapsed' && !isExpanded) goToParent(context, at, parentOf(groups, groupIndex))
      else setCollapsed(groupIndex, to, false)
    },
    ...(onShown && { onShown }),
  }
}

function focusCellInLine({ gridRef, cell, reveal }: GroupContext, { line, column }: GridPosition, by: 1 | -1): void {
  const cells = gridRef.current?.querySelectorAll<HTMLElement>(`[data-line="${line}"] [data-column]`) ?? []
  const columns = [...cells].map(({ dataset }) => Number(dataset['column'])).toSorted((a, b) => a - b)
  const next = columns[columns.indexOf(column) + by]
  if (next === undefined) return
  cell.focus({ line, column: next })
  reveal({ line, column: next })
}

function goToParent({ lines, extent, cell, reveal }: GroupContext, at: GridPosition, parent: number | undefined): void {
  const line = parent === undefined ? undefined : lines.lineOfGroup(parent)
  if (line === undefined) return
  const to = { ...at, line: line + extent.headerLines }
  cell.focus(to)
  reveal(to)
}
