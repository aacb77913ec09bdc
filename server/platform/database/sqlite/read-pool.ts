import type { QueueLoad } from '#server/platform/database/database.ts'
import type { Execute } from '#server/platform/database/kysely-driver.ts'
import { createReadLimiter } from '#server/platform/database/scheduling/read-limiter.ts'
import type { StatementTimings } from '#server/platform/database/scheduling/statement-timings.ts'
import { cancellationSignal, raceCancellation } from '#server/platform/database/cancellation.ts'
import {
  rowsAsObjects,
  toBindValue,
  type ThreadResult,
} from '#server/platform/database/sqlite/thread/thread-messages.ts'
import type { Thread } from './thread/start-thread.ts'
import { databaseUnavailable, readTimedOut } from '#server/platform/database/database-errors.ts'
import { withTimeLimit } from '#server/platform/database/time-limits.ts'

type ReaderSlot = {
  readonly isFree: () => boolean
  readonly isReady: () => boolean
  readonly run: (statement: string, parameters: readonly unknown[]) => Promise<ThreadResult>
  readonly forgetStatements: () => void
  readonly close: () => Promise<void>
}

type ReaderSlotDeps = {
  readonly startReader: () => Promise<Thread>
  readonly limitMs: number
  /**
   * Maximum number of abandoned threads that are still running a statement, because SQLite can't be interrupted from
   * another thread.
   */
  readonly maxLingering: number
  readonly lingering: { count: number }
}

/** Idle time in ms before a thread is stopped; each uses about 15 MB. */
const IDLE_TIMEOUT_MS = 30_000

function createReaderSlot(deps: ReaderSlotDeps, staysWarm: boolean): ReaderSlot {
  let thread: Thread | undefined
  let underWay: Promise<unknown> | undefined
  let idleTimer: NodeJS.Timeout | undefined

  async function currentThread(): Promise<Thread> {
    if (thread?.isAlive()) return thread
    // Abandoned threads still use a processor, so their number is limited.
    if (deps.lingering.count >= deps.maxLingering) throw databaseUnavailable()
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

export type ReadPool = {
  readonly execute: Execute
  /** Must be called after tables have been changed, before the change becomes visible. */
  readonly forgetStatements: () => void
  readonly load: () => QueueLoad
  readonly close: () => Promise<void>
}

export type ReadPoolDeps = {
  readonly startReader: () => Promise<Thread>
  readonly size: number
  readonly limitMs: number
  readonly memory: StatementTimings
}

/**
 * How long to wait in ms for a free thread before starting another, which takes several times as long and uses 7 MB.
 */
const THREAD_WAIT_MS = 5

/** Starts threads on demand. A canceled statement occupies its slot until it ends; its result is discarded. */
export function openReadPool({ startReader, size, limitMs, memory }: ReadPoolDeps): ReadPool {
  const deps = { startReader, limitMs, maxLingering: size, lingering: { count: 0 } }
  const places = Array.from({ length: size }, (_, at) => createReaderSlot(deps, at === 0))
  const turns = createReadLimiter({ places: size, keptForLight: size === 1 ? 0 : 1, longestWaitMs: limitMs, memory })

  const patient = new Set<() => void>()

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
    // There are as many reservations as slots, and a reservation is released only after its slot is free.
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
