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

export type StatementResult = { readonly rows: readonly unknown[]; readonly affected?: number | undefined }

export type Execute = (statement: string, parameters: readonly unknown[]) => Promise<StatementResult>

/** Kysely assumes a single SQLite connection and would serialize statements, but we use several threads. */
class SqliteThreadsAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/**
 * The plus hides parameters from SQLite's planner. It would look at their values, and compile the statement again for
 * each run: a session with its user would take 145 instead of 25 µs.
 */
class StablePlanCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
}

const PARTS = {
  sqlite: {
    createAdapter: () => new SqliteThreadsAdapter(),
    createQueryCompiler: () => new StablePlanCompiler(),
    createIntrospector: (db: Kysely<never>) => new SqliteIntrospector(db),
  },
  postgres: {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db: Kysely<never>) => new PostgresIntrospector(db),
  },
}

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
  // Kysely infers Row from the compiled statement, which determines the returned columns.
  const typed = rows as Row[]
  return affected === undefined ? { rows: typed } : { rows: typed, numAffectedRows: BigInt(affected) }
}

function unsupported(sentence: string): never {
  throw new Error(sentence)
}
