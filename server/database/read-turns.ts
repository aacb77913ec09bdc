import { databaseIsClosed, nobodyWaits, tooManyWait } from './database-problems.ts'
import type { LineLoad } from './database.ts'
import type { StatementMemory } from './statement-memory.ts'
import { unwantedSignal } from './while-wanted.ts'

/** Turns at reading: a statement waits until one of the places is free. */
export type ReadTurns = {
  /** Resolves with what gives the turn back; rejects where the line is too long, or nobody waits any more. */
  readonly take: (statement: string) => Promise<() => void>
  readonly load: () => LineLoad
  /** Refuses everybody who waits, and whoever comes. */
  readonly close: () => void
}

/** What turns are made from. */
export type TurnNeeds = {
  readonly places: number
  /** So many places are never taken by statements that proved heavy: small reads pass by however many run big ones. */
  readonly keptForLight: number
  /** Whoever waited for so long, in ms, is told to come again. */
  readonly longestWaitMs: number
  readonly memory: StatementMemory
}

/** Whoever came behind so many others would wait for longer than anybody looks at a page. */
const MOST_WAITING = 1000

type Waiting = { readonly begin: () => void; readonly refuse: (error: Error) => void }

/** All places are free, and nobody waits. */
export function readTurns({ places, keptForLight, longestWaitMs, memory }: TurnNeeds): ReadTurns {
  const light = new Set<Waiting>()
  const heavy = new Set<Waiting>()
  let free = places
  let isClosed = false

  function next(): Waiting | undefined {
    for (const line of free > keptForLight ? [light, heavy] : [light]) {
      for (const waiting of line) {
        line.delete(waiting)
        return waiting
      }
    }
    return undefined
  }

  function handOut(): void {
    while (free > 0) {
      const waiting = next()
      if (!waiting) return
      free -= 1
      waiting.begin()
    }
  }

  function giveBack(): void {
    free += 1
    handOut()
  }

  function take(statement: string): Promise<() => void> {
    if (isClosed) return Promise.reject(databaseIsClosed())
    if (light.size + heavy.size >= MOST_WAITING) return Promise.reject(tooManyWait())
    const turn = waitIn(memory.isHeavy(statement) ? heavy : light, { giveBack, longestWaitMs })
    handOut()
    return turn
  }

  return {
    take,
    load: () => ({ places, taken: places - free, waiting: light.size + heavy.size }),
    close: () => {
      isClosed = true
      for (const { refuse } of [...light, ...heavy]) refuse(databaseIsClosed())
      light.clear()
      heavy.clear()
    },
  }
}

type Wait = { readonly giveBack: () => void; readonly longestWaitMs: number }

/** Joins a line, and leaves it when nobody waits any more, or when it took too long. */
function waitIn(line: Set<Waiting>, { giveBack, longestWaitMs }: Wait): Promise<() => void> {
  const signal = unwantedSignal()
  if (signal?.aborted) return Promise.reject(nobodyWaits())
  const { promise, resolve, reject } = Promise.withResolvers<() => void>()
  const end = (): void => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', leave)
  }
  const refuse = (error: Error): void => {
    end()
    line.delete(waiting)
    reject(error)
  }
  const leave = (): void => refuse(nobodyWaits())
  const waiting: Waiting = {
    begin: () => {
      end()
      resolve(giveBack)
    },
    refuse,
  }
  const timer = setTimeout(() => refuse(tooManyWait()), longestWaitMs)
  signal?.addEventListener('abort', leave)
  line.add(waiting)
  return promise
}
