import { useMemo } from 'react'
import { Announcer } from '#web/kit/grid/announcer.tsx'
import { shownColumns } from '#web/kit/grid/column-order.ts'
import { DEFAULT_LAYOUT } from '#web/kit/grid/grid-column.ts'
import { GridNotices } from '#web/kit/grid/grid-notices.tsx'
import type { GridProps } from '#web/kit/grid/grid-props.ts'
import { rowAt, totalOf } from '#web/kit/grid/grid-source.ts'
import { GRID_TEXTS_EN } from '#web/kit/grid/grid-texts.ts'
import type { GridLine, GridLines } from '#web/kit/grid/grid-lines.ts'
import { isSelected } from '#web/kit/grid/selection.ts'
import { stateOfAll, useGridActions } from '#web/kit/grid/use-grid-actions.ts'
import { useGridMessage } from '#web/kit/grid/use-grid-message.ts'
import type { RecordLine } from '../record-line.ts'
import { MOST_FIELDS } from './card-lines.ts'
import { GroupCard } from './group-card.tsx'
import { RecordCard } from './record-card.tsx'
import { useCardHandle } from './use-card-handle.ts'
import { useCardKeys } from './use-card-keys.ts'
import { type CardView, useCardView } from './use-card-view.ts'
import '#web/kit/grid/grid.css'
import './cards.css'

/** A list as cards: what a grid shows, in little room. It takes what the grid takes, and does what it does. */
export function CardList(grid: GridProps<RecordLine>) {
  const { columns, layout = DEFAULT_LAYOUT, source, texts = GRID_TEXTS_EN } = grid
  const shown = useMemo(() => {
    const inOrder = shownColumns(columns, layout).ids.flatMap((id) => columns.find((column) => column.id === id) ?? [])
    const title = columns.find(({ isTitle }) => isTitle)
    return { title, fields: inOrder.filter((column) => column !== title).slice(0, MOST_FIELDS) }
  }, [columns, layout])
  const view = useCardView(grid, shown.fields.length)
  const actions = useGridActions(grid, view.lines)
  const [message] = useGridMessage(grid, undefined)
  const onKeyDown = useCardKeys({ grid, view, actions })
  useCardHandle(grid.handleRef, view)
  const hasLines = view.lines.lineCount > 0
  const drawn = grid.failure === undefined ? view.drawn : []

  return (
    <div className="card-frame">
      {hasLines && grid.failure === undefined && <SelectAll grid={grid} onSelectAll={actions.selectAll} />}
      <div ref={view.scrollerRef} className="card-scroller" data-windowed={source.kind === 'window' || undefined}>
        <ul
          aria-label={grid.label}
          aria-busy={source.kind === 'page' && source.loadingRows !== undefined}
          className="card-list"
          style={{ height: view.spacerPx }}
          onKeyDown={onKeyDown}
          onFocus={view.onFocus}
        >
          {drawn.map(({ line, unit, found }) => {
            const place = {
              line,
              topPx: view.topOf(unit),
              isActive: view.active === line,
              position: positionOf(view.lines, line, found),
              size: sizeOf(grid, view),
            }
            if (found.kind === 'group') {
              const group = grid.grouping?.groupAt(found.groupIndex)
              return group ? (
                <GroupCard
                  key={`group ${group.key}`}
                  {...place}
                  group={group}
                  countText={texts.count(group.count)}
                  isExpanded={found.isExpanded}
                  onToggle={() => actions.turnGroup(line, false)}
                />
              ) : null
            }
            const row = rowAt(source, found.ordinal)
            return (
              <RecordCard
                key={row === undefined ? `at ${found.ordinal}` : grid.idOf(row)}
                {...place}
                {...shown}
                row={row}
                heightPx={view.cardPx}
                name={row === undefined ? texts.loading : (grid.nameOf?.(row) ?? '')}
                href={row === undefined ? undefined : grid.hrefOf?.(row)}
                isCurrent={row !== undefined && grid.idOf(row) === grid.currentId}
                isSelected={
                  row !== undefined && grid.selection ? isSelected(grid.selection, grid.idOf(row)) : undefined
                }
                onSelect={(isRange) => actions.selectRow(line, isRange)}
                onOpen={() => actions.open(line)}
                onMenu={grid.onCellMenu}
                texts={texts}
              />
            )
          })}
        </ul>
      </div>
      <GridNotices {...grid} hasRows={hasLines} />
      <Announcer message={message} />
    </div>
  )
}

type SelectAllProps = { readonly grid: GridProps<RecordLine>; readonly onSelectAll: () => void }

/** What the checkbox in the header of a grid does. */
function SelectAll({ grid, onSelectAll }: SelectAllProps) {
  const { source, texts = GRID_TEXTS_EN } = grid
  const state = stateOfAll(grid)
  if (state === undefined) return null
  return (
    <label className="card-select-all">
      <span className="card-box">
        <input
          type="checkbox"
          checked={state === 'all'}
          ref={(box) => {
            if (box) box.indeterminate = state === 'some'
          }}
          onChange={onSelectAll}
        />
      </span>
      {source.kind === 'page' ? texts.selectPage : texts.selectEverything}
    </label>
  )
}

/** Heads of groups count as items of the list, too. */
const positionOf = (lines: GridLines, line: number, found: GridLine): number =>
  lines.isGrouped || found.kind === 'group' ? line + 1 : found.ordinal + 1

/** How many items the list has in all; -1 while nobody knows. */
function sizeOf({ source }: GridProps<RecordLine>, { lines }: CardView): number {
  if (lines.isGrouped) return lines.lineCount
  const total = totalOf(source)
  return total.is === 'exact' ? total.count : -1
}
