import type { KyselyPlugin } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'

/** A database that counts reads; `reads` returns the number since its last call. */
export type CountedDatabase = { readonly database: Database; readonly reads: () => number }

/** Counts read statements, not writes. */
export function countReads(database: Database): CountedDatabase {
  let count = 0
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    // Called once per executed statement.
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
