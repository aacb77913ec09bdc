import type { Event } from '#domain/events/event.ts'
import type { RecordChange } from '#domain/query/judge-change.ts'
import type { CollectionId, FieldId } from '#domain/shared/ids.ts'
import type { RecordsChanged } from './change-feed.ts'
import type { Change } from './change-log.ts'

/** Most records of one commit that are told one by one; judging more of them costs more than reading anew. */
const MOST_RECORDS_TOLD = 300

/** What a write on its way notes for the change feed. */
export type RecordNotes = {
  /**
   * One record as it was and as it is now. To be called for every record that is written, in the order of the writing.
   * `unread` are fields that were written unread: rules are asked about them even where they are what they were.
   */
  readonly note: (collection: CollectionId, change: RecordChange, unread?: readonly FieldId[]) => void
  /** The same for a record that follows from what was done to another, or goes back to what it was: no rule is asked. */
  readonly noteUnjudged: (collection: CollectionId, change: RecordChange) => void
  /** Says that records of a collection change in ways that are not noted one by one. */
  readonly noteMuch: (collection: CollectionId) => void
}

type Noted = { readonly collection: CollectionId; readonly change: RecordChange }
type ToJudge = Noted & { readonly unread: readonly FieldId[] }

/** A write whose records no rule is asked about. */
export const unjudged = <Notes extends RecordNotes>(writing: Notes): Notes => ({
  ...writing,
  note: writing.noteUnjudged,
})

/** Notes of one write, and the announcement they come to together with its entries in the log and its events. */
export function takeNotes(hasRules: (collection: CollectionId) => boolean): RecordNotes & {
  /** What was written where there are rules, all of it. */
  readonly toJudge: () => readonly ToJudge[]
  /** What the write changed by its notes, its entries in the log and its events; undefined where that is nothing. */
  readonly changedBy: (done: {
    readonly changes: readonly Change[]
    readonly events: readonly Event[]
  }) => ReadonlyMap<CollectionId, RecordsChanged> | undefined
} {
  const noted: Noted[] = []
  const much = new Set<CollectionId>()
  const toJudge: ToJudge[] = []
  const noteUnjudged = (collection: CollectionId, change: RecordChange): void => {
    if (noted.length < MOST_RECORDS_TOLD) noted.push({ collection, change })
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
      const changed = new Map<CollectionId, RecordsChanged>(
        [...Map.groupBy(noted, ({ collection }) => collection)].map(([id, notes]) => [
          id,
          notes.map(({ change }) => change),
        ]),
      )
      for (const id of [...much, ...unnoted(changes, noted), ...(changes.length === 0 ? changed.keys() : [])])
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
function unnoted(log: readonly Change[], noted: readonly Noted[]): readonly CollectionId[] {
  const known = new Set(noted.flatMap(({ change }) => change.after?.id ?? change.before?.id ?? []))
  return log.flatMap(({ kind, collection, record }) =>
    collection === null || OF_VIEWS.has(kind) || (record !== null && known.has(record)) ? [] : collection,
  )
}
