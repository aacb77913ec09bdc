import { databaseIsClosed } from '../database-problems.ts'
import type { Execute, Outcome } from '../kysely-over.ts'
import { asParameter } from './as-parameter.ts'
import { type ReaderPlace, readerPlace } from './reader-place.ts'
import { rowsAsObjects } from './rows-as-objects.ts'
import type { Thread } from './start-thread.ts'
import type { StatementMemory } from './statement-memory.ts'

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
  readonly memory: StatementMemory
}

type Asked = {
  readonly statement: string
  readonly parameters: readonly unknown[]
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: unknown) => void
}

/**
 * Starts with no thread; each place gets its own when it is first needed. Statements that proved heavy never take the
 * last free place, so that small reads pass by however many people run big ones.
 */
export function openReadPool({ startReader, size, limitMs, memory }: ReadPoolNeeds): ReadPool {
  const needs = { startReader, limitMs, mostLingering: size, lingering: { count: 0 } }
  const places = Array.from({ length: size }, (_, at) => readerPlace(needs, at === 0))
  const light: Asked[] = []
  const heavy: Asked[] = []
  let isClosed = false

  function serve(place: ReaderPlace, { statement, parameters, resolve, reject }: Asked): void {
    const startedAt = performance.now()
    place
      .run(statement, parameters)
      .then(
        (answer) => {
          memory.remember(statement, answer.tookMs)
          resolve({ rows: rowsAsObjects(answer), affected: answer.affected })
        },
        (error: unknown) => {
          memory.remember(statement, performance.now() - startedAt)
          reject(error)
        },
      )
      .finally(handOut)
  }

  function handOut(): void {
    const free = places.filter((place) => place.isFree())
    while (free.length > 0) {
      const mayBeHeavy = free.length > 1 || size === 1
      const next = light.shift() ?? (mayBeHeavy ? heavy.shift() : undefined)
      const place = free.shift()
      if (next === undefined || place === undefined) return
      serve(place, next)
    }
  }

  const execute: Execute = (statement, parameters) =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(databaseIsClosed())
      const line = memory.isHeavy(statement) ? heavy : light
      line.push({ statement, parameters: parameters.map(asParameter), resolve, reject })
      handOut()
    })

  return {
    execute,
    forgetStatements: () => {
      for (const place of places) place.forgetStatements()
    },
    close: async () => {
      isClosed = true
      for (const { reject } of [...light.splice(0), ...heavy.splice(0)]) reject(databaseIsClosed())
      await Promise.all(places.map((place) => place.close()))
    },
  }
}
