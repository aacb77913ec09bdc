import { describe, expect, test } from 'vitest'
import {
  EVENT_LOOP_LAG_MS,
  EVENT_LOOP_LAG_SAMPLES,
  MAX_OPEN_PER_CLIENT,
  MAX_OPEN_TOTAL,
  decideAdmission,
  nextClient,
} from './admission.ts'
import fc from 'fast-check'

const quiet = { perClient: 0, total: 0, lagMs: [0, 0, 0] }
const late = Array.from({ length: EVENT_LOOP_LAG_SAMPLES }, () => EVENT_LOOP_LAG_MS)

describe('a request', () => {
  test('is admitted within the limits', () => {
    expect(decideAdmission(quiet)).toBe('admitted')
    expect(decideAdmission({ ...quiet, perClient: MAX_OPEN_PER_CLIENT - 1, total: MAX_OPEN_TOTAL - 1 })).toBe(
      'admitted',
    )
  })

  test('is rejected if its client has too many open requests, regardless of the total', () => {
    expect(decideAdmission({ ...quiet, perClient: MAX_OPEN_PER_CLIENT })).toBe('too-many-at-once')
    expect(decideAdmission({ perClient: MAX_OPEN_PER_CLIENT, total: MAX_OPEN_TOTAL, lagMs: late })).toBe(
      'too-many-at-once',
    )
  })

  test('is rejected if there are too many open requests in total', () => {
    expect(decideAdmission({ ...quiet, total: MAX_OPEN_TOTAL })).toBe('overloaded')
  })

  test('is rejected after repeated event-loop lag, not after a single spike', () => {
    expect(decideAdmission({ ...quiet, lagMs: late })).toBe('overloaded')
    expect(decideAdmission({ ...quiet, lagMs: [...late, 0] })).toBe('admitted')
    expect(decideAdmission({ ...quiet, lagMs: [60_000, 0, 0] })).toBe('admitted')
    expect(decideAdmission({ ...quiet, lagMs: late.slice(1) })).toBe('admitted')
  })
})

const line = (...clients: readonly string[]) => clients.map((client, at) => ({ client, at }))
const having = (counts: Readonly<Record<string, number>>) => (client: string) => counts[client] ?? 0

describe('the fair queue', () => {
  test('returns no client for an empty queue', () => {
    expect(nextClient([], () => 0)).toBeUndefined()
  })

  test('selects the client with the lowest in-flight cost', () => {
    expect(nextClient(line('greedy', 'greedy', 'modest'), having({ greedy: 3, modest: 0 }))).toMatchObject({ at: 2 })
    expect(nextClient(line('greedy', 'modest'), having({ greedy: 3, modest: 2 }))).toMatchObject({ at: 1 })
  })

  test('selects the first of several clients with equal cost', () => {
    expect(nextClient(line('one', 'other'), having({ one: 1, other: 1 }))).toMatchObject({ at: 0 })
  })

  test('never lets one client get more than one started request ahead of a waiting client', () => {
    const clients = fc.constantFrom('a', 'b', 'c', 'd')
    fc.assert(
      fc.property(fc.array(clients, { maxLength: 60 }), (requested) => {
        // Starts every request but completes none.
        const waiting = new Set(line(...requested))
        const dealt: Record<string, number> = {}
        for (let turn = 0; turn < requested.length; turn += 1) {
          const next = nextClient(waiting, having(dealt))
          if (!next) throw new Error('Somebody waits and has no turn.')
          waiting.delete(next)
          dealt[next.client] = (dealt[next.client] ?? 0) + 1
          for (const { client } of waiting)
            expect(Math.max(...Object.values(dealt))).toBeLessThanOrEqual((dealt[client] ?? 0) + 1)
        }
        expect(waiting.size).toBe(0)
      }),
    )
  })
})
