import { createLruMap } from '#server/platform/lru-map.ts'
import type { Database, Statement } from 'better-sqlite3'

export type Prepared = { readonly statement: Statement<unknown[]>; columns: readonly string[] }

export type StatementCache = { readonly find: (text: string) => Prepared; readonly clear: () => void }

/** About 10 kB each, so up to 2 MB per thread. */
const MAX_STATEMENTS = 200

/** The result columns are known only after a run, because a table change recompiles prepared statements. */
export function columnsOf(prepared: Prepared, row: readonly unknown[] | undefined): readonly string[] {
  if (row && prepared.columns.length !== row.length) {
    prepared.columns = prepared.statement.columns().map((column) => column.name)
  }
  return prepared.columns
}

/** Must be cleared when tables change, because column names are also cached. */
export function statementCache(db: Database): StatementCache {
  const known = createLruMap<Prepared>(MAX_STATEMENTS)

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

  return { find, clear: known.clear }
}
