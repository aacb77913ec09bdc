import { z } from 'zod'
import type { Event } from '#domain/events/event.ts'
import { type Database, MOST_TOLD_BYTES, type Transaction } from '#server/database/database.ts'
import { type Announcement, type ChangeFeed, NAMES_CHANGED, PEOPLE } from './change-feed.ts'

/**
 * What one process tells the others of a commit: which collections changed, never what stands in them, for whoever may
 * connect to the database may listen.
 */
const Telling = z.union([z.literal('everything'), z.array(z.string())])

/** Tells the other processes, with the commit, what this process's own feed is told after it. */
export function tellOthers(transaction: Transaction, { changed }: Announcement): void {
  const telling: z.input<typeof Telling> = changed === 'everything' ? 'everything' : [...changed.keys()]
  const message = JSON.stringify(telling)
  transaction.tellOthers(Buffer.byteLength(message) > MOST_TOLD_BYTES ? JSON.stringify('everything') : message)
}

/** Says, here and in the other processes, that somebody got another name. */
export function announceNames(transaction: Transaction, feed: ChangeFeed): void {
  transaction.afterCommit(() => feed.announce(NAMES_CHANGED))
  tellOthers(transaction, NAMES_CHANGED)
}

/** Who is told of what other processes changed. */
export type HearingNeeds = {
  readonly database: Database
  readonly announce: (event: Event) => void
  readonly feed: ChangeFeed
}

/** What keeps this process up to date with the others. */
export type NeighbourKeeper = { readonly start: () => Promise<void>; readonly stop: () => Promise<void> }

/** Keeps this process up to date with the others on the same database, once it is started. */
export function neighbourKeeper({ database, announce, feed }: HearingNeeds): NeighbourKeeper {
  let end = (): Promise<void> => Promise.resolve()
  const everything = (): void => {
    announce({ type: 'definitions-changed' })
    feed.announce({ mark: null, changed: 'everything' })
  }
  const heard = (message: string): void => {
    const told = readTelling(message)
    if (told === 'everything') return everything()
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

/** A message that cannot be read is of another version of this program: whatever it says, everything may have changed. */
function readTelling(message: string): z.output<typeof Telling> {
  try {
    return Telling.parse(JSON.parse(message))
  } catch {
    return 'everything'
  }
}
