import { Pool, type PoolClient, types } from 'pg'
import { databaseBusy } from '#server/platform/database/database-errors.ts'

/** OIDs of PostgreSQL types whose cells are converted to SQLite's format. */
const { INT8, NUMERIC, DATE, TIMESTAMPTZ, TIMESTAMP, JSON: JSON_TEXT, JSONB } = types.builtins

const unchanged = (text: string): string => text

/** Converts `2026-11-20 07:05:09.5+00` to `2026-11-20T07:05:09.500Z`; the session's time zone is UTC. */
function asInstant(text: string): string {
  const [day, time = ''] = text.split(' ')
  const [whole = '', fraction = ''] = time.replace(/\+00$/, '').split('.')
  return `${day}T${whole}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
}

const PARSERS = new Map<number, (text: string) => string | number>([
  // For counts and sums, which both databases compute as doubles or as integers that fit in a double.
  [INT8, Number],
  [NUMERIC, Number],
  [DATE, unchanged],
  [TIMESTAMPTZ, asInstant],
  [TIMESTAMP, asInstant],
  [JSON_TEXT, unchanged],
  [JSONB, unchanged],
])

const CELL_TYPES = {
  getTypeParser: (type: number): ((text: string) => unknown) => PARSERS.get(type) ?? types.getTypeParser(type),
}

export type PoolOptions = {
  readonly url: string
  readonly size: number
  readonly isReadOnly: boolean
  readonly statementMs: number
  /** Sends statements without waiting for the answers to earlier ones. */
  readonly pipeline?: boolean
}

/** Lock timeout in ms. Only definition changes hold locks for long; the client then gets a busy error. */
const LOCK_MS = 20_000

/** Connection timeout in ms: long enough for a remote server, short enough for a prompt error. */
const CONNECT_TIMEOUT_MS = 5000

/** Extra time in ms before a statement is abandoned if PostgreSQL hasn't ended it. */
const NETWORK_GRACE_MS = 2000

/** Timeout in ms for quick statements, such as starting a transaction or setting up a session. */
export const CONTROL_TIMEOUT_MS = 3000

const queryTimeoutFor = (statementMs: number): number => statementMs + NETWORK_GRACE_MS

/** A statement with its own timeout; the property is missing from the client's types. */
export function statementWithin(statementMs: number, text: string): { readonly text: string } {
  const statement = { text, query_timeout: queryTimeoutFor(statementMs) }
  return statement
}

/**
 * This process ends idle transactions at the time limit; PostgreSQL ends them later, in case this process is frozen.
 */
const IDLE_FACTOR = 2

/**
 * All sessions use UTC and ISO formats. JIT is disabled, because it adds hundreds of ms for a filter's many small
 * expressions. Starting parallel workers takes longer than most lists, so only queries that need about 0.1 s use them.
 */
const SESSION = `set time zone 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'iso_8601'; set jit = off;
  set parallel_setup_cost = 20000`

/** Uses after which a connection is replaced, because it keeps the plans of all statements with a name. */
const MAX_USES = 10_000

/** A pool whose sessions all have the same settings. */
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
    pipeline: options.pipeline ?? false,
    maxUses: MAX_USES,
    // The pool awaits this callback before it provides the connection, although its type doesn't allow a promise.
    // oxlint-disable-next-line typescript/no-misused-promises
    onConnect: (client) =>
      client
        .query(
          statementWithin(CONTROL_TIMEOUT_MS, `${SESSION}; set default_transaction_read_only = ${options.isReadOnly}`),
        )
        .then(() => undefined),
  })
  // A broken connection fails at its next statement and is replaced; without a listener, the error would terminate the
  // process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** Maximum queue length for a pool; further requests would time out anyway. */
const MAX_WAITING = 1000

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
