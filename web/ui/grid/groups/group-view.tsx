import type { GridGrouping, GroupContext } from './grid-grouping.ts'
import { ALL_COLLAPSED, ALL_EXPANDED, type CollapsedGroups, isGroupCollapsed, withToggled } from './collapsed-groups.ts'
import { GroupHeader } from './group-header.tsx'
import { type GridGroup, groupedLines, parentOf, placesAmongSiblings } from './group-rows.ts'
import type { GridPosition } from '#web/ui/grid/keyboard/keyboard.ts'

/** Groups of the whole list in its order, parents first; the rows must be sorted by them. */
export type GroupView = {
  readonly groups: readonly GridGroup[]
  readonly fold: CollapsedGroups
  readonly onFold: (fold: CollapsedGroups) => void
  readonly onShown?: GridGrouping['onShown']
}

/** Makes the groups of a list what a grid can draw and fold. */
export function groupingOf({ groups, fold, onFold, onShown }: GroupView): GridGrouping {
  const places = placesAmongSiblings(groups)
  const turn: GridGrouping['fold'] = (groupIndex, to, isAll) => {
    const key = groups[groupIndex]?.key
    if (key === undefined) return
    const isExpanded = !isGroupCollapsed(fold, key)
    if (isAll) onFold((to === 'other' ? isExpanded : to === 'collapsed') ? ALL_COLLAPSED : ALL_EXPANDED)
    else if (to === 'other' || isExpanded !== (to === 'expanded')) onFold(withToggled(fold, key))
  }
  return {
    linesOf: (rows) => groupedLines(groups, fold, rows),
    groupAt: (groupIndex) => groups[groupIndex],
    renderHead: ({ slot, groupIndex, ...at }) => {
      const group = groups[groupIndex]
      const place = places[groupIndex]
      return group && place && <GroupHeader key={slot} group={group} place={place} {...at} />
    },
    fold: turn,
    run: (reach, at, { to, isAll = false }) => {
      const found = reach.lines.lineAt(at.line - reach.extent.headLines)
      if (found?.kind !== 'group') return
      const { groupIndex, isExpanded } = found
      if (isAll) turn(groupIndex, to, true)
      else if (to !== 'other' && at.column > 0) walk(reach, at, to === 'expanded' ? 1 : -1)
      else if (to === 'expanded' && isExpanded) walk(reach, at, 1)
      else if (to === 'collapsed' && !isExpanded) goToParent(reach, at, parentOf(groups, groupIndex))
      else turn(groupIndex, to, false)
    },
    ...(onShown && { onShown }),
  }
}

/** Goes to the next cell of a head; its cells are those of its figures, beside the name. */
function walk({ gridRef, cell, reveal }: GroupContext, { line, column }: GridPosition, by: 1 | -1): void {
  const cells = gridRef.current?.querySelectorAll<HTMLElement>(`[data-line="${line}"] [data-column]`) ?? []
  const columns = [...cells].map(({ dataset }) => Number(dataset['column'])).toSorted((a, b) => a - b)
  const next = columns[columns.indexOf(column) + by]
  if (next === undefined) return
  cell.send({ line, column: next })
  reveal({ line, column: next })
}

function goToParent({ lines, extent, cell, reveal }: GroupContext, at: GridPosition, parent: number | undefined): void {
  const line = parent === undefined ? undefined : lines.lineOfGroup(parent)
  if (line === undefined) return
  const to = { ...at, line: line + extent.headLines }
  cell.send(to)
  reveal(to)
}
