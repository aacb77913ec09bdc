import type { Event } from '#domain/shared/event.ts'
import { type Database, MAX_NOTIFICATION_BYTES, type Transaction } from '#server/platform/database/database.ts'
import { type CommitNotice, type ChangeFeed, NAMES_CHANGED, PEOPLE } from './change-feed.ts'

/**
 * What one process tells the others of a commit is which collections changed, never what stands in them, for whoever may
 * connect to the database may listen: this word and their ids, or this word alone when it may be anything.
 */
const CHANGED = 'changed'
const EVERYTHING = 'everything'

/** Tells the other processes, with the commit, what this process's own feed is told after it. */
export function notifyCluster(transaction: Transaction, { changed }: Pick<CommitNotice, 'changed'>): void {
  const message = changed === 'everything' ? EVERYTHING : [CHANGED, ...changed.keys()].join(' ')
  transaction.tellOthers(Buffer.byteLength(message) > MAX_NOTIFICATION_BYTES ? EVERYTHING : message)
}

/** Says, here and in the other processes, that somebody got another name. */
export function publishNameChange(transaction: Transaction, feed: ChangeFeed): void {
  transaction.afterCommit(() => feed.announce(NAMES_CHANGED))
  notifyCluster(transaction, NAMES_CHANGED)
}

/** Who is told of what other processes changed. */
export type ClusterSyncDeps = {
  readonly database: Database
  readonly announce: (event: Event) => void
  readonly feed: ChangeFeed
}

/** What keeps this process up to date with the others. */
export type ClusterSync = { readonly start: () => Promise<void>; readonly stop: () => Promise<void> }

/** Keeps this process up to date with the others on the same database, once it is started. */
export function createClusterSync({ database, announce, feed }: ClusterSyncDeps): ClusterSync {
  let end = (): Promise<void> => Promise.resolve()
  const everything = (): void => {
    announce({ type: 'definitions-changed' })
    feed.announce({ mark: null, changed: 'everything' })
  }
  const heard = (message: string): void => {
    const [word, ...told] = message.split(' ')
    // What this version of the program does not know says that everything may have changed.
    if (word !== CHANGED) return everything()
    feed.announce({ mark: null, changed: new Map(told.map((collection) => [collection, 'much'])) })
    const collections = told.filter((id) => id !== PEOPLE)
    for (const collection of collections) announce({ type: 'records-changed', collection, records: [] })
  }
  return {
    start: async () => {
      end = await database.hearOthers({ missed: everything, heard })
    },
    stop: () => end(),
  }
}
