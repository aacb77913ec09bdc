import type { ReactNode } from 'react'
import { BodyRow } from './body-row.tsx'
import type { PlacedColumn } from './grid-column.ts'
import type { GridProps } from './grid-props.ts'
import { rowAt } from './grid-source.ts'
import { GRID_TEXTS_EN } from './grid-texts.ts'
import { GroupHead } from './group-head.tsx'
import { type GridLines, placeAmongSiblings } from './group-rows.ts'
import type { GridPosition } from './keyboard.ts'
import { isSelected } from './selection.ts'
import type { GridView } from './use-grid-view.ts'

/** What the body of the grid draws. */
export type GridBodyProps<Row> = {
  readonly grid: GridProps<Row>
  readonly lines: GridLines
  readonly view: GridView
  readonly headLines: number
  readonly active: GridPosition
  readonly frozen: readonly PlacedColumn<Row>[]
  readonly center: readonly PlacedColumn<Row>[]
  readonly frozenPx: number
  readonly columnCount: number
  readonly widthPx: number
}

/** The rows in and around sight, inside a spacer that stands for all of them. */
export function GridBody<Row>(props: GridBodyProps<Row>) {
  const { view } = props
  const slotOf = (line: number) => view.slotOf.get(line) ?? line
  // Elements are put into the order of the list only when it rests: moving them costs more than drawing their content.
  const inOrder = view.isScrolling ? view.drawnLines.toSorted((a, b) => slotOf(a) - slotOf(b)) : view.drawnLines
  return (
    <div role="rowgroup" className="grid-body" style={{ height: view.spacerPx }}>
      {inOrder.map((line) => drawLine(props, line, slotOf(line)))}
    </div>
  )
}

function drawLine<Row>(props: GridBodyProps<Row>, bodyLine: number, slot: number): ReactNode {
  const { grid, lines, view, headLines, active } = props
  const found = lines.lineAt(bodyLine)
  if (!found) return null

  const line = headLines + bodyLine
  const activeColumn = active.line === line ? active.column : undefined
  const topPx = view.topOf(bodyLine)
  if (found.kind === 'row') {
    const row = rowAt(grid.source, found.ordinal)
    const { texts = GRID_TEXTS_EN } = grid
    return (
      <BodyRow
        key={slot}
        line={line}
        ariaRowIndex={headLines + 1 + (lines.isGrouped ? bodyLine : found.ordinal)}
        level={lines.isGrouped ? found.level : undefined}
        topPx={topPx}
        row={row}
        name={row === undefined ? texts.loading : texts.selectRow(grid.nameOf?.(row) ?? '')}
        href={row === undefined ? undefined : grid.hrefOf?.(row)}
        frozen={props.frozen}
        center={props.center}
        frozenPx={props.frozenPx}
        isSelected={
          grid.selection && row !== undefined ? isSelected(grid.selection, grid.idOf(row)) : grid.selection && false
        }
        activeColumn={activeColumn}
      />
    )
  }
  return drawGroup(props, { bodyLine, slot, groupIndex: found.groupIndex, isExpanded: found.isExpanded })
}

function drawGroup<Row>(
  props: GridBodyProps<Row>,
  at: { bodyLine: number; slot: number; groupIndex: number; isExpanded: boolean },
): ReactNode {
  const { grid, view, headLines, active } = props
  const { texts = GRID_TEXTS_EN, groups = [] } = grid
  const group = groups[at.groupIndex]
  const line = headLines + at.bodyLine
  if (!group) return null
  return (
    <GroupHead
      key={at.slot}
      line={line}
      ariaRowIndex={line + 1}
      topPx={view.topOf(at.bodyLine)}
      group={group}
      countText={texts.count(group.count)}
      place={placeAmongSiblings(groups, at.groupIndex)}
      isExpanded={at.isExpanded}
      isActive={active.line === line}
      columnCount={props.columnCount}
      widthPx={props.widthPx}
    />
  )
}
