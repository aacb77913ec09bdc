import type { KyselyPlugin } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'

/** A database whose reads are counted, and how many there were since it was last asked. */
export type CountedDatabase = { readonly database: Database; readonly reads: () => number }

/** Counts the statements that are read through a database; its writes go uncounted. */
export function countReads(database: Database): CountedDatabase {
  let count = 0
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    // Statements that were built once come by here alone.
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
