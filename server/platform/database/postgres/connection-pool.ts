import { Pool, type PoolClient, types } from 'pg'
import { databaseBusy } from '#server/platform/database/errors/database-errors.ts'

/** PostgreSQL's numbers for the types whose cells we want in the same shape as SQLite gives them. */
const { INT8, NUMERIC, DATE, TIMESTAMPTZ, TIMESTAMP, JSON: JSON_TEXT, JSONB } = types.builtins

const unchanged = (text: string): string => text

/** `2026-11-20 07:05:09.5+00` → `2026-11-20T07:05:09.500Z`; the session's time zone is UTC. */
function asInstant(text: string): string {
  const [day, time = ''] = text.split(' ')
  const [whole = '', fraction = ''] = time.replace(/\+00$/, '').split('.')
  return `${day}T${whole}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
}

const PARSERS = new Map<number, (text: string) => string | number>([
  // Counts and sums: both databases compute them in doubles or in integers a double can hold.
  [INT8, Number],
  [NUMERIC, Number],
  [DATE, unchanged],
  [TIMESTAMPTZ, asInstant],
  [TIMESTAMP, asInstant],
  [JSON_TEXT, unchanged],
  [JSONB, unchanged],
])

/** How cells become values: numbers as numbers, days and instants as ISO text, JSON as text, truth as true and false. */
const CELL_TYPES = {
  getTypeParser: (type: number): ((text: string) => unknown) => PARSERS.get(type) ?? types.getTypeParser(type),
}

/** How a pool of connections is made. */
export type PoolOptions = {
  readonly url: string
  readonly size: number
  /** Whether its sessions refuse to write. */
  readonly isReadOnly: boolean
  /** Longest time of one statement, in ms; PostgreSQL itself stops it then. */
  readonly statementMs: number
}

/**
 * Longest wait for a lock that another holds, in ms. Only changes of definitions hold one for long, and whoever waits for
 * longer than this is told better that others keep the database busy.
 */
const LOCK_MS = 20_000

/** Long enough for a server on the other side of the world, short enough that a person is told what is wrong. */
const CONNECT_TIMEOUT_MS = 5000

/**
 * How much later than PostgreSQL itself should have ended a statement it is given up here, in ms: nothing else ends one
 * whose connection fell silent, but the system after hours.
 */
const NETWORK_GRACE_MS = 2000

/** Longest wait for what needs no time: to begin a transaction, to prepare a session. */
export const CONTROL_TIMEOUT_MS = 3000

/** How long a statement that PostgreSQL ends after so many ms is waited for. */
const queryTimeoutFor = (statementMs: number): number => statementMs + NETWORK_GRACE_MS

/** A statement with a limit of its own; the types of the client do not know that it can have one. */
export function statementWithin(statementMs: number, text: string): { readonly text: string } {
  const statement = { text, query_timeout: queryTimeoutFor(statementMs) }
  return statement
}

/** We end an idle transaction ourselves, at the limit; PostgreSQL does it for a process of ours that froze, later. */
const IDLE_FACTOR = 2

/**
 * Every session speaks UTC and ISO whatever its server or role is set to. `jit` costs hundreds of milliseconds on the
 * many small expressions of a filter and wins back a few.
 */
const SESSION = `set time zone 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'iso_8601'; set jit = off`

/** A pool whose sessions all answer alike. Statements are unnamed: a named one is soon planned without its values. */
export function connectionPool(options: PoolOptions): Pool {
  const pool = new Pool({
    connectionString: options.url,
    max: options.size,
    types: CELL_TYPES,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: options.statementMs,
    query_timeout: queryTimeoutFor(options.statementMs),
    lock_timeout: Math.min(LOCK_MS, options.statementMs),
    idle_in_transaction_session_timeout: options.statementMs * IDLE_FACTOR,
    application_name: 'dossier',
    keepAlive: true,
    // The pool waits for it before it hands the connection out; its type only does not say so.
    // oxlint-disable-next-line typescript/no-misused-promises
    onConnect: (client) =>
      client
        .query(
          statementWithin(CONTROL_TIMEOUT_MS, `${SESSION}; set default_transaction_read_only = ${options.isReadOnly}`),
        )
        .then(() => undefined),
  })
  // A connection that breaks fails its next statement and is replaced; without listeners it would end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** Longest line at a pool: whoever came behind it would wait for longer than the pool lets them. */
const MAX_WAITING = 1000

/** A free connection, waited for as long as it takes to connect; says that all are taken where that is the reason. */
export async function acquireConnection(pool: Pool): Promise<PoolClient> {
  if (pool.waitingCount >= MAX_WAITING) throw databaseBusy()
  try {
    return await pool.connect()
  } catch (error) {
    const areAllTaken = pool.idleCount === 0 && pool.totalCount >= (pool.options.max ?? 0)
    const isOverdue = error instanceof Error && error.message.startsWith('timeout exceeded when')
    throw areAllTaken && isOverdue ? Object.assign(databaseBusy(), { cause: error }) : error
  }
}
