import { databaseIsAway, databaseIsClosed, readTookTooLong } from '../database-problems.ts'
import type { Execute, Outcome } from '../kysely-over.ts'
import { rowsAsObjects } from './rows-as-objects.ts'
import type { Thread } from './start-thread.ts'
import type { Answer } from './thread-messages.ts'

/** The reading threads as one: statements wait in line for the next free one. */
export type ReadPool = {
  readonly execute: Execute
  /** To be called when tables changed, before anybody can know of it. */
  readonly forgetStatements: () => void
  readonly close: () => Promise<void>
}

/** What a pool is made from. */
export type ReadPoolNeeds = {
  readonly startReader: () => Promise<Thread>
  readonly size: number
  readonly limitMs: number
}

type Asked = {
  readonly statement: string
  readonly parameters: readonly unknown[]
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: Error) => void
}

/** One place in the pool. `thread` is missing until it is first needed, and after its thread was given up. */
type Place = { thread: Thread | undefined; underWay: Promise<void> | undefined; idleTimer?: NodeJS.Timeout }

/** From here on a statement counts as heavy, in ms: well above any page or point read, well below any scan. */
const HEAVY_FROM_MS = 8

/** A thread costs some 15 MB; all but the first end when nobody needed them for this long. */
const IDLE_ENDS_AFTER_MS = 30_000

/** How many different statements are remembered as heavy or light. */
const MOST_REMEMBERED = 2000

/**
 * Starts with no thread; each place gets its own when it is first needed. Statements that proved heavy never take the
 * last free place, so that small reads pass by however many people run big ones.
 */
export function openReadPool(needs: ReadPoolNeeds): ReadPool {
  const places: Place[] = Array.from({ length: needs.size }, () => ({ thread: undefined, underWay: undefined }))
  const light: Asked[] = []
  const heavy: Asked[] = []
  const tookMs = new Map<string, number>()
  /** Threads that were given up but are still at their statement: SQLite cannot be interrupted from outside. */
  let lingering = 0
  let isClosed = false

  const isHeavy = (statement: string): boolean => (tookMs.get(statement) ?? 0) >= HEAVY_FROM_MS

  function remember(statement: string, ms: number): void {
    // Half of the old figure is kept, so that one slow moment of the machine is soon forgotten.
    const known = tookMs.get(statement)
    tookMs.delete(statement)
    tookMs.set(statement, known === undefined ? ms : (known + ms) / 2)
    const [oldest] = tookMs.size > MOST_REMEMBERED ? tookMs.keys() : []
    if (oldest !== undefined) tookMs.delete(oldest)
  }

  function giveUp(place: Place, thread: Thread): void {
    place.thread = undefined
    lingering += 1
    thread.abandon()
    void thread.ended.then(() => {
      lingering -= 1
    })
  }

  async function threadOf(place: Place): Promise<Thread> {
    if (place.thread?.isAlive()) return place.thread
    // Each lingering thread still burns a processor; no more of them than the pool is big.
    if (lingering >= needs.size) throw databaseIsAway()
    place.thread = await needs.startReader()
    return place.thread
  }

  async function runAt(place: Place, asked: Asked): Promise<Answer> {
    const thread = await threadOf(place)
    const { promise: overdue, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      remember(asked.statement, needs.limitMs)
      reject(readTookTooLong(needs.limitMs))
      giveUp(place, thread)
    }, needs.limitMs)
    try {
      const { statement, parameters } = asked
      return await Promise.race([thread.ask({ type: 'run', statement, parameters, opensJob: false }), overdue])
    } finally {
      clearTimeout(timer)
    }
  }

  function endWhenIdle(place: Place): void {
    if (place === places[0]) return
    place.idleTimer = setTimeout(() => {
      const idle = place.thread
      place.thread = undefined
      void idle?.close()
    }, IDLE_ENDS_AFTER_MS).unref()
  }

  async function serve(place: Place, asked: Asked): Promise<void> {
    clearTimeout(place.idleTimer)
    try {
      const answer = await runAt(place, asked)
      remember(asked.statement, answer.tookMs)
      asked.resolve({ rows: rowsAsObjects(answer), affected: answer.affected })
    } catch (error) {
      asked.reject(error instanceof Error ? error : new Error(String(error)))
    } finally {
      place.underWay = undefined
      endWhenIdle(place)
      handOut()
    }
  }

  function handOut(): void {
    const free = places.filter((place) => !place.underWay)
    const isLastKept = needs.size > 1
    while (free.length > 0) {
      const next = light.shift() ?? (free.length > 1 || !isLastKept ? heavy.shift() : undefined)
      const place = free.shift()
      if (next === undefined || place === undefined) return
      place.underWay = serve(place, next)
    }
  }

  const execute: Execute = (statement, parameters) =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(databaseIsClosed())
      const line = isHeavy(statement) ? heavy : light
      line.push({ statement, parameters: parameters.map(asParameter), resolve, reject })
      handOut()
    })

  return {
    execute,
    forgetStatements: () => {
      for (const { thread } of places) if (thread?.isAlive()) thread.tell({ type: 'forget-statements' })
    },
    close: async () => {
      isClosed = true
      for (const { reject } of [...light.splice(0), ...heavy.splice(0)]) reject(databaseIsClosed())
      await Promise.all(places.map((place) => place.underWay))
      for (const place of places) clearTimeout(place.idleTimer)
      await Promise.all(places.map((place) => place.thread?.close()))
    },
  }
}

/** SQLite has no truth of its own: 1 and 0 stand for it. */
export const asParameter = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value)
