import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import type { Field } from '#domain/fields/field.ts'
import { startingValue } from '#domain/fields/kinds.ts'
import { type BoardMove, boardMove, type BoardValue, type OfferedTransition } from '#domain/views/board-moves.ts'
import { queryKeys, reloadQueries } from '#web/data/queries/query-client.ts'
import { listText } from '#web/i18n/locale.ts'
import { t } from '#web/i18n/t.ts'
import type { RecordRow } from '#web/shared/cell-editing/cell-context.ts'
import { canBeSetInNew, isSetByWorkflow, isWritable } from '#web/shared/fields/editable-cells.ts'
import { recordTitle } from '#web/shared/fields/record-title.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { notifyFailure } from '#web/shared/navigation/failure-notice.tsx'
import { changeStatus, transitionsQuery } from '#web/shared/workflow/transition-queries.ts'
import type { MenuCommand } from '#web/ui/grid/editing/grid-editing.ts'
import { createStore, type Store } from '#web/ui/store.ts'
import { notify } from '#web/ui/toast/notify.ts'
import type { NewValue, RecordActions, RecordPlace } from '../view-kind.ts'
import { type BoardGroup, groupKeysOf, valueAfterMove } from './board-columns.ts'

export type BoardFields = {
  readonly collection: TypedCollection
  readonly field: Field
  /** Field of the swimlanes. */
  readonly lane: Field | undefined
}

/** A column, or the part of a column in a swimlane. */
export type BoardCell = { readonly key: string; readonly column: BoardGroup; readonly lane: BoardGroup | undefined }

export const cellOf = (column: BoardGroup, lane: BoardGroup | undefined): BoardCell => ({
  key: lane ? `${lane.key} ${column.key}` : column.key,
  column,
  lane,
})

/** Values of a record created in a cell; undefined if the user can't create records there. */
export function newValuesIn({ collection, field, lane }: BoardFields, cell: BoardCell): Values | undefined {
  const parts = [{ field, group: cell.column }, ...(lane && cell.lane ? [{ field: lane, group: cell.lane }] : [])]
  const given = parts.filter(
    (part) => part.field.defaultFormula !== undefined || part.group.value !== startingValue(part.field),
  )
  if (!given.every(({ field: each, group }) => group.value !== undefined && canStartWith(collection, each)))
    return undefined
  return Object.fromEntries(given.map(({ field: each, group }) => [each.name, group.stored]))
}

type Values = { readonly [field: string]: unknown }

/** With a workflow, only managers can create records in another status than the first. */
const canStartWith = (collection: TypedCollection, field: Field): boolean =>
  canBeSetInNew(collection, field) &&
  (!isSetByWorkflow(collection, field) || collection.can.includes('collections:manage'))

export type Dragging = {
  readonly row: RecordRow
  readonly from: BoardCell
  readonly by: 'pointer' | 'keyboard'
  /** Where the card was in the manual order, and where it is dropped. */
  readonly place?: RecordPlace | undefined
  readonly beside?: RecordPlace | undefined
  readonly over: BoardCell
  /** Undefined while loading. */
  readonly offered: readonly OfferedTransition[] | undefined
}

/** A transition that requires or allows a comment, or requires values. */
export type PendingMove = {
  readonly row: RecordRow
  readonly from: BoardCell
  readonly to: BoardCell
  readonly transition: OfferedTransition
  readonly by: Dragging['by']
  readonly beside: Beside | undefined
}

/** Where a card was dropped in the manual order, and where it was before. */
type Beside = { readonly to: RecordPlace; readonly from: RecordPlace | undefined }

export type MoveAnswer = { readonly note: string; readonly values: readonly NewValue[] }

/** A card as it will be, and the cells that it leaves and enters; with several values, it is in several cells. */
type MovedCard = { readonly row: RecordRow; readonly left: readonly string[]; readonly entered: readonly string[] }

type MovedCards = ReadonlyMap<string, MovedCard>

export type BoardMoves = {
  readonly dragging: Store<Dragging | undefined>
  /** Cards shown in their new column until the move is saved and the columns are reloaded. */
  readonly moved: Store<MovedCards>
  readonly pending: Store<PendingMove | undefined>
  readonly announcement: Store<string>
  /** The card to focus when it is rendered. */
  readonly focusDue: { current: { readonly record: string; readonly cell: string } | undefined }
  readonly mayMove: boolean
  /** Whether cards can be moved within a column. */
  readonly mayReorder: boolean
  /** The card beside which the dragged card would be dropped. */
  readonly beside: { current: RecordPlace | undefined }
  readonly reorder: (row: RecordRow, cell: BoardCell, to: RecordPlace, from: RecordPlace | undefined) => void
  readonly pickUp: (row: RecordRow, from: BoardCell, by: Dragging['by'], place?: RecordPlace) => void
  readonly over: (to: BoardCell) => void
  readonly cancel: () => void
  readonly drop: () => void
  readonly answer: (answer: MoveAnswer | undefined) => void
  /** Moves a card without dragging, for its menu; those that are refused say why. */
  readonly commandsFor: (row: RecordRow, from: BoardCell, cells: readonly BoardCell[]) => readonly MenuCommand[]
  /** Why the dragged card can't enter a cell; undefined if it can. */
  readonly refusalOf: (dragging: Dragging, to: BoardCell) => string | undefined
}

type Deps = BoardFields & { readonly actions: RecordActions; readonly queryClient: QueryClient }

export function useBoardMoves({ collection, field, lane }: BoardFields, actions: RecordActions): BoardMoves {
  const queryClient = useQueryClient()
  const latest = useRef<Deps>({ collection, field, lane, actions, queryClient })
  useLayoutEffect(() => {
    latest.current = { collection, field, lane, actions, queryClient }
  })
  const moves = useMemo(() => createBoardMoves(() => latest.current), [])
  useEffect(() => moves.cancel, [moves])
  const mayReorder = actions.reorder !== undefined
  const mayTransition = [field, lane].some((each) => each && isSetByWorkflow(collection, each))
  return useMemo(
    () => ({
      ...moves,
      mayReorder,
      mayMove: actions.change !== undefined || (mayTransition && collection.can.includes('records:transition')),
    }),
    [moves, actions.change, mayReorder, mayTransition, collection],
  )
}

type Stores = Pick<BoardMoves, 'dragging' | 'moved' | 'pending' | 'announcement' | 'focusDue' | 'beside'>

function createBoardMoves(deps: () => Deps): Omit<BoardMoves, 'mayMove' | 'mayReorder'> {
  const stores: Stores = {
    dragging: createStore<Dragging | undefined>(undefined),
    moved: createStore<MovedCards>(new Map()),
    pending: createStore<PendingMove | undefined>(undefined),
    announcement: createStore(''),
    focusDue: { current: undefined },
    beside: { current: undefined },
  }
  const { dragging, pending, announcement } = stores
  const announce = (text: string) => announcement.set(announcement.get() === text ? `${text}\u00A0` : text)
  const titleOf = ({ record }: RecordRow) => recordTitle(deps().collection, record)
  const refusalOf = (drag: Dragging, to: BoardCell) => refusal(deps(), drag, to)
  return {
    ...stores,
    refusalOf,
    reorder: (row, cell, to, from) => {
      stores.focusDue.current = { record: row.record.id, cell: cell.key }
      void deps().actions.reorder?.(row.record, to, from)
    },
    pickUp: (row, from, by, place) => {
      stores.beside.current = undefined
      dragging.set({ row, from, by, place, over: from, offered: undefined })
      if (by === 'keyboard')
        announce(
          t('Picked up {title}. Use the arrow keys to choose a column, Space to drop it, Escape to cancel.', {
            title: titleOf(row),
          }),
        )
      void offeredTransitions(deps(), row).then((offered) => {
        const now = dragging.get()
        if (now?.row.record.id === row.record.id) dragging.set({ ...now, offered })
      })
    },
    over: (to) => {
      const now = dragging.get()
      if (!now || now.over.key === to.key) return
      dragging.set({ ...now, over: to })
      const why = refusalOf(now, to)
      announce(why === undefined ? describeCell(to) : `${describeCell(to)}: ${why}`)
    },
    cancel: () => {
      const now = dragging.get()
      if (!now) return
      dragging.set(undefined)
      const place = { title: titleOf(now.row), column: describeCell(now.from) }
      announce(t('Move canceled. {title} is back in {column}.', place))
    },
    drop: () => {
      const now = dragging.get()
      const beside = stores.beside.current
      stores.beside.current = undefined
      dragging.set(undefined)
      if (now) void dropCard({ deps, stores, announce }, { ...now, beside })
    },
    commandsFor: (row, from, cells) =>
      cells.filter(({ key }) => key !== from.key).map((to) => commandTo({ deps, stores, announce }, row, from, to)),
    answer: (answer) => {
      const now = pending.get()
      pending.set(undefined)
      if (now && answer) void perform({ deps, stores }, now, answer)
    },
  }
}

type Dropping = { readonly deps: () => Deps; readonly stores: Stores; readonly announce: (text: string) => void }

function commandTo(dropping: Dropping, row: RecordRow, from: BoardCell, over: BoardCell): MenuCommand {
  const move: Dragging = { row, from, by: 'keyboard', over, offered: undefined }
  const hint = refusal(dropping.deps(), move, over)
  const label = t('Move to {column}', { column: over.column.label })
  return { label, hint, run: hint === undefined ? () => void dropCard(dropping, move) : undefined }
}

async function dropCard({ deps, stores, announce }: Dropping, dragged: Dragging): Promise<void> {
  const { row, from: cell, over, by } = dragged
  const offered = dragged.offered ?? (await offeredTransitions(deps(), row))
  const decided = { ...dragged, offered }
  const title = recordTitle(deps().collection, row.record)
  const why = refusal(deps(), decided, over)
  if (why !== undefined) {
    announce(`${describeCell(over)}: ${why}`)
    return void notify.info(t('{title} wasn’t moved', { title }), { detail: why })
  }
  const steps = movesTo(deps(), decided, over)
  const { beside: to, place: from } = dragged
  const beside = to && { to, from }
  if (steps.every(({ move }) => move.is === 'stay')) {
    if (!beside) return announce(describeCell(over))
    await deps().actions.reorder?.(row.record, beside.to, beside.from)
    return
  }
  const [asking] = steps.flatMap(({ move }) => (move.is === 'transition' && asks(move.transition) ? move : []))
  if (asking) return stores.pending.set({ row, from: cell, to: over, by, transition: asking.transition, beside })
  announce(t('{title} moved to {column}.', { title, column: describeCell(over) }))
  await perform({ deps, stores }, { row, from: cell, to: over, by, beside })
}

/** Shows the card in its new column, saves the move, and shows the columns as they are then. */
async function perform(
  { deps, stores: { moved, focusDue } }: Omit<Dropping, 'announce'>,
  { row, from, to, by, beside }: Omit<PendingMove, 'transition'>,
  answer?: MoveAnswer,
): Promise<void> {
  const { record } = row
  const { collection, queryClient } = deps()
  if (by === 'keyboard') focusDue.current = { record: record.id, cell: to.key }
  const parts = partsOf(deps(), row, from, to)
  const changed = Object.fromEntries(parts.map(({ field, value }) => [field.name, value]))
  const after = { ...row, record: { ...record, values: { ...record.values, ...changed } } }
  const [before, next] = [cellKeysOf(deps(), row), cellKeysOf(deps(), after)]
  const [left, entered] = [before.filter((key) => !next.includes(key)), next.filter((key) => !before.includes(key))]
  moved.set(new Map(moved.get()).set(record.id, { row: after, left, entered }))
  const isSaved = await save(deps(), row, { to, parts }, answer)
  if (isSaved && beside) await deps().actions.reorder?.(record, beside.to, beside.from)
  await reloadQueries(queryClient, queryKeys.recordWindows(collection.name))
  const others = new Map(moved.get())
  others.delete(record.id)
  moved.set(others)
}

const asks = ({ note, missing }: OfferedTransition): boolean => note !== 'none' || missing.length > 0

const describeCell = ({ column, lane }: BoardCell): string =>
  lane ? t('{column}, {group}', { column: column.label, group: lane.label }) : column.label

function cellKeysOf({ field, lane }: BoardFields, { record }: RecordRow): readonly string[] {
  const columns = groupKeysOf(field, record.values)
  return lane ? groupKeysOf(lane, record.values).flatMap((row) => columns.map((key) => `${row} ${key}`)) : columns
}

/** Failures count as no transitions, so that the server's message is shown when the card is dropped again. */
async function offeredTransitions(
  { collection, field, lane, queryClient }: Deps,
  { record }: RecordRow,
): Promise<readonly OfferedTransition[]> {
  const status = [field, lane].find((each) => each && isSetByWorkflow(collection, each))
  if (status?.kind !== 'state' || !collection.can.includes('records:transition')) return []
  const { choices } = status.options
  return queryClient.fetchQuery(transitionsQuery(collection.name, record.id, record.version)).then(
    ({ items }) =>
      items.flatMap((item) => {
        const to = choices.find(({ name }) => name === item.to)?.id
        return to === undefined ? [] : { ...item, to }
      }),
    () => [],
  )
}

type FieldMove = { readonly field: Field; readonly to: BoardGroup; readonly move: BoardMove }

/** How the card would change for its column and its swimlane. */
function movesTo(deps: Deps, { row, from, offered }: Dragging, to: BoardCell): readonly FieldMove[] {
  const { collection, field, lane } = deps
  const moveIn = (each: Field, start: BoardGroup, end: BoardGroup): FieldMove => {
    if (start.key === end.key) return { field: each, to: end, move: { is: 'stay' } }
    if (end.value === undefined) return { field: each, to: end, move: { is: 'refused', because: 'read-only' } }
    const isWorkflow = isSetByWorkflow(collection, each)
    const rules = { field: each, transitions: isWorkflow ? (collection.workflow?.transitions ?? []) : undefined }
    const value: BoardValue = start.value ?? null
    const card = { value, isWritable: isWritable(collection, each, row.record), offered }
    return { field: each, to: end, move: boardMove(rules, card, end.value) }
  }
  return [
    moveIn(field, from.column, to.column),
    ...(lane && from.lane && to.lane ? [moveIn(lane, from.lane, to.lane)] : []),
  ]
}

function refusal(deps: Deps, drag: Dragging, to: BoardCell): string | undefined {
  const refused = movesTo(deps, drag, to).find(({ move }) => move.is === 'refused')
  if (refused?.move.is !== 'refused') return undefined
  const { field, move } = refused
  switch (move.because) {
    case 'read-only':
      return t('You can’t edit {label} in this record.', { label: field.label })
    case 'required':
      return t('{label} is required.', { label: field.label })
    case 'no-transition':
      return t('No transition leads here from {status}.', { status: drag.from.column.label })
    case 'unavailable':
      return t('“{transition}” isn’t available to you for this record.', { transition: move.transition ?? '' })
  }
}

/** What a transition asks for, as shown on a column before the drop. */
export function describeAsks({ collection }: BoardFields, transition: OfferedTransition): string | undefined {
  const labels = transition.missing.map((name) => collection.fields.find((each) => each.name === name)?.label ?? name)
  if (labels.length > 0) return t('Asks for {labels}', { labels: listText(labels) })
  return transition.note === 'required' ? t('Asks for a comment') : undefined
}

/** A field that changes for another column or swimlane, and its new value. */
type CellPart = NewValue & { readonly to: BoardGroup }

function partsOf(
  { field, lane }: BoardFields,
  { record }: RecordRow,
  from: BoardCell,
  to: BoardCell,
): readonly CellPart[] {
  const part = (each: Field, start: BoardGroup, end: BoardGroup): readonly CellPart[] =>
    start.key === end.key ? [] : [{ field: each, to: end, value: valueAfterMove(each, record.values, start, end) }]
  return [
    ...part(field, from.column, to.column),
    ...(lane && from.lane && to.lane ? part(lane, from.lane, to.lane) : []),
  ]
}

async function save(
  deps: Deps,
  { record }: RecordRow,
  { to, parts }: { readonly to: BoardCell; readonly parts: readonly CellPart[] },
  answer: MoveAnswer | undefined,
): Promise<boolean> {
  const { collection, actions, queryClient } = deps
  const isStatus = (each: CellPart) => isSetByWorkflow(collection, each.field)
  const status = parts.find(isStatus)
  const values = [
    ...(answer?.values ?? []),
    ...parts.filter((each) => !isStatus(each)).map(({ field, value }): NewValue => ({ field, value })),
  ]
  const changed = values.length > 0 ? await actions.change?.(record, values) : undefined
  if (values.length > 0 && changed?.is !== 'saved') return false
  if (!status) {
    if (changed?.is === 'saved') notifyMoved(to, changed.undo)
    return true
  }
  const chosen = {
    move: { to: status.to.label },
    ...(answer?.note && { note: answer.note }),
    ...(values.length === 0 && { version: record.version }),
  }
  const fail = notifyFailure()
  return changeStatus(queryClient, { collection: collection.name, record: record.id }, chosen).then(
    ({ undo }) => {
      actions.noteUndo(undo)
      return true
    },
    (error: unknown) => {
      fail(error)
      return false
    },
  )
}

const MOVED = 'board-moved'

function notifyMoved(to: BoardCell, undo: () => void): void {
  const run = (): void => {
    notify.dismiss(MOVED)
    undo()
  }
  notify.success(t('Moved to {column}', { column: describeCell(to) }), { id: MOVED, action: { label: t('Undo'), run } })
}
