import type { QueueLoad } from '#server/platform/database/database.ts'
import type { Execute } from '#server/platform/database/kysely-driver.ts'
import { createReadLimiter } from '#server/platform/database/scheduling/read-limiter.ts'
import type { StatementTimings } from '#server/platform/database/scheduling/statement-timings.ts'
import { cancellationSignal, raceCancellation } from '#server/platform/database/cancellation.ts'
import { toBindValue } from './thread/bind-value.ts'
import { rowsAsObjects } from './thread/row-objects.ts'
import type { Thread } from './thread/start-thread.ts'
import type { ThreadResult } from './thread/thread-messages.ts'
import { databaseUnavailable, readTimedOut } from '#server/platform/database/errors/database-errors.ts'
import { withTimeLimit } from '#server/platform/database/time-limits.ts'

/** One place in the pool of readers: it runs one statement at a time, in a thread that it starts when it needs one. */
type ReaderSlot = {
  readonly isFree: () => boolean
  /** Free, and with its thread there already. */
  readonly isReady: () => boolean
  readonly run: (statement: string, parameters: readonly unknown[]) => Promise<ThreadResult>
  /** Tells its thread, if it has one, that tables changed. */
  readonly forgetStatements: () => void
  /** Waits for what is under way and ends its thread. */
  readonly close: () => Promise<void>
}

/** What the places of a pool share. */
type ReaderSlotDeps = {
  readonly startReader: () => Promise<Thread>
  readonly limitMs: number
  /** Most threads that were given up and are still at their statement: SQLite cannot be interrupted from outside. */
  readonly mostLingering: number
  readonly lingering: { count: number }
}

/** A thread costs some 15 MB; one that nobody needed for this long ends, in ms. */
const IDLE_TIMEOUT_MS = 30_000

/** A place without a thread. One that `staysWarm` never ends its thread for lack of work. */
function createReaderSlot(deps: ReaderSlotDeps, staysWarm: boolean): ReaderSlot {
  let thread: Thread | undefined
  let underWay: Promise<unknown> | undefined
  let idleTimer: NodeJS.Timeout | undefined

  async function currentThread(): Promise<Thread> {
    if (thread?.isAlive()) return thread
    // Each lingering thread still burns a processor, so their number is bounded and the rest are told to wait.
    if (deps.lingering.count >= deps.mostLingering) throw databaseUnavailable()
    thread = await deps.startReader()
    return thread
  }

  function giveUp(): void {
    const lost = thread
    thread = undefined
    if (!lost) return
    deps.lingering.count += 1
    lost.abandon()
    void lost.ended.then(() => {
      deps.lingering.count -= 1
    })
  }

  async function runNow(statement: string, parameters: readonly unknown[]): Promise<ThreadResult> {
    const running = await currentThread()
    const answer = running.ask({ type: 'run', statement, parameters, opensJob: false })
    return withTimeLimit(answer, { limitMs: deps.limitMs, error: readTimedOut, giveUp })
  }

  function rest(): void {
    underWay = undefined
    if (!staysWarm) idleTimer = setTimeout(endThread, IDLE_TIMEOUT_MS).unref()
  }

  function endThread(): void {
    const idle = thread
    thread = undefined
    void idle?.close()
  }

  return {
    isFree: () => underWay === undefined,
    isReady: () => underWay === undefined && thread?.isAlive() === true,
    run: (statement, parameters) => {
      clearTimeout(idleTimer)
      const answer = runNow(statement, parameters).finally(rest)
      underWay = answer
      return answer
    },
    forgetStatements: () => {
      if (thread?.isAlive()) thread.tell({ type: 'forget-statements' })
    },
    close: async () => {
      await underWay?.then(
        () => undefined,
        () => undefined,
      )
      clearTimeout(idleTimer)
      await thread?.close()
    },
  }
}

/** The reading threads as one: statements wait in line for the next free one. */
export type ReadPool = {
  readonly execute: Execute
  /** To be called when tables changed, before anybody can know of it. */
  readonly forgetStatements: () => void
  readonly load: () => QueueLoad
  readonly close: () => Promise<void>
}

/** What a pool is made from. */
export type ReadPoolDeps = {
  readonly startReader: () => Promise<Thread>
  readonly size: number
  readonly limitMs: number
  readonly memory: StatementTimings
}

/**
 * So long a statement waits for a thread that is there, in ms, before one more is started: that takes several times as
 * long, and 7 MB for as long as it lives.
 */
const THREAD_WAIT_MS = 5

/**
 * Starts with no thread; each place gets its own when it is first needed. A statement that nobody waits for any more
 * cannot be ended, as SQLite is built here; it keeps its place until it is done, and its answer is thrown away.
 */
export function openReadPool({ startReader, size, limitMs, memory }: ReadPoolDeps): ReadPool {
  const deps = { startReader, limitMs, mostLingering: size, lingering: { count: 0 } }
  const places = Array.from({ length: size }, (_, at) => createReaderSlot(deps, at === 0))
  const turns = createReadLimiter({ places: size, keptForLight: size === 1 ? 0 : 1, longestWaitMs: limitMs, memory })

  const patient = new Set<() => void>()

  /** Resolves when a place came free, or when nobody can wait any longer. */
  function aPlaceIsReady(): Promise<void> {
    return new Promise((resolve) => {
      const goOn = (): void => {
        clearTimeout(timer)
        patient.delete(goOn)
        resolve()
      }
      const timer = setTimeout(goOn, THREAD_WAIT_MS)
      patient.add(goOn)
    })
  }

  async function runInPlace(statement: string, parameters: readonly unknown[]): Promise<ThreadResult> {
    const isBusy = !places.every((each) => each.isFree())
    if (isBusy && !places.some((each) => each.isReady())) await aPlaceIsReady()
    const place = places.find((each) => each.isReady()) ?? places.find((each) => each.isFree())
    // There are as many turns as places, and a turn ends after its place is free.
    if (!place) throw new Error('No reader is free although one was reserved.')
    const startedAt = performance.now()
    try {
      const answer = await place.run(statement, parameters)
      memory.remember(statement, answer.tookMs)
      return answer
    } catch (error) {
      memory.remember(statement, performance.now() - startedAt)
      throw error
    } finally {
      const [first] = patient
      first?.()
    }
  }

  const execute: Execute = async (statement, parameters) => {
    const giveBack = await turns.take(statement)
    const running = runInPlace(statement, parameters.map(toBindValue)).finally(giveBack)
    const answer = await raceCancellation(cancellationSignal(), running)
    return { rows: rowsAsObjects(answer), affected: answer.affected }
  }

  return {
    execute,
    load: turns.load,
    forgetStatements: () => {
      for (const place of places) place.forgetStatements()
    },
    close: async () => {
      turns.close()
      await Promise.all(places.map((place) => place.close()))
    },
  }
}
