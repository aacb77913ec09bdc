import { memo } from 'react'
import { IconChevronRight } from '#web/kit/icons/icon-chevron-right.ts'
import type { GridGroup } from './grid-source.ts'
import './group-head.css'

/** What the head of a group draws. */
export type GroupHeadProps = {
  readonly line: number
  readonly ariaRowIndex: number
  readonly topPx: number
  readonly group: GridGroup
  readonly countText: string
  /** The group's place among its siblings, counted from 1, and how many there are. */
  readonly position: number
  readonly siblings: number
  readonly isExpanded: boolean
  readonly isActive: boolean
  readonly columnCount: number
  readonly widthPx: number
}

/** The line above a group's rows: its name, how many rows it has, and whatever sums the app gives. */
export const GroupHead = memo(function GroupHead(props: GroupHeadProps) {
  const { group } = props
  return (
    <div
      role="row"
      aria-rowindex={props.ariaRowIndex}
      aria-level={group.depth + 1}
      aria-expanded={props.isExpanded}
      aria-posinset={props.position}
      aria-setsize={props.siblings}
      data-line={props.line}
      data-group={group.key}
      className="grid-row grid-group"
      style={{ top: props.topPx }}
    >
      <div
        role="gridcell"
        aria-colindex={1}
        aria-colspan={props.columnCount}
        data-column={0}
        className="grid-group-cell"
        style={{ width: props.widthPx, paddingInlineStart: 12 + group.depth * 20 }}
        tabIndex={props.isActive ? 0 : -1}
      >
        <IconChevronRight className="grid-chevron" size={16} stroke={1.5} aria-hidden />
        <span className="grid-group-label">{group.label}</span>
        <span className="grid-group-count">{props.countText}</span>
        {group.summary !== undefined && <span className="grid-group-summary">{group.summary}</span>}
      </div>
    </div>
  )
})
