import type { QueueLoad } from '#server/platform/database/database.ts'
import type { Execute } from '#server/platform/database/kysely-driver.ts'
import { createReadLimiter } from '#server/platform/database/scheduling/read-limiter.ts'
import type { StatementTimings } from '#server/platform/database/scheduling/statement-timings.ts'
import { raceCancellation, cancellationSignal } from '#server/platform/database/cancellation.ts'
import { toBindValue } from './thread/bind-value.ts'
import { createReaderSlot } from './reader-slot.ts'
import { rowsAsObjects } from './thread/row-objects.ts'
import type { Thread } from './thread/start-thread.ts'
import type { ThreadResult } from './thread/thread-messages.ts'

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
  const needs = { startReader, limitMs, mostLingering: size, lingering: { count: 0 } }
  const places = Array.from({ length: size }, (_, at) => createReaderSlot(needs, at === 0))
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
