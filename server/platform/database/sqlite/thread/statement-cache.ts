import type { Database, Statement } from 'better-sqlite3'

/** A statement ready to run, and the names of what it answered last; they are asked for after its first run. */
export type Prepared = { readonly statement: Statement<unknown[]>; columns: readonly string[] }

/** Prepared statements by their text; the one unused for longest makes room for a new one. */
export type StatementCache = { readonly find: (text: string) => Prepared; readonly clear: () => void }

/** About 10 kB each, so some 2 MB in a thread that has seen many different filters. */
const MAX_STATEMENTS = 200

/**
 * The names of the columns that a row of the statement has. Only a statement that has just run knows them for certain:
 * one that was prepared before another connection changed the table finds that out when it runs.
 */
export function columnsOf(prepared: Prepared, row: readonly unknown[] | undefined): readonly string[] {
  if (row && prepared.columns.length !== row.length) {
    prepared.columns = prepared.statement.columns().map((column) => column.name)
  }
  return prepared.columns
}

/** The cache of one connection. It must be cleared when tables change: the names of columns are kept, too. */
export function statementCache(db: Database): StatementCache {
  const known = new Map<string, Prepared>()

  function prepare(text: string): Prepared {
    const statement = db.prepare<unknown[]>(text)
    return { statement: statement.reader ? statement.raw() : statement, columns: [] }
  }

  function find(text: string): Prepared {
    const found = known.get(text) ?? prepare(text)
    // Most recently used last, by insertion order.
    known.delete(text)
    known.set(text, found)
    if (known.size > MAX_STATEMENTS) {
      const [oldest] = known.keys()
      if (oldest !== undefined) known.delete(oldest)
    }
    return found
  }

  return { find, clear: () => known.clear() }
}
