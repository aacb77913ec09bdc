import type { KyselyPlugin } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'

/** A database that counts reads, and a function that returns the count since the last call. */
export type CountedDatabase = { readonly database: Database; readonly reads: () => number }

/** Counts reads, not writes. */
export function countReads(database: Database): CountedDatabase {
  let count = 0
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    // Only prepared statements reach this point.
    transformResult: ({ result }) => {
      count += 1
      return Promise.resolve(result)
    },
  }
  return {
    database: {
      ...database,
      read: database.read.withPlugin(plugin),
      readBriefly: database.readBriefly.withPlugin(plugin),
    },
    reads: () => {
      const reads = count
      count = 0
      return reads
    },
  }
}
