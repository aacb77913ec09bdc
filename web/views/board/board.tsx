import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useImperativeHandle, useMemo, useRef } from 'react'
import type { Field } from '#domain/fields/field.ts'
import { isBoardField } from '#domain/views/board.ts'
import { numberText } from '#web/i18n/locale.ts'
import { plural, t } from '#web/i18n/t.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { FailureNotice } from '#web/shared/navigation/failure-notice.tsx'
import { isGroupCollapsed, withToggled } from '#web/ui/grid/groups/group-rows.ts'
import type { GridProps } from '#web/ui/grid/grid-props.ts'
import { IconChevronRight } from '#web/ui/icons/general.ts'
import { lazyModule, useLazyModule } from '#web/ui/loading/lazy-module.tsx'
import { useStore } from '#web/ui/store.ts'
import { useCollapsedGroups } from '../listing/groups/collapsed-groups.tsx'
import { BoardColumn, type CardMarks } from './board-column.tsx'
import { type BoardGroup, boardGroupsQuery, groupKeyOf, groupsOfField, keyOf } from './board-columns.ts'
import { handleBoardKey } from './board-keys.ts'
import { type BoardContext, type BoardProps, useBoardContext, useLaneField } from './board-context.ts'
import { type BoardMoves, cellOf, newValuesIn } from './board-moves.ts'
import type { Listing } from '#web/data/queries/record-list-queries.ts'
import '../listing/conditional-colors/conditional-colors.css'
import './board.css'

export function Board(props: BoardProps) {
  const { collection, options } = props
  const field = collection.fields.find(({ id }) => id === options.by)
  if (!field || !isBoardField(field))
    return (
      <div className="grid-message">
        <p className="board-unset">
          {t('Choose a field for the columns under “Layout”. The previous one was deleted, or you don’t have access.')}
        </p>
      </div>
    )
  return <BoardByField key={field.id} {...props} field={field} />
}

const moveDialog = lazyModule(() => import('./move-dialog.tsx'))

function BoardByField(props: BoardProps & { readonly field: Field }) {
  const { collection, field, listing, grid, isNarrow } = props
  const lane = useLaneField(props)
  const board = useBoardContext(props, lane)
  const { moves } = board
  const rootRef = useRef<HTMLDivElement>(null)
  const groups = useBoardGroups(collection, listing, { field, lane })
  const pending = useStore(moves.pending)
  const { MoveDialog } = useLazyModule(moveDialog, pending !== undefined) ?? {}
  useBoardHandle(grid.handleRef, rootRef)
  const row = { board, marks: props.actions, countOf: groups.countOf }
  if (groups.error && !groups.columns) {
    return (
      <div className="grid-message">
        <FailureNotice error={groups.error} onRetry={groups.retry} />
      </div>
    )
  }
  if (groups.columns?.length === 0) return <div className="grid-message">{grid.empty}</div>
  return (
    <div
      ref={rootRef}
      className="board"
      role="region"
      aria-label={grid.label}
      aria-busy={groups.columns === undefined}
      data-narrow={isNarrow || undefined}
      data-lanes={lane !== undefined || undefined}
      onKeyDown={(event: KeyboardEvent<HTMLElement>) => handleBoardKey(event, moves)}
    >
      <p id="board-keys" hidden>
        {moves.mayReorder
          ? t(
              'Press Space to pick up a card, Alt+↑ or Alt+↓ to change its order, Enter to open it, and the arrow keys to go to other cards.',
            )
          : moves.mayMove
            ? t('Press Space to pick up a card, Enter to open it, and the arrow keys to go to other cards.')
            : t('Press Enter to open a card, and the arrow keys to go to other cards.')}
      </p>
      {groups.columns === undefined ? (
        <BoardSkeleton />
      ) : lane ? (
        <BoardLanes {...row} columns={groups.columns} group={props.group ?? ''} lanes={groups.lanes} />
      ) : (
        <BoardRow {...row} columns={groups.columns} lane={undefined} />
      )}
      <LeftGroups count={groups.left} />
      {pending && MoveDialog && <MoveDialog board={board} pending={pending} />}
      <Announcements moves={moves} />
    </div>
  )
}

const LeftGroups = ({ count }: { readonly count: number }) =>
  count > 0 && (
    <p className="board-note">
      {plural(
        count,
        '{n} more group isn’t shown. Filter the list to see it.',
        '{n} more groups aren’t shown. Filter the list to see them.',
      )}
    </p>
  )

function Announcements({ moves }: { readonly moves: BoardMoves }) {
  return (
    <div role="status" aria-live="assertive" className="visually-hidden">
      {useStore(moves.announcement)}
    </div>
  )
}

function useBoardGroups(
  collection: TypedCollection,
  listing: Listing,
  { field, lane }: { readonly field: Field; readonly lane: Field | undefined },
) {
  const by = useMemo(() => [...(lane ? [lane.name] : []), field.name], [lane, field])
  const { data, error, refetch } = useQuery(boardGroupsQuery(collection.name, listing, by))
  const lanesOnly = useMemo(() => (lane ? [lane.name] : by), [lane, by])
  const ofLanes = useQuery({
    ...boardGroupsQuery(collection.name, listing, lanesOnly),
    enabled: lane !== undefined,
  })
  const shown = useMemo(() => {
    const cells = data?.groups ?? []
    const counts = new Map<string, number>()
    for (const { key, count } of cells) {
      const cell = [...(lane ? [lane] : []), field].map((each) => groupKeyOf(each, key)).join(' ')
      counts.set(cell, (counts.get(cell) ?? 0) + count)
    }
    const lanes = lane && ofLanes.data && groupsOfField(lane, ofLanes.data.groups, false)
    const isLoaded = data !== undefined && (!lane || lanes !== undefined)
    return {
      columns: isLoaded
        ? groupsOfField(field, columnAnswers(field, cells), !field.required && field.kind !== 'state')
        : undefined,
      lanes: lane && lanes ? lanes.filter(hasRecords(cells, lane)) : [],
      countOf: (cell: string) => counts.get(cell) ?? 0,
      left: data ? data.total - cells.length : 0,
    }
  }, [data, ofLanes.data, field, lane])
  const retry = () => {
    for (const each of [{ error, refetch }, ofLanes]) if (each.error) void each.refetch()
  }
  return { ...shown, error: error ?? ofLanes.error, retry }
}

type Answers = Parameters<typeof groupsOfField>[1]

/** One answer per column; with swimlanes, the label also contains the swimlane, and columns occur repeatedly. */
function columnAnswers(field: Field, answers: Answers): Answers {
  const columns = new Map(answers.map((answer) => [keyOf(answer.key[field.name]), answer] as const))
  return [...columns.values()].map((answer) =>
    Object.keys(answer.key).length === 1 ? answer : { ...answer, label: answer.label.split(' · ').at(-1) ?? '' },
  )
}

const hasRecords = (answers: Answers, lane: Field) => {
  const keys = new Set(answers.map(({ key }) => keyOf(key[lane.name])))
  return ({ key }: BoardGroup) => keys.has(key)
}

type CountOf = (cell: string) => number

type RowProps = {
  readonly board: BoardContext
  readonly marks: CardMarks
  readonly columns: readonly BoardGroup[]
  readonly lane: BoardGroup | undefined
  readonly countOf: CountOf
}

function BoardRow({ board, marks, columns, lane, countOf }: RowProps) {
  const { collection, field } = board
  const [collapsed, setCollapsed] = useCollapsedGroups(collection.id, `board.${field.id}`)
  const cells = useMemo(() => columns.map((column) => cellOf(column, lane)), [columns, lane])
  return (
    <div className="board-columns">
      {cells.map((cell) => (
        <BoardColumn
          key={cell.key}
          board={board}
          marks={marks}
          cell={cell}
          cells={cells}
          count={countOf(cell.key)}
          isCollapsed={isGroupCollapsed(collapsed, cell.column.key)}
          onCollapse={() => setCollapsed(withToggled(collapsed, cell.column.key))}
          newValues={board.actions().create && newValuesIn(board, cell)}
        />
      ))}
    </div>
  )
}

type LanesProps = Omit<RowProps, 'lane'> & { readonly group: string; readonly lanes: readonly BoardGroup[] }

function BoardLanes({ group, lanes, ...row }: LanesProps) {
  const { board, columns, countOf } = row
  const [collapsed, setCollapsed] = useCollapsedGroups(board.collection.id, group)
  return lanes.map((each) => {
    // The same key as in other views, so that all groups can be collapsed together.
    const key = `[${each.key}]`
    const isCollapsed = isGroupCollapsed(collapsed, key)
    const count = columns.reduce((sum, column) => sum + countOf(cellOf(column, each).key), 0)
    return (
      <section key={each.key} role="group" className="board-lane" aria-label={each.label}>
        <h2>
          <button type="button" aria-expanded={!isCollapsed} onClick={() => setCollapsed(withToggled(collapsed, key))}>
            <IconChevronRight size={16} stroke={1.5} aria-hidden />
            {each.label}
            <span className="board-count">{numberText(count)}</span>
          </button>
        </h2>
        {!isCollapsed && <BoardRow {...row} lane={each} />}
      </section>
    )
  })
}

const BoardSkeleton = () => (
  <div className="board-columns" role="img" aria-label={t('Loading')}>
    {[5, 3, 4, 2].map((cards, at) => (
      <div key={at} className="board-column">
        <span className="grid-skeleton board-skeleton-head" />
        {Array.from({ length: cards }, (_, card) => (
          <span key={card} className="grid-skeleton board-skeleton-card" />
        ))}
      </div>
    ))}
  </div>
)

/** Lets the list return focus to the board, for example after a record was closed. */
function useBoardHandle(handleRef: GridProps<RecordRow>['handleRef'], root: { readonly current: HTMLElement | null }) {
  useImperativeHandle(handleRef, () => ({
    goTo: () => false,
    show: () => false,
    edit: () => false,
    columnId: () => undefined,
    columnIds: () => [],
    has: () => false,
    ordinal: () => undefined,
    focus: () => {
      root.current?.querySelector<HTMLElement>('.board-title')?.focus()
    },
  }))
}
