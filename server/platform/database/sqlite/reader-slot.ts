import { databaseUnavailable, readTimedOut } from '#server/platform/database/errors/database-errors.ts'
import { withTimeLimit } from '#server/platform/database/time-limits.ts'
import type { Thread } from './thread/start-thread.ts'
import type { ThreadResult } from './thread/thread-messages.ts'

/** One place in the pool of readers: it runs one statement at a time, in a thread that it starts when it needs one. */
export type ReaderSlot = {
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
export type ReaderSlotDeps = {
  readonly startReader: () => Promise<Thread>
  readonly limitMs: number
  /** Most threads that were given up and are still at their statement: SQLite cannot be interrupted from outside. */
  readonly mostLingering: number
  readonly lingering: { count: number }
}

/** A thread costs some 15 MB; one that nobody needed for this long ends, in ms. */
const IDLE_TIMEOUT_MS = 30_000

/** A place without a thread. One that `staysWarm` never ends its thread for lack of work. */
export function createReaderSlot(needs: ReaderSlotDeps, staysWarm: boolean): ReaderSlot {
  let thread: Thread | undefined
  let underWay: Promise<unknown> | undefined
  let idleTimer: NodeJS.Timeout | undefined

  async function currentThread(): Promise<Thread> {
    if (thread?.isAlive()) return thread
    // Each lingering thread still burns a processor, so their number is bounded and the rest are told to wait.
    if (needs.lingering.count >= needs.mostLingering) throw databaseUnavailable()
    thread = await needs.startReader()
    return thread
  }

  function giveUp(): void {
    const lost = thread
    thread = undefined
    if (!lost) return
    needs.lingering.count += 1
    lost.abandon()
    void lost.ended.then(() => {
      needs.lingering.count -= 1
    })
  }

  async function runNow(statement: string, parameters: readonly unknown[]): Promise<ThreadResult> {
    const running = await currentThread()
    const answer = running.ask({ type: 'run', statement, parameters, opensJob: false })
    return withTimeLimit(answer, { limitMs: needs.limitMs, error: readTimedOut, giveUp })
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
