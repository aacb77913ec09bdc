import type { Collection } from '#domain/collections/collection.ts'
import type { Event } from '#domain/shared/event.ts'
import type { RecordChange } from '#domain/query/list/evaluate-change.ts'
import type { CollectionId, FieldId } from '#domain/shared/ids.ts'
import { sameJson } from '#domain/shared/json.ts'
import type { ChangedRecords } from '#server/platform/events/change-feed.ts'
import type { WrittenRecords } from '#server/records/rollups/maintain-rollups.ts'
import type { Change } from './change-log.ts'

/** Maximum number of records per commit that are published individually; above this limit, reloading is cheaper. */
const MAX_RECORDS_PUBLISHED = 300

export type RecordChangeNotes = {
  /**
   * Registers the change to one record. Must be called for every written record, in write order. `unread` are fields
   * written without read permission: their rules are checked even if the value is unchanged.
   */
  readonly note: (collection: CollectionId, change: RecordChange, unread?: readonly FieldId[]) => void
  /** Registers the change to a record that was restored or changed as a side effect; no rules are checked. */
  readonly noteUnjudged: (collection: CollectionId, change: RecordChange) => void
  /** Registers changes to more records than are published individually. */
  readonly noteManyChanges: (collection: CollectionId) => void
}

type NotedChange = { readonly collection: CollectionId; readonly change: RecordChange }
type RuleCheck = NotedChange & { readonly unread: readonly FieldId[] }

export const withoutRuleChecks = <Notes extends RecordChangeNotes>(writing: Notes): Notes => ({
  ...writing,
  note: writing.noteUnjudged,
})

type DoneWrite = { readonly changes: readonly Change[]; readonly events: readonly Event[] }

type ChangeCollector = RecordChangeNotes & {
  readonly rulesToCheck: () => readonly RuleCheck[]
  readonly changedBy: (done: DoneWrite) => ReadonlyMap<CollectionId, ChangedRecords> | undefined
  /** All changes in collections that rollups read, and the collections and fields with other changes. */
  readonly writtenBy: (done: DoneWrite) => Omit<WrittenRecords, 'areDefinitionsChanged'>
}

export function collectRecordChanges(
  hasRules: (collection: CollectionId) => boolean,
  isRolledUp: (collection: CollectionId) => boolean,
): ChangeCollector {
  const noted: NotedChange[] = []
  const rolledUp: NotedChange[] = []
  const withManyChanges = new Set<CollectionId>()
  const rulesToCheck: RuleCheck[] = []
  const noteUnjudged = (collection: CollectionId, change: RecordChange): void => {
    if (isRolledUp(collection)) rolledUp.push({ collection, change })
    if (noted.length < MAX_RECORDS_PUBLISHED) noted.push({ collection, change })
    else withManyChanges.add(collection)
  }

  return {
    note: (collection, change, unread = []) => {
      noteUnjudged(collection, change)
      if (hasRules(collection)) rulesToCheck.push({ collection, change, unread })
    },
    noteUnjudged,
    rulesToCheck: () => rulesToCheck,
    noteManyChanges: (collection) => void withManyChanges.add(collection),
    writtenBy: ({ changes, events }) => {
      const known = new Set(rolledUp.map(({ collection }) => collection))
      const unknown = events.flatMap((event) =>
        event.type === 'records-changed' && (event.records.length === 0 || !known.has(event.collection))
          ? event.collection
          : [],
      )
      const others = changes.filter(({ kind }) => kind !== 'collection-changed')
      return {
        noted: rolledUp,
        unknown: new Set([...unknown, ...collectionsWithoutNotes(others, rolledUp)]),
        redefined: new Set(changes.flatMap(redefinedFields)),
      }
    },
    changedBy: ({ changes, events }) => {
      const changed = new Map<CollectionId, ChangedRecords>(
        [...Map.groupBy(noted, ({ collection }) => collection)].map(([id, notes]) => [
          id,
          notes.map(({ change }) => change),
        ]),
      )
      for (const id of [
        ...withManyChanges,
        ...collectionsWithoutNotes(changes, noted),
        ...(changes.length === 0 ? changed.keys() : []),
      ])
        changed.set(id, 'many')
      for (const event of events) {
        if (event.type === 'records-changed' && !changed.has(event.collection)) changed.set(event.collection, 'many')
      }
      return changed.size === 0 ? undefined : changed
    },
  }
}

/** Fields whose values a definition change may have changed. */
function redefinedFields({ kind, before, after }: Change): readonly FieldId[] {
  if (kind !== 'collection-changed') return []
  const [were, are] = [before, after].map((json) => {
    const collection = json as unknown as Collection | null
    return new Map(collection?.fields.map((field) => [field.id, { kind: field.kind, options: field.options }]))
  })
  const ids = new Set([...(were?.keys() ?? []), ...(are?.keys() ?? [])])
  return [...ids].filter((id) => !sameJson(were?.get(id) ?? null, are?.get(id) ?? null))
}

const OF_VIEWS: ReadonlySet<Change['kind']> = new Set(['view-created', 'view-changed', 'view-deleted'])

/** Collections with log entries that weren't reported, because another code path wrote them. */
function collectionsWithoutNotes(log: readonly Change[], noted: readonly NotedChange[]): readonly CollectionId[] {
  const known = new Set(noted.flatMap(({ change }) => change.after?.id ?? change.before?.id ?? []))
  return log.flatMap(({ kind, collection, record }) =>
    collection === null || OF_VIEWS.has(kind) || (record !== null && known.has(record)) ? [] : collection,
  )
}
