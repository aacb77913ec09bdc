import type { RecordListItem } from '#api/records.ts'
import { queryKeys } from '#web/data/queries/query-client.ts'
import { titleFieldOf } from '#web/shared/fields/typed-collection.ts'
import { isEmptyClientValue } from '#web/shared/fields/client-value.ts'
import { rowAt } from '#web/ui/grid/grid-props.ts'
import { invalidateLists } from '#web/data/queries/record-queries.ts'
import { createStore, type Store } from '#web/ui/store.ts'
import { type CellContext, ordinalOf, affectsListing } from './cell-context.ts'
import { readRecords, type Operation } from './save/write-cells.ts'

/** Maximum number of new records to load by id; with more, the list is refreshed instead. */
const MAX_READ = 100

/** Updates a list after its records are edited. */
export type ListSync = ReturnType<typeof createListSync>

/** A record that no longer matches the filter or sort order remains until the user leaves or refreshes the list. */
export function createListSync(worldNow: () => CellContext) {
  const state: State = { isStale: false, hasLeft: false, isOutdated: createStore(false) }
  const noteEdited = (fields: readonly string[]): void => {
    if (!affectsListing(worldNow().listing, fields)) return
    state.isStale = true
    state.isOutdated.set(true)
  }
  const leave = (): void => {
    state.hasLeft = true
    void refresh()
  }
  const refresh = (): Promise<void> => refreshList(worldNow, state)
  const showMade = (ids: readonly string[], isFirstEdited = false): Promise<void> =>
    showCreatedRecords(worldNow, state, { ids, isFirstEdited })
  return {
    showMade,
    /** Whether edited records may no longer match the filter or sort order. */
    isOutdated: state.isOutdated,
    begin: ({ changes, make }: Operation) => {
      state.hasLeft = false
      noteEdited([...new Set(changes.map(({ field }) => field))])
      if (make.length > 0) state.isStale = true
    },
    /** Called when focus leaves the list, the side panel shows another record, or the user requests a refresh. */
    leave,
    onStoredBeside: (fields: readonly string[], isLeft: boolean) => {
      noteEdited(fields)
      state.hasLeft = isLeft
      forgetShown(worldNow())
      void refresh()
    },
    onStored: (operation: Operation, created: readonly string[]) => {
      forgetStored(worldNow(), operation)
      if (operation.remove.length > 0) {
        state.isStale = true
        state.hasLeft = true
      }
      if (created.length > 0) void showMade(created)
      else void refresh()
    },
  }
}

type State = { isStale: boolean; hasLeft: boolean; readonly isOutdated: Store<boolean> }

async function refreshList(worldNow: () => CellContext, state: State): Promise<void> {
  const { queryClient, collection, edits } = worldNow()
  if (!state.isStale || !state.hasLeft || edits.waiting() > 0) return
  state.isStale = false
  state.isOutdated.set(false)
  const stood = edits.get().made
  invalidateLists(queryClient, collection.name)
  await queryClient.refetchQueries({ queryKey: queryKeys.records(collection.name), type: 'active' })
  edits.dropMade((id) => stood.some((made) => made.id === id))
}

type Made = { readonly ids: readonly string[]; readonly isFirstEdited: boolean }

async function showCreatedRecords(
  worldNow: () => CellContext,
  state: State,
  { ids, isFirstEdited }: Made,
): Promise<void> {
  const { collection, edits } = worldNow()
  state.isStale = true
  const records: readonly RecordListItem[] =
    ids.length > MAX_READ
      ? []
      : await readRecords(collection.name, ids).then(
          (found) => found,
          () => [],
        )
  const [first] = records
  if (!first) {
    state.hasLeft = true
    return refreshList(worldNow, state)
  }
  state.hasLeft = false
  edits.learn(records)
  edits.addMade(ids.flatMap((id) => records.find((record) => record.id === id) ?? []))
  focusCreated(worldNow, first.id, { isEdited: isFirstEdited, frames: MAX_FRAMES })
}

/** Maximum number of frames to wait for a new record to be rendered. */
const MAX_FRAMES = 30

type FocusOptions = { readonly isEdited: boolean; readonly frames: number }

/** Focuses a new record after it is rendered. */
function focusCreated(worldNow: () => CellContext, record: string, { isEdited, frames }: FocusOptions): void {
  const world = worldNow()
  const ordinal = ordinalOf(world, record)
  const title = titleFieldOf(world.collection)
  if (ordinal === undefined) {
    const next = { isEdited, frames: frames - 1 }
    if (frames > 0) requestAnimationFrame(() => focusCreated(worldNow, record, next))
    return
  }
  // If the record already has a title, the editor isn't opened.
  const isNamed = title && !isEmptyClientValue(title.kind, rowAt(world.source, ordinal)?.record.values[title.name])
  const isOpen = isEdited && title && !isNamed && world.grid()?.edit(ordinal, title.id)
  if (!isOpen) world.grid()?.goTo(ordinal, title?.id)
}

const isShown = (part: unknown): boolean => part === 'list' || part === 'groups'

/** Visible data is already up to date, so it is refetched only the next time it is shown. */
function forgetShown({ queryClient, collection }: Pick<CellContext, 'queryClient' | 'collection'>): void {
  const queryKey = queryKeys.records(collection.name)
  void queryClient.invalidateQueries({
    queryKey,
    predicate: ({ queryKey: key }) => isShown(key[2]),
    refetchType: 'none',
  })
}

/** Invalidates cached records except visible data, which is already up to date. */
function forgetStored({ queryClient, collection }: CellContext, { changes, make, remove }: Operation): void {
  const queryKey = queryKeys.records(collection.name)
  const changed = new Set(changes.map(({ record }) => record))
  // Only creating and deleting records affects the count.
  const isOld = (part: unknown) => part !== 'count' || make.length + remove.length > 0
  forgetShown({ queryClient, collection })
  void queryClient.invalidateQueries({
    queryKey,
    predicate: ({ queryKey: key }) =>
      key[2] === 'one' ? changed.has(String(key[3])) : !isShown(key[2]) && isOld(key[2]),
  })
}
