import { setTimeout as pause } from 'node:timers/promises'
import type { Pool, PoolClient, QueryResult } from 'pg'
import { Problem } from '#domain/shared/problem.ts'
import { databaseUnavailable, commitOutcomeUnknown, writeTimedOut } from '#server/platform/database/database-errors.ts'
import type { Transaction, WriteOptions } from '#server/platform/database/database.ts'
import { createKysely } from '#server/platform/database/kysely-driver.ts'
import { runInWriteScope } from '#server/platform/database/scheduling/nested-write-guard.ts'
import { withTimeLimit } from '#server/platform/database/time-limits.ts'
import { CONTROL_TIMEOUT_MS, statementWithin, acquireConnection } from './connection-pool.ts'
import { interruptMaintenance } from './maintenance.ts'
import { notifyStatement } from './notifications.ts'
import { toDatabaseError, isConflict, isPlanOutdated, postgresCodeOf } from './postgres-errors.ts'
import type { Sent } from './statement-names.ts'

export type TransactionDeps = {
  readonly pool: Pool
  readonly limitMs: number
  readonly ownName: string
  readonly nameOf: (text: string, values: readonly unknown[]) => Sent
  /** Called if an `afterCommit` action throws. The write is already committed, so its caller doesn't get an error. */
  readonly report: (error: unknown) => void
}

/** Attempts at a write that conflicts with others or waits for a lock. */
const MAX_ATTEMPTS = 16

/**
 * After so many conflicts, no other write that locks the definitions runs at the same time. Otherwise, a background worker
 * that writes the same row again and again could make every attempt fail.
 */
const MAX_SHARED_CONFLICTS = 4
const MAX_PAUSE_MS = 100

/**
 * Lock timeout of definition changes in ms. Readers queue behind a waiting definition change, so it gives up, lets them
 * proceed, and retries. PostgreSQL cancels an automatic vacuum only for a lock request that has waited for a second.
 */
const EXCLUSIVE_LOCK_MS = 500
const EXCLUSIVE_LOCK_RETRY_MS = 1500
const LOCK_BACKOFF_MS = 300

/** Shorter lock timeout in ms, because all other writes queue behind this lock request. */
const QUIET_LOCK_MS = 100
const RETRY_QUIET_LOCK_MS = 2000

const LOCK_NOT_AVAILABLE = '55P03'

type TransactionState = {
  isOpen: boolean
  hasBegun: boolean
  last: Promise<unknown>
  failure?: { readonly error: unknown }
}

type Attempt<Answer> = { readonly answer: Answer; readonly actions: readonly (() => void)[] }

/** Runs `work` in a serializable transaction, retries after conflicts, and resolves once it is durable. */
export async function writeTransaction<Answer>(
  deps: TransactionDeps,
  work: (transaction: Transaction) => Promise<Answer>,
  options: WriteOptions = {},
): Promise<Answer> {
  const startedAt = performance.now()
  let conflicts = 0
  for (let attempt = 1; ; attempt += 1) {
    const isExclusive = conflicts >= MAX_SHARED_CONFLICTS
    try {
      return await attemptWrite(deps, work, { ...options, isRepeated: attempt > 1, isExclusive })
    } catch (error) {
      const isAlone = options.alone !== undefined
      const isBlocked = (isAlone || isExclusive) && postgresCodeOf(error) === LOCK_NOT_AVAILABLE
      const isLast = attempt === MAX_ATTEMPTS || performance.now() - startedAt > deps.limitMs
      if (isLast || !(isBlocked || isRepeatable(error))) throw toDatabaseError(error, deps.limitMs)
      if (!isBlocked) conflicts += 1
      else if (!isAlone || !(await interruptMaintenance(deps.pool))) await pause(LOCK_BACKOFF_MS)
      // Random delay, so that conflicting writes don't conflict again.
      await pause(Math.random() * Math.min(MAX_PAUSE_MS, 2 ** attempt))
    }
  }
}

const isRepeatable = (error: unknown): boolean => isConflict(error) || isPlanOutdated(error)

function runAction(action: () => void, report: (error: unknown) => void): void {
  try {
    action()
  } catch (error) {
    report(error)
  }
}

type AttemptOptions = WriteOptions & { readonly isRepeated: boolean; readonly isExclusive: boolean }

async function attemptWrite<Answer>(
  deps: TransactionDeps,
  work: (transaction: Transaction) => Promise<Answer>,
  options: AttemptOptions,
): Promise<Answer> {
  const client = await acquireConnection(deps.pool)
  let isSound = false
  try {
    if (options.alone !== undefined) await lock(client, options.alone)
    const { answer, actions } = await inTransaction(deps, { client, opening: openingOf(options) }, work)
    for (const action of actions) runAction(action, deps.report)
    // Errors after the commit must not fail the write, because its data is stored.
    isSound = options.alone === undefined || (await succeeds(unlock(client, options.alone)))
    return answer
  } catch (error) {
    // After failed work or a conflict, a successful rollback makes the connection reusable; otherwise, it is closed.
    isSound = !isPlanOutdated(error) && (await succeeds(client.query('rollback; select pg_advisory_unlock_all()')))
    throw error
  } finally {
    client.release(!isSound)
  }
}

const IDLE_TIMEOUT_MS = 1000

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  withTimeLimit(work, { limitMs: IDLE_TIMEOUT_MS, error: databaseUnavailable }).then(
    () => true,
    () => false,
  )

/** The lock is acquired before the transaction starts, so that the snapshot is taken after the wait. */
const lock = (client: PoolClient, name: string): Promise<unknown> =>
  client.query('select pg_advisory_lock(hashtextextended($1, 0))', [`dossier ${name}`])

const unlock = (client: PoolClient, name: string): Promise<unknown> =>
  client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [`dossier ${name}`])

function openingOf({ alone, isQuiet, isExclusive, locksItself, isRepeated }: AttemptOptions): string {
  const begin = `begin isolation level ${locksItself ? 'read committed' : 'serializable'}`
  const exclusiveLockMs = isExclusive || isRepeated ? RETRY_QUIET_LOCK_MS : QUIET_LOCK_MS
  // Other writes lock a row in this table and therefore wait. The lock is taken before the first query and therefore
  // before the snapshot, so the snapshot includes all earlier writes.
  const exclusive = [
    `set local lock_timeout = ${exclusiveLockMs}`,
    'lock table workspace in exclusive mode',
    'set local lock_timeout to default',
  ]
  const lockTimeout = `set local lock_timeout = ${isRepeated ? EXCLUSIVE_LOCK_RETRY_MS : EXCLUSIVE_LOCK_MS}`
  return [
    begin,
    ...(isQuiet === true || isExclusive ? exclusive : []),
    ...(alone === undefined ? [] : [lockTimeout]),
  ].join('; ')
}

/** Statements that write or lock rows look them up by key, in contrast to other statements that start with a select. */
const BY_KEY = /^\s*(?:insert|update|delete)\b|\bfor (?:update|share)\s*$/

/** PostgreSQL runs the statements one after another, but they are sent without waiting for the answers. */
const runnerOf =
  (client: PoolClient, state: TransactionState, nameOf: TransactionDeps['nameOf']) =>
  (text: string, parameters: readonly unknown[]): Promise<QueryResult> => {
    if (!state.isOpen) throw new Error('Statement after the end of the transaction. Await every statement.')
    const sent = BY_KEY.test(text) ? nameOf(text, parameters) : { text, values: [...parameters] }
    const answer = client.query(sent)
    state.last = answer.catch(() => undefined)
    return answer
  }

async function inTransaction<Answer>(
  deps: TransactionDeps,
  { client, opening }: { readonly client: PoolClient; readonly opening: string },
  work: (transaction: Transaction) => Promise<Answer>,
): Promise<Attempt<Answer>> {
  const actions: (() => void)[] = []
  const messages = new Set<string>()
  const state: TransactionState = { isOpen: true, hasBegun: false, last: Promise.resolve() }
  const noteFailure = (error: unknown): void => {
    state.failure ??= { error }
  }
  const run = runnerOf(client, state, deps.nameOf)
  const transaction: Transaction = {
    dialect: 'postgres',
    db: createKysely('postgres', async (statement, parameters) => {
      const { rows, rowCount, command } = await run(statement, parameters)
      return { rows, affected: command === 'SELECT' ? undefined : (rowCount ?? 0) }
    }),
    send: ({ sql, parameters }, answered) => {
      run(sql, parameters).then(({ rows }) => answered?.(rows as never), noteFailure)
    },
    afterCommit: (action) => void actions.push(action),
    tellOthers: (message) => void messages.add(message),
    runForEach: async (statement, rows) => {
      await Promise.all(rows.map((row) => run(statement, row)))
    },
  }
  client.query(statementWithin(CONTROL_TIMEOUT_MS, opening)).then(() => {
    state.hasBegun = true
  }, noteFailure)
  try {
    const answer = await withTimeLimit(
      runInWriteScope(() => work(transaction).catch((error: unknown) => failureOf(state, error))),
      { limitMs: deps.limitMs, error: (limitMs) => (state.hasBegun ? writeTimedOut(limitMs) : databaseUnavailable()) },
    )
    state.isOpen = false
    // A statement that could not be sent doesn't fail the transaction in the database, so this is checked before the commit.
    await state.last
    if (state.failure) throw state.failure.error
    const tellings = [...messages].map((message) => notifyStatement(deps.ownName, message))
    await commit(client, tellings).catch((error: unknown) => {
      throw (state.failure ?? { error }).error
    })
    return { answer, actions }
  } finally {
    state.isOpen = false
  }
}

/** Reports the first failed statement, because later ones fail only as a consequence. */
async function failureOf(state: TransactionState, error: unknown): Promise<never> {
  await state.last
  throw (state.failure ?? { error }).error
}

/**
 * Notifies and commits in one message, because notifying takes a global lock, which should be held only during the
 * commit.
 */
async function commit(client: PoolClient, tellings: readonly string[]): Promise<void> {
  // Despite the return type, several statements return a list of results.
  const results: QueryResult | QueryResult[] = await client
    .query([...tellings, 'commit'].join('; '))
    .catch((error: unknown) => {
      // PostgreSQL responds to COMMIT with ROLLBACK after a failed statement, even if the work ignored the error.
      if (postgresCodeOf(error) === IN_FAILED_TRANSACTION) throw undoneByFailure()
      const isRefusal =
        isConflict(error) || (error instanceof Error && 'severity' in error && error.severity === 'ERROR')
      throw isRefusal ? error : Object.assign(commitOutcomeUnknown(), { cause: error })
    })
  const last = Array.isArray(results) ? results.at(-1) : results
  if (last?.command === 'ROLLBACK') throw undoneByFailure()
}

const IN_FAILED_TRANSACTION = '25P02'

const undoneByFailure = (): Problem =>
  new Problem('internal-error', 'A statement failed, so the transaction was rolled back.')
