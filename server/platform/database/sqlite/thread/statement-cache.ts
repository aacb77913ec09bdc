import { createLruMap } from '#server/platform/lru-map.ts'
import type { Database, Statement } from 'better-sqlite3'

export type Prepared = { readonly statement: Statement<unknown[]>; columns: readonly string[] }

export type StatementCache = {
  readonly find: (text: string) => Prepared
  /** Must be called when tables have changed, because column names are also cached. */
  readonly clear: () => void
  /** After `clear`, reads the tables of the database again, which takes 9 ms with 300 collections. */
  readonly readTables: () => void
}

/** About 10 kB each, so up to 2 MB per thread. */
const MAX_STATEMENTS = 200

/** The result columns are known only after a run, because a table change recompiles prepared statements. */
export function columnsOf(prepared: Prepared, row: readonly unknown[] | undefined): readonly string[] {
  if (row && prepared.columns.length !== row.length) {
    prepared.columns = prepared.statement.columns().map((column) => column.name)
  }
  return prepared.columns
}

export function statementCache(db: Database): StatementCache {
  const known = createLruMap<Prepared>(MAX_STATEMENTS)
  let areTablesRead = true

  function prepare(text: string): Prepared {
    const statement = db.prepare<unknown[]>(text)
    return { statement: statement.reader ? statement.raw() : statement, columns: [] }
  }

  function find(text: string): Prepared {
    const found = known.find(text)
    if (found) return found
    const prepared = prepare(text)
    known.set(text, prepared)
    return prepared
  }

  return {
    find,
    clear: () => {
      known.clear()
      areTablesRead = false
    },
    readTables: () => {
      if (!areTablesRead) db.prepare('select 1 from sqlite_schema limit 1').get()
      areTablesRead = true
    },
  }
}
