import {
  commitOutcomeUnknown,
  databaseBusy,
  databaseClosed,
  writeTimedOut,
} from '#server/platform/database/database-errors.ts'
import type {
  CellValue,
  OptimisticReads,
  QueueLoad,
  Transaction,
  WriteOptions,
} from '#server/platform/database/database.ts'
import { runInWriteScope } from '#server/platform/database/scheduling/nested-write-guard.ts'
import { withTimeLimit } from '#server/platform/database/time-limits.ts'
import { OptimisticConflict } from './sqlite-errors.ts'
import type { Thread } from './thread/start-thread.ts'
import { rowsAsObjects, toBindValue } from '#server/platform/database/sqlite/thread/thread-messages.ts'
import type { CompiledQuery } from 'kysely'
import { createKysely, type StatementResult } from '#server/platform/database/kysely-driver.ts'

/** The queue for all writes; queued writes share one commit and therefore one fsync. */
export type WriteQueue = {
  readonly write: <Answer>(
    work: (transaction: Transaction) => Promise<Answer>,
    options?: WriteOptions,
  ) => Promise<Answer>
  readonly load: () => QueueLoad
  readonly close: () => Promise<void>
}

export type WriteQueueDeps = {
  readonly startWriter: () => Promise<Thread>
  readonly limitMs: number
  readonly committed: CommittedReads
  readonly refuse: (statement: string) => void
  readonly afterCommit: () => void
  readonly afterSchemaChange: () => void
  readonly report: (error: unknown) => void
}

export type CommittedReads = {
  /** Reads committed rows on the event loop; undefined if the statement usually takes too long. */
  readonly read: (statement: string, parameters: readonly unknown[]) => StatementResult | undefined
  /** Notes how long a statement took in the writer thread. */
  readonly remember: (statement: string, tookMs: number) => void
}

/** A queued write. */
type Job = {
  readonly work: (transaction: Transaction) => Promise<unknown>
  readonly isAlone: boolean
  readonly isLong: boolean
  readonly isOptimistic: boolean
  readonly mayBeLost: boolean
  readonly limitMs: number
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
}

type Done = QueuedEffects & { readonly job: Job; readonly answer: unknown }

/**
 * Maximum number and duration of writes per commit. The number limits how many writes a failed commit affects; the
 * duration limits how long the first write waits. 5 ms is about one fsync.
 */
const MAX_JOBS_PER_COMMIT = 64
const MAX_GATHER_MS = 5

/** Maximum wait in ms for an abandoned thread; writes are then rejected. */
const ABANDONED_THREAD_WAIT_MS = 30_000

const CHANGES_TABLES = /^\s*(?:create|alter|drop)\s/i

export function openWriteQueue(deps: WriteQueueDeps): WriteQueue {
  const line: Job[] = []
  let thread: Thread | undefined
  let serving: Promise<void> | undefined
  let isClosed = false

  async function currentThread(): Promise<Thread> {
    if (thread?.isAlive()) return thread
    // An abandoned thread keeps the file locked until its statement ends.
    if (thread) await withTimeLimit(thread.ended, { limitMs: ABANDONED_THREAD_WAIT_MS, error: databaseBusy })
    thread = await deps.startWriter()
    return thread
  }

  async function serve(): Promise<void> {
    for (let job = nextJob(line, false); job; job = nextJob(line, job.isLong)) {
      const first = job
      await currentThread().then(
        (running) => serveBatch(deps, running, first, line),
        (error: unknown) => {
          for (const { reject } of [first, ...line.splice(0)]) reject(error)
        },
      )
    }
    serving = undefined
  }

  const write: WriteQueue['write'] = (work, options) =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(databaseClosed())
      // The queue erases result types, but each job is resolved with its own result.
      const kind = {
        isAlone: options?.alone !== undefined,
        isLong: options?.isLong === true,
        isOptimistic: options?.isOptimistic === true,
        mayBeLost: options?.mayBeLost === true,
        limitMs: options?.limitMs ?? deps.limitMs,
      }
      line.push({ work, ...kind, resolve: resolve as Job['resolve'], reject })
      serving ??= serve()
    })

  return {
    write,
    load: () => ({ places: 1, taken: serving === undefined ? 0 : 1, waiting: line.length }),
    close: async () => {
      isClosed = true
      await serving
      await thread?.close()
    },
  }
}

/** Long writes take turns with the others, so that a short one waits for at most one of them. */
function nextJob(line: Job[], isAfterLong: boolean): Job | undefined {
  const short = isAfterLong ? line.findIndex(({ isLong }) => !isLong) : 0
  return line.splice(Math.max(short, 0), 1)[0]
}

/**
 * Runs jobs sequentially in one transaction, commits it and resolves the jobs. Short writes that have come during a long
 * one are part of its commit, for which they would have to wait anyway, unless that doesn't wait for the disk.
 */
async function serveBatch(deps: WriteQueueDeps, thread: Thread, first: Job, line: Job[]): Promise<void> {
  let startedAt = performance.now()
  const done: Done[] = []
  const conflicted: Job[] = []
  const batch = { hasChangedTables: false }
  if (first.mayBeLost) thread.tell({ type: 'relax-commit' })
  let next: Job | undefined = first
  for (let count = 1; next; count += 1) {
    const job: Job = next
    await runJob(deps, thread, batch, job).then(
      (finished) => done.push(finished),
      (error: unknown) => settleFailed(job, error, conflicted),
    )
    if (job.isLong) startedAt = performance.now()
    const isFull = count >= MAX_JOBS_PER_COMMIT || performance.now() - startedAt >= MAX_GATHER_MS
    const isOver = isFull || job.isAlone || first.mayBeLost || batch.hasChangedTables || !thread.isAlive()
    const place = isOver ? -1 : line.findIndex((each) => !needsOwnCommit(each))
    next = place === -1 ? undefined : line.splice(place, 1)[0]
  }
  const limitMs = Math.max(deps.limitMs, ...done.map(({ job }) => job.limitMs))
  try {
    await withTimeLimit(commit(thread, done), { limitMs, error: writeTimedOut, giveUp: thread.abandon })
    answerAll(deps, done, { hasChangedTables: batch.hasChangedTables, conflicted })
    attempt(deps.afterCommit, deps.report)
  } catch (fault) {
    const error = thread.isAlive() ? fault : Object.assign(commitOutcomeUnknown(), { cause: fault })
    for (const { job, sent } of done) settleFailed(job, (sent.failure ?? { error }).error, conflicted)
  }
  // At the front, so that writes keep their order.
  line.unshift(...conflicted.map((job) => ({ ...job, isOptimistic: false })))
}

async function commit(thread: Thread, done: readonly Done[]): Promise<void> {
  await thread.ask({ type: 'commit' })
  await Promise.all(done.flatMap(({ sent }) => sent.answers))
}

/** A job whose data has changed runs again. */
function settleFailed(job: Job, error: unknown, conflicted: Job[]): void {
  if (error instanceof OptimisticConflict) conflicted.push(job)
  else job.reject(error)
}

/** Whether a job needs its own commit, because it is exclusive or would delay shorter jobs. */
const needsOwnCommit = ({ isAlone, isLong }: Job): boolean => isAlone || isLong

type BatchOutcome = { readonly hasChangedTables: boolean; readonly conflicted: Job[] }

function answerAll(deps: WriteQueueDeps, done: readonly Done[], { hasChangedTables, conflicted }: BatchOutcome): void {
  if (hasChangedTables) deps.afterSchemaChange()
  for (const { job, answer, actions, sent } of done) {
    if (sent.failure) {
      settleFailed(job, sent.failure.error, conflicted)
      continue
    }
    for (const action of actions) attempt(action, deps.report)
    job.resolve(answer)
  }
}

function attempt(action: () => void, report: (error: unknown) => void): void {
  try {
    action()
  } catch (error) {
    report(error)
  }
}

async function runJob(
  deps: WriteQueueDeps,
  thread: Thread,
  batch: { hasChangedTables: boolean },
  job: Job,
): Promise<Done> {
  const noteStatement = (statement: string): void => {
    deps.refuse(statement)
    batch.hasChangedTables ||= CHANGES_TABLES.test(statement)
  }
  const committed = job.isOptimistic ? deps.committed : undefined
  const { transaction, did, isAtWork, end } = openQueuedTransaction({ thread, committed, note: noteStatement })

  /** A running statement can't be stopped, so its thread is abandoned. */
  function giveUp(): void {
    if (isAtWork()) thread.abandon()
  }

  let isKept = false
  try {
    const answer = await withTimeLimit(
      runInWriteScope(() => job.work(transaction).catch((error: unknown) => failureOf(did, error))),
      { limitMs: job.limitMs, error: writeTimedOut, giveUp },
    )
    isKept = true
    return { ...did, job, answer }
  } finally {
    // A statement that was refused here never reached the thread.
    end(isKept && did.sent.failure === undefined)
  }
}

/** Waits for statements that were sent before the failure. */
async function failureOf({ sent }: QueuedEffects, error: unknown): Promise<never> {
  await Promise.all(sent.answers)
  throw (sent.failure ?? { error }).error
}

type QueuedEffects = {
  readonly actions: readonly (() => void)[]
  readonly sent: SentStatements
}

type Sending = { readonly isSent: true; readonly expected?: CellValue }

/** Only one read per write, because a write that never waits would block the event loop. */
function optimisticReads(
  committed: CommittedReads,
  note: (statement: string) => void,
  expect: OptimisticReads['expect'],
): OptimisticReads {
  let hasRead = false
  return {
    read: <Row>({ sql, parameters }: CompiledQuery<Row>) => {
      if (hasRead) return undefined
      hasRead = true
      note(sql)
      // Kysely infers Row from the compiled statement, which determines the returned columns.
      return committed.read(sql, parameters)?.rows as readonly Row[] | undefined
    },
    expect,
  }
}

type SentStatements = { readonly answers: Promise<void>[]; failure?: { readonly error: unknown } }

type QueuedTransaction = {
  readonly transaction: Transaction
  readonly did: QueuedEffects
  readonly isAtWork: () => boolean
  readonly end: (isKept: boolean) => void
}

type JobState = { isOpen: boolean; hasBegun: boolean; underWay: number }

/**
 * Sends a job's statements: opens the job's savepoint before the first statement and rejects statements after the job
 * has ended.
 */
const senderOf =
  (state: JobState) =>
  async <Answer>(send: (opensJob: boolean) => Promise<Answer>): Promise<Answer> => {
    if (!state.isOpen) throw new Error('Statement after the end of the transaction. Await every statement.')
    const opensJob = !state.hasBegun
    state.hasBegun = true
    state.underWay += 1
    try {
      return await send(opensJob)
    } finally {
      state.underWay -= 1
    }
  }

type QueuedTransactionDeps = {
  readonly thread: Thread
  readonly note: (statement: string) => void
  readonly committed: CommittedReads | undefined
}

function openQueuedTransaction({ thread, note, committed }: QueuedTransactionDeps): QueuedTransaction {
  const actions: (() => void)[] = []
  const sent: SentStatements = { answers: [] }
  const state: JobState = { isOpen: true, hasBegun: false, underWay: 0 }
  const pass = senderOf(state)

  async function ask(statement: string, parameters: readonly unknown[], sending?: Sending): Promise<StatementResult> {
    const cells = parameters.map(toBindValue)
    const question = { type: 'run', statement, parameters: cells, ...sending } as const
    const answer = await pass((opensJob) => thread.ask({ ...question, opensJob }))
    if (!sending) committed?.remember(statement, answer.tookMs)
    return { rows: rowsAsObjects(answer), affected: answer.affected }
  }

  async function run(statement: string, parameters: readonly unknown[]): Promise<StatementResult> {
    note(statement)
    return ask(statement, parameters)
  }

  function send({ sql, parameters }: CompiledQuery, sending: Sending, answered?: (rows: readonly never[]) => void) {
    const fail = (error: unknown): void => {
      sent.failure ??= { error }
    }
    try {
      note(sql)
    } catch (error) {
      return fail(error)
    }
    sent.answers.push(ask(sql, parameters, sending).then(({ rows }) => answered?.(rows as never), fail))
  }

  let db: Transaction['db'] | undefined
  const transaction: Transaction = {
    dialect: 'sqlite',
    // Most writes of a single record don't use the query builder.
    get db() {
      db ??= createKysely('sqlite', run)
      return db
    },
    send: (query, answered) => send(query, { isSent: true }, answered),
    optimistic:
      committed && optimisticReads(committed, note, (query, expected) => send(query, { isSent: true, expected })),
    afterCommit: (action) => void actions.push(action),
    tellOthers: () => undefined,
    runForEach: async (statement, rows) => {
      note(statement)
      await pass((opensJob) => thread.ask({ type: 'run-for-each', statement, rows, opensJob }))
    },
    runForPacked: async (packedBatch) => {
      note(packedBatch.statement)
      const moved = [packedBatch.packed.buffer]
      await pass((opensJob) => thread.ask({ type: 'run-packed', batch: packedBatch, opensJob }, moved))
    },
  }
  return {
    transaction,
    did: { actions, sent },
    isAtWork: () => state.underWay > 0,
    end: (isKept) => {
      state.isOpen = false
      if (state.hasBegun) thread.tell({ type: 'end-job', isKept })
    },
  }
}
