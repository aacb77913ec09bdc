import type { Database, Statement } from 'better-sqlite3'

export type Prepared = { readonly statement: Statement<unknown[]>; columns: readonly string[] }

/** Prepared statements by text; the least recently used one is evicted. */
export type StatementCache = { readonly find: (text: string) => Prepared; readonly clear: () => void }

/** About 10 kB each, so some 2 MB per thread. */
const MAX_STATEMENTS = 200

/**
 * The result columns. Known for certain only after a run: a statement prepared before a table change is recompiled
 * when it runs.
 */
export function columnsOf(prepared: Prepared, row: readonly unknown[] | undefined): readonly string[] {
  if (row && prepared.columns.length !== row.length) {
    prepared.columns = prepared.statement.columns().map((column) => column.name)
  }
  return prepared.columns
}

/** Must be cleared when tables change, because column names are cached too. */
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
