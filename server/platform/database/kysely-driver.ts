import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Dialect, Tables } from './database.ts'

/** What a statement answered: its rows as objects, and for a write how many rows it touched. */
export type StatementResult = { readonly rows: readonly unknown[]; readonly affected?: number | undefined }

/** Sends one compiled statement to the database. */
export type Execute = (statement: string, parameters: readonly unknown[]) => Promise<StatementResult>

/** Kysely takes SQLite for one connection and would let only one statement run at a time; our threads are many. */
class SqliteThreadsAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

const PARTS = {
  sqlite: {
    createAdapter: () => new SqliteThreadsAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db: Kysely<never>) => new SqliteIntrospector(db),
  },
  postgres: {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db: Kysely<never>) => new PostgresIntrospector(db),
  },
}

/** A query builder whose statements go through `execute`. Transactions are begun by `Database.write` alone. */
export function createKysely(dialect: Dialect, execute: Execute): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: { ...PARTS[dialect], createDriver: () => createSqlDriver(execute) } })
}

function createSqlDriver(execute: Execute): Driver {
  const connection: DatabaseConnection = {
    executeQuery: (query) => executeQuery(execute, query),
    streamQuery: () => unsupported('Streaming rows isn’t supported. Read them page by page.'),
  }
  const refuseTransaction = () => unsupported('Start transactions only with Database.write.')
  return {
    init: () => Promise.resolve(),
    acquireConnection: () => Promise.resolve(connection),
    beginTransaction: refuseTransaction,
    commitTransaction: refuseTransaction,
    rollbackTransaction: refuseTransaction,
    releaseConnection: () => Promise.resolve(),
    destroy: () => Promise.resolve(),
  }
}

async function executeQuery<Row>(execute: Execute, query: CompiledQuery): Promise<QueryResult<Row>> {
  const { rows, affected } = await execute(query.sql, query.parameters)
  // Kysely derives Row from the statement it compiled; what comes back are the columns which that statement names.
  const typed = rows as Row[]
  return affected === undefined ? { rows: typed } : { rows: typed, numAffectedRows: BigInt(affected) }
}

function unsupported(sentence: string): never {
  throw new Error(sentence)
}
