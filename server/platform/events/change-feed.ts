import type { RecordChange } from '#domain/query/list/evaluate-change.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import type { CommitId } from '#server/platform/database/database.ts'

export type ChangedRecords = readonly RecordChange[] | 'many'

export const PEOPLE = 'people'

export type CommitNotice = {
  /** The commit ID; null if unknown, in which case individual records aren't reported either. */
  readonly mark: CommitId | null
  readonly changed: ReadonlyMap<CollectionId, ChangedRecords> | 'everything'
}

/** Must be fast and must not throw, because the writer waits for it. */
export type FeedListener = (announcement: CommitNotice) => void

export type ChangeFeed = {
  readonly announce: FeedListener
  /** Subscribes a listener; returns a function that unsubscribes it. */
  readonly subscribe: (listener: FeedListener) => () => void
}

export const NAMES_CHANGED: CommitNotice = { mark: null, changed: new Map([[PEOPLE, 'many']]) }

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
