import { databaseIsBusy, databaseIsClosed, writeTookTooLong } from '../database-problems.ts'
import type { Transaction, WriteOptions } from '../database.ts'
import { kyselyOver } from '../kysely-over.ts'
import { runMarked } from '../nested-write.ts'
import { withinLimit } from '../time-limits.ts'
import { asParameter } from './as-parameter.ts'
import { rowsAsObjects } from './rows-as-objects.ts'
import type { Thread } from './start-thread.ts'
import type { LastStatement } from './thread-messages.ts'

/** The line in which all writes stand; those that wait share one commit, and so one fsync. */
export type WriteLine = {
  readonly write: <Answer>(
    work: (transaction: Transaction) => Promise<Answer>,
    options?: WriteOptions,
  ) => Promise<Answer>
  /** Ends the line once everybody in it was served. */
  readonly close: () => Promise<void>
}

/** What a write line is made from. */
export type WriteLineNeeds = {
  readonly startWriter: () => Promise<Thread>
  readonly limitMs: number
  /** Called after a commit that changed tables. */
  readonly afterSchemaChange: () => void
  /** Told of an `afterCommit` action that threw: the write itself is safe, so its caller must not hear of a failure. */
  readonly report: (error: unknown) => void
}

/** One write in the line. `settle` tells its caller how it ended, once its fate is certain. */
type Job = {
  readonly work: (transaction: Transaction) => Promise<unknown>
  readonly isAlone: boolean
  readonly isLong: boolean
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
}

/** A job whose work is done but not yet on disk. */
type Done = {
  readonly job: Job
  readonly answer: unknown
  readonly actions: readonly (() => void)[]
  readonly atCommit: readonly Named[]
}

/** What one job wants run at the commit, and for which ids. */
type Named = { readonly statement: string; readonly ids: readonly string[] }

/**
 * How many writes, and how much time, one commit may gather. The first bound keeps a failing commit from taking too many
 * down with it; the second keeps the first in a long line from waiting for the last. 5 ms is about one fsync of a disk.
 */
const MOST_JOBS = 64
const LONGEST_GATHERING_MS = 5

/** How long writes wait for a thread that was given up in the middle of a statement, in ms; then they are refused. */
const LINGERING_MS = 30_000

const CHANGES_TABLES = /^\s*(?:create|alter|drop)\s/i

/** Opens the line; its thread is started by the first write, and anew after it died. */
export function openWriteLine(needs: WriteLineNeeds): WriteLine {
  const line: Job[] = []
  let thread: Thread | undefined
  let serving: Promise<void> | undefined
  let isClosed = false

  async function currentThread(): Promise<Thread> {
    if (thread?.isAlive()) return thread
    // One that was given up keeps the file locked until its statement ends.
    if (thread) await withinLimit(thread.ended, { limitMs: LINGERING_MS, error: databaseIsBusy })
    thread = await needs.startWriter()
    return thread
  }

  async function serve(): Promise<void> {
    for (let job = line.shift(); job; job = line.shift()) {
      const first = job
      await currentThread().then(
        (running) => serveBatch(needs, running, first, line),
        (error: unknown) => {
          for (const { reject } of [first, ...line.splice(0)]) reject(error)
        },
      )
    }
    serving = undefined
  }

  const write: WriteLine['write'] = (work, options) =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(databaseIsClosed())
      // The line does not know the types of answers: each job gets back exactly what its own work answered.
      const kind = { isAlone: options?.alone !== undefined, isLong: options?.isLong === true }
      line.push({ work, ...kind, resolve: resolve as Job['resolve'], reject })
      serving ??= serve()
    })

  return {
    write,
    close: async () => {
      isClosed = true
      await serving
      await thread?.close()
    },
  }
}

/** Runs jobs one after another inside one transaction, commits, and answers them all. */
async function serveBatch(needs: WriteLineNeeds, thread: Thread, first: Job, line: Job[]): Promise<void> {
  const startedAt = performance.now()
  const done: Done[] = []
  const batch = { hasChangedTables: false }
  let next: Job | undefined = first
  for (let count = 1; next; count += 1) {
    const job: Job = next
    await runJob(needs, thread, batch, job).then((finished) => done.push(finished), job.reject)
    const isFull = count >= MOST_JOBS || performance.now() - startedAt >= LONGEST_GATHERING_MS
    const isOver = isFull || job.isAlone || batch.hasChangedTables || !thread.isAlive()
    next = isOver || beginsAnew(line[0]) ? undefined : line.shift()
  }
  await thread.ask({ type: 'commit', last: lastStatements(done) }).then(
    () => answerAll(needs, done, batch.hasChangedTables),
    (error: unknown) => {
      for (const { job } of done) job.reject(error)
    },
  )
}

/**
 * Whether a job has a commit of its own: one that wants to be alone may remove what others want filled at the commit, and
 * short ones do not wait for a long one.
 */
const beginsAnew = (job: Job | undefined): boolean => job?.isAlone === true || job?.isLong === true

/** Each statement once, for the ids that all jobs named. */
function lastStatements(done: readonly Done[]): LastStatement[] {
  const idsOf = new Map<string, Set<string>>()
  for (const { statement, ids } of done.flatMap(({ atCommit }) => atCommit)) {
    idsOf.set(statement, new Set([...(idsOf.get(statement) ?? []), ...ids]))
  }
  return [...idsOf].map(([statement, ids]) => ({ statement, ids: JSON.stringify([...ids]) }))
}

function answerAll(needs: WriteLineNeeds, done: readonly Done[], hasChangedTables: boolean): void {
  if (hasChangedTables) needs.afterSchemaChange()
  for (const { job, answer, actions } of done) {
    for (const action of actions) attempt(action, needs.report)
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
  needs: WriteLineNeeds,
  thread: Thread,
  batch: { hasChangedTables: boolean },
  job: Job,
): Promise<Done> {
  const actions: (() => void)[] = []
  const atCommit: Named[] = []
  const state = { isOpen: true, hasBegun: false, underWay: 0 }

  /** Every statement of the job passes here: none after its end, and the first one opens its savepoint. */
  async function pass<Answer>(send: (opensJob: boolean) => Promise<Answer>): Promise<Answer> {
    if (!state.isOpen) throw new Error('This write is over: a statement came after its end. Await every statement.')
    const opensJob = !state.hasBegun
    state.hasBegun = true
    state.underWay += 1
    try {
      return await send(opensJob)
    } finally {
      state.underWay -= 1
    }
  }

  const db = kyselyOver('sqlite', async (statement, parameters) => {
    batch.hasChangedTables ||= CHANGES_TABLES.test(statement)
    const cells = parameters.map(asParameter)
    const answer = await pass((opensJob) => thread.ask({ type: 'run', statement, parameters: cells, opensJob }))
    return { rows: rowsAsObjects(answer), affected: answer.affected }
  })

  const transaction: Transaction = {
    dialect: 'sqlite',
    db,
    afterCommit: (action) => void actions.push(action),
    tellOthers: () => undefined,
    runForEach: async (statement, rows) => {
      await pass((opensJob) => thread.ask({ type: 'run-for-each', statement, rows, opensJob }))
    },
    runForPacked: async (packedBatch) => {
      const moved = [packedBatch.packed.buffer]
      await pass((opensJob) => thread.ask({ type: 'run-packed', batch: packedBatch, opensJob }, moved))
    },
    atCommit: (statement, ids) => void atCommit.push({ statement, ids }),
  }

  /** A statement that is still running cannot be stopped, so its thread is left behind with it. */
  function giveUp(): void {
    if (state.underWay > 0) thread.abandon()
  }

  let isKept = false
  try {
    const answer = await withinLimit(
      runMarked(() => job.work(transaction)),
      { limitMs: needs.limitMs, error: writeTookTooLong, giveUp },
    )
    isKept = true
    return { job, answer, actions, atCommit }
  } finally {
    state.isOpen = false
    if (state.hasBegun) thread.tell({ type: 'end-job', isKept })
  }
}
