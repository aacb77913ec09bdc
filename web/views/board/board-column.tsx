import { dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Filter } from '#domain/query/filter/filter.ts'
import { numberText } from '#web/i18n/locale.ts'
import { plural, t } from '#web/i18n/t.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import { OptionChip } from '#web/field-kinds/select/option-chip.tsx'
import { IconPlus } from '#web/ui/icons/frame.ts'
import { IconChevronRight } from '#web/ui/icons/general.ts'
import { useVirtualList } from '#web/ui/browser/use-virtual-list.ts'
import { useStore } from '#web/ui/store.ts'
import type { RecordActions } from '../view-kind.ts'
import { useRecordWindow } from '../listing/use-record-window.ts'
import type { BoardContext } from './board-context.ts'
import { BoardCard } from './board-card.tsx'
import { registerCell } from './board-keys.ts'
import { type BoardCell, type BoardMoves, describeAsks, type Dragging } from './board-moves.ts'

/** Colors of cards, and the card shown in the side panel. */
export type CardMarks = Pick<RecordActions, 'colorOf' | 'currentId'>

type ColumnProps = {
  readonly board: BoardContext
  readonly marks: CardMarks
  readonly cell: BoardCell
  /** The cells between which cards can be moved with the menu. */
  readonly cells: readonly BoardCell[]
  readonly count: number
  readonly isCollapsed: boolean
  readonly onCollapse: () => void
  /** Undefined if records can't be created here. */
  readonly newValues: { readonly [field: string]: unknown } | undefined
}

export function BoardColumn(props: ColumnProps) {
  const { board, cell, isCollapsed, newValues } = props
  const { moves } = board
  const ref = useRef<HTMLElement>(null)
  /** The cards in the column as they are shown. */
  const cards = useRef<CardAt>(() => undefined)
  const entry = useEntry(board, cell)
  useDropTarget(ref, moves, cell)
  useEffect(() => {
    if (!ref.current) return
    registerCell(ref.current, { cell, cardAt: (position) => cards.current(position) })
  }, [cell])
  const { label } = cell.column
  const count = useCellCount(moves, cell.key, props.count)
  return (
    <section
      ref={ref}
      role="group"
      className="board-column"
      data-collapsed={isCollapsed || undefined}
      data-entry={entry?.is}
      aria-label={plural(count, '{label}, {n} record', '{label}, {n} records', { label })}
    >
      <ColumnHead {...props} shown={count} />
      {entry?.why !== undefined && <p className="board-why">{entry.why}</p>}
      {!isCollapsed && <ColumnCards {...props} columnRef={ref} cards={cards} count={count} />}
      {!isCollapsed && newValues && (
        <button type="button" className="board-new" onClick={() => board.actions().create?.(newValues)}>
          <IconPlus size={16} stroke={1.75} aria-hidden />
          {t('New record')}
        </button>
      )}
    </section>
  )
}

function ColumnHead({ cell, shown, isCollapsed, onCollapse }: ColumnProps & { readonly shown: number }) {
  const { column } = cell
  const Heading = cell.lane ? 'h3' : 'h2'
  return (
    <Heading className="board-head">
      <button
        type="button"
        className="board-fold"
        aria-expanded={!isCollapsed}
        aria-label={
          isCollapsed ? t('Expand {label}', { label: column.label }) : t('Collapse {label}', { label: column.label })
        }
        onClick={onCollapse}
      >
        <IconChevronRight size={16} stroke={1.5} aria-hidden />
      </button>
      <span className="board-label">
        {column.color === undefined ? column.label : <OptionChip name={column.label} color={column.color} />}
      </span>
      <span className="board-count" aria-hidden>
        {numberText(shown)}
      </span>
    </Heading>
  )
}

/** While a card is dragged: whether it can enter the cell, and why not or what will be asked. */
function useEntry(board: BoardContext, cell: BoardCell) {
  const dragging = useStore(board.moves.dragging)
  return useMemo(() => dragging && entryOf(board, cell, dragging), [board, cell, dragging])
}

function entryOf(board: BoardContext, cell: BoardCell, dragging: Dragging) {
  const isOver = dragging.over.key === cell.key
  if (dragging.from.key === cell.key) return { is: isOver ? 'over' : 'own', why: undefined }
  const why = board.moves.refusalOf(dragging, cell)
  if (why !== undefined) return { is: isOver ? 'refused-over' : 'refused', why }
  const to = cell.column.value
  const transition = dragging.offered?.find((offered) => offered.to === to)
  return { is: isOver ? 'over' : 'open', why: transition && describeAsks(board, transition) }
}

function useDropTarget(ref: RefObject<HTMLElement | null>, moves: BoardMoves, cell: BoardCell): void {
  const latest = useRef(cell)
  useLayoutEffect(() => {
    latest.current = cell
  })
  useEffect(() => {
    const element = ref.current
    if (!element) return undefined
    return dropTargetForElements({
      element,
      canDrop: ({ source }) => source.data['board'] === moves.dragging,
      onDragEnter: () => moves.over(latest.current),
      onDrop: () => moves.drop(),
    })
  }, [ref, moves])
}

/** The server's count, adjusted for cards whose move isn't saved yet. */
function useCellCount(moves: BoardMoves, cell: string, count: number): number {
  const moved = useStore(moves.moved)
  let shown = count
  for (const { left, entered } of moved.values()) {
    if (left.includes(cell)) shown -= 1
    if (entered.includes(cell)) shown += 1
  }
  return Math.max(0, shown)
}

const CARD_PX = 104
const GAP_PX = 8

type CardAt = (index: number) => RecordRow | undefined

type CardsProps = ColumnProps & {
  readonly columnRef: RefObject<HTMLElement | null>
  readonly cards: RefObject<CardAt>
}

function ColumnCards({ board, marks, cell, cells, count, columnRef, cards }: CardsProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const isInSight = useInSight(columnRef)
  const { items, totalPx, measureRef } = useVirtualList({
    count,
    scroller,
    estimatePx: CARD_PX,
    gapPx: GAP_PX,
    isOn: isInSight,
  })
  const condition = useMemo(() => conditionOf(cell), [cell])
  const rows = { first: items[0]?.index ?? 0, end: (items.at(-1)?.index ?? -1) + 1 }
  const window = useRecordWindow({
    collection: board.collection,
    listing: board.listing,
    condition,
    rows,
    isOn: isInSight && count > 0,
  })
  const rowAt = useCellRows(board, cell, window.rowAt, rows)
  useLayoutEffect(() => {
    cards.current = rowAt
  })
  if (count === 0) return <p className="board-empty">{t('No records')}</p>
  return (
    <div ref={scroller} className="board-scroller">
      <ul style={{ height: totalPx }} aria-label={cell.column.label}>
        {items.map(({ index, start }, at) => {
          const row = rowAt(index)
          return (
            <BoardCard
              key={row?.record.id ?? `at ${index}`}
              board={board}
              cell={cell}
              cells={cells}
              row={row}
              index={index}
              size={count}
              topPx={start}
              measureRef={measureRef}
              isTabStop={at === 0}
              paint={row && marks.colorOf(row.record)}
              isCurrent={row !== undefined && row.record.id === marks.currentId}
            />
          )
        })}
      </ul>
      {window.error && (
        <p role="alert" className="grid-failure">
          {t('Couldn’t load some records.')}
          <button type="button" className="grid-text-button" onClick={window.retry}>
            {t('Try again')}
          </button>
        </p>
      )}
    </div>
  )
}

const conditionOf = ({ column, lane }: BoardCell): Filter =>
  lane ? { all: [lane.condition, column.condition] } : column.condition

/** The cards of a cell: those that were moved here first, and without those that were moved away. */
function useCellRows(
  { moves }: BoardContext,
  cell: BoardCell,
  loadedAt: (position: number) => RecordRow | undefined,
  { first, end }: { readonly first: number; readonly end: number },
): CardAt {
  const moved = useStore(moves.moved)
  return useMemo(() => {
    const isGone = ({ record }: RecordRow) => moved.get(record.id)?.left.includes(cell.key) === true
    const known = new Set<string>()
    const departed: number[] = []
    for (let position = Math.max(0, first - 1); position < end + moved.size; position += 1) {
      const row = loadedAt(position)
      if (!row) continue
      known.add(row.record.id)
      if (isGone(row)) departed.push(position)
    }
    const arrived = [...moved.values()].filter(
      ({ row, entered }) => entered.includes(cell.key) && !known.has(row.record.id),
    )
    return (index) => {
      const here = arrived[index]
      if (here) return here.row
      let position = index - arrived.length
      for (const gone of departed) if (gone <= position) position += 1
      return loadedAt(position)
    }
  }, [cell, moved, loadedAt, first, end])
}

/** Whether the element is on the screen or near it; columns and swimlanes elsewhere load nothing. */
function useInSight(ref: RefObject<HTMLElement | null>): boolean {
  const [isInSight, setInSight] = useState(false)
  useEffect(() => {
    if (!ref.current) return undefined
    const observer = new IntersectionObserver(([entry]) => setInSight(entry?.isIntersecting === true), {
      rootMargin: '200px',
    })
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [ref])
  return isInSight
}
