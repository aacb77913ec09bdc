import type { RecordChange } from '#domain/query/list/evaluate-change.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import type { CommitId } from '#server/platform/database/database.ts'

/** What became of the records of one collection: each of them before and after, or so many that they are not told. */
export type ChangedRecords = readonly RecordChange[] | 'much'

/** Stands among the collections for the names of people, by which records are found and sorted as well. */
export const PEOPLE = 'people'

/** What one commit changed. */
export type CommitNotice = {
  /** Which commit it was; null where nobody can tell, and then no records are told either. */
  readonly mark: CommitId | null
  /** By collection; `everything` when definitions changed. */
  readonly changed: ReadonlyMap<CollectionId, ChangedRecords> | 'everything'
}

/** Hears of a commit. It must be quick and must not throw: the writer's answer waits for it. */
export type FeedListener = (announcement: CommitNotice) => void

/**
 * Tells what was committed, to whoever keeps something in memory that follows from records.
 *
 * What is guaranteed: nothing is told before its commit, and nothing of a write that was rolled back; a write is told
 * before it is answered, so whoever wrote finds everything brought up to date. On SQLite commits are told in their
 * order. On PostgreSQL they are told in the order in which their answers arrive: two that change the same record may, very
 * rarely, come the other way round, so listeners must not rely on the order, and `mark` tells for each commit whether a
 * statement had seen it. Changes by other processes arrive whenever somebody announces them here.
 */
export type ChangeFeed = {
  readonly announce: FeedListener
  /** Begins to listen; the answer ends it. */
  readonly subscribe: (listener: FeedListener) => () => void
}

/** What is told when somebody got another name. */
export const NAMES_CHANGED: CommitNotice = { mark: null, changed: new Map([[PEOPLE, 'much']]) }

/** A feed that nobody listens to yet. */
export function createChangeFeed(): ChangeFeed {
  const listeners = new Set<FeedListener>()
  return {
    announce: (announcement) => {
      for (const listener of listeners) listener(announcement)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
