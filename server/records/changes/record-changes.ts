import type { Event } from '#domain/shared/event.ts'
import type { RecordChange } from '#domain/query/list/evaluate-change.ts'
import type { CollectionId, FieldId } from '#domain/shared/ids.ts'
import type { ChangedRecords } from '#server/platform/events/change-feed.ts'
import type { Change } from './change-log.ts'

/** Most records of a commit that are published individually; reloading is cheaper above that. */
const MAX_RECORDS_PUBLISHED = 300

/** What a write in progress reports to the change feed. */
export type RecordChangeNotes = {
  /**
   * One record as it was and as it is now. To be called for every record that is written, in the order of the writing.
   * `unread` are fields that were written unread: rules are asked about them even where they are what they were.
   */
  readonly note: (collection: CollectionId, change: RecordChange, unread?: readonly FieldId[]) => void
  /**
   * The same for a record that follows from what was done to another, or goes back to what it was: no rule is asked.
   */
  readonly noteUnjudged: (collection: CollectionId, change: RecordChange) => void
  /** Says that records of a collection change in ways that are not noted one by one. */
  readonly noteMuch: (collection: CollectionId) => void
}

type NotedChange = { readonly collection: CollectionId; readonly change: RecordChange }
type RuleCheck = NotedChange & { readonly unread: readonly FieldId[] }

/** A write whose records no rule is asked about. */
export const withoutRuleChecks = <Notes extends RecordChangeNotes>(writing: Notes): Notes => ({
  ...writing,
  note: writing.noteUnjudged,
})

/** Notes of one write, and the announcement they come to together with its entries in the log and its events. */
export function collectRecordChanges(hasRules: (collection: CollectionId) => boolean): RecordChangeNotes & {
  /** What was written where there are rules, all of it. */
  readonly toJudge: () => readonly RuleCheck[]
  /** What the write changed by its notes, its entries in the log and its events; undefined where that is nothing. */
  readonly changedBy: (done: {
    readonly changes: readonly Change[]
    readonly events: readonly Event[]
  }) => ReadonlyMap<CollectionId, ChangedRecords> | undefined
} {
  const noted: NotedChange[] = []
  const much = new Set<CollectionId>()
  const toJudge: RuleCheck[] = []
  const noteUnjudged = (collection: CollectionId, change: RecordChange): void => {
    if (noted.length < MAX_RECORDS_PUBLISHED) noted.push({ collection, change })
    else much.add(collection)
  }

  return {
    note: (collection, change, unread = []) => {
      noteUnjudged(collection, change)
      if (hasRules(collection)) toJudge.push({ collection, change, unread })
    },
    noteUnjudged,
    toJudge: () => toJudge,
    noteMuch: (collection) => void much.add(collection),
    changedBy: ({ changes, events }) => {
      const changed = new Map<CollectionId, ChangedRecords>(
        [...Map.groupBy(noted, ({ collection }) => collection)].map(([id, notes]) => [
          id,
          notes.map(({ change }) => change),
        ]),
      )
      for (const id of [
        ...much,
        ...collectionsWithoutNotes(changes, noted),
        ...(changes.length === 0 ? changed.keys() : []),
      ])
        changed.set(id, 'much')
      for (const event of events) {
        if (event.type === 'records-changed' && !changed.has(event.collection)) changed.set(event.collection, 'much')
      }
      return changed.size === 0 ? undefined : changed
    },
  }
}

/** A view is no record: nothing follows from it. */
const OF_VIEWS: ReadonlySet<Change['kind']> = new Set(['view-created', 'view-changed', 'view-deleted'])

/** Collections of which the log tells something that was not noted: it was written on another road. */
function collectionsWithoutNotes(log: readonly Change[], noted: readonly NotedChange[]): readonly CollectionId[] {
  const known = new Set(noted.flatMap(({ change }) => change.after?.id ?? change.before?.id ?? []))
  return log.flatMap(({ kind, collection, record }) =>
    collection === null || OF_VIEWS.has(kind) || (record !== null && known.has(record)) ? [] : collection,
  )
}
