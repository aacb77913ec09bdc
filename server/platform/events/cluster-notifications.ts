import type { Event } from '#domain/shared/event.ts'
import { type Database, MAX_NOTIFICATION_BYTES, type Transaction } from '#server/platform/database/database.ts'
import { type CommitNotice, type ChangeFeed, NAMES_CHANGED, PEOPLE } from './change-feed.ts'

/** A notification names the changed collections but never contains their data, because any database user can listen. */
const CHANGED = 'changed'
const EVERYTHING = 'everything'

export function notifyCluster(transaction: Transaction, { changed }: Pick<CommitNotice, 'changed'>): void {
  const message = changed === 'everything' ? EVERYTHING : [CHANGED, ...changed.keys()].join(' ')
  transaction.tellOthers(Buffer.byteLength(message) > MAX_NOTIFICATION_BYTES ? EVERYTHING : message)
}

export function publishNameChange(transaction: Transaction, feed: ChangeFeed): void {
  transaction.afterCommit(() => feed.announce(NAMES_CHANGED))
  notifyCluster(transaction, NAMES_CHANGED)
}

export type ClusterSyncDeps = {
  readonly database: Database
  readonly announce: (event: Event) => void
  readonly feed: ChangeFeed
}

export type ClusterSync = { readonly start: () => Promise<void>; readonly stop: () => Promise<void> }

export function createClusterSync({ database, announce, feed }: ClusterSyncDeps): ClusterSync {
  let end = (): Promise<void> => Promise.resolve()
  const everything = (): void => {
    announce({ type: 'definitions-changed' })
    feed.announce({ mark: null, changed: 'everything' })
  }
  const onMessage = (message: string): void => {
    const [word, ...reported] = message.split(' ')
    // Unknown messages, from other versions, are treated as a change to everything.
    if (word !== CHANGED) return everything()
    feed.announce({ mark: null, changed: new Map(reported.map((collection) => [collection, 'many'])) })
    const collections = reported.filter((id) => id !== PEOPLE)
    for (const collection of collections) announce({ type: 'records-changed', collection, records: [] })
  }
  return {
    start: async () => {
      end = await database.listenToOthers({ missed: everything, onMessage })
    },
    stop: () => end(),
  }
}
