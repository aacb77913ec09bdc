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

describe('a request that arrives', () => {
  test('is welcome where there is little to do, and as the last that there is room for', () => {
    expect(decideAdmission(quiet)).toBe('admitted')
    expect(decideAdmission({ ...quiet, perClient: MAX_OPEN_PER_CLIENT - 1, total: MAX_OPEN_TOTAL - 1 })).toBe(
      'admitted',
    )
  })

  test('is too many at once where its asker has too much open, whatever the others have', () => {
    expect(decideAdmission({ ...quiet, perClient: MAX_OPEN_PER_CLIENT })).toBe('too-many-at-once')
    expect(decideAdmission({ perClient: MAX_OPEN_PER_CLIENT, total: MAX_OPEN_TOTAL, lagMs: late })).toBe(
      'too-many-at-once',
    )
  })

  test('is refused where all together have too much open', () => {
    expect(decideAdmission({ ...quiet, total: MAX_OPEN_TOTAL })).toBe('overloaded')
  })

  test('is refused where the server has been late again and again, and not for having been late once', () => {
    expect(decideAdmission({ ...quiet, lagMs: late })).toBe('overloaded')
    expect(decideAdmission({ ...quiet, lagMs: [...late, 0] })).toBe('admitted')
    expect(decideAdmission({ ...quiet, lagMs: [60_000, 0, 0] })).toBe('admitted')
    expect(decideAdmission({ ...quiet, lagMs: late.slice(1) })).toBe('admitted')
  })
})

const line = (...clients: readonly string[]) => clients.map((client, at) => ({ client, at }))
const having = (counts: Readonly<Record<string, number>>) => (client: string) => counts[client] ?? 0

describe('a turn', () => {
  test('is nobody’s where nobody waits', () => {
    expect(nextClient([], () => 0)).toBeUndefined()
  })

  test('is that of who has least under way, however many stand before', () => {
    expect(nextClient(line('greedy', 'greedy', 'modest'), having({ greedy: 3, modest: 0 }))).toMatchObject({ at: 2 })
    expect(nextClient(line('greedy', 'modest'), having({ greedy: 3, modest: 2 }))).toMatchObject({ at: 1 })
  })

  test('is that of who came first between equals', () => {
    expect(nextClient(line('one', 'other'), having({ one: 1, other: 1 }))).toMatchObject({ at: 0 })
  })

  test('comes to whoever waits before anybody else has two more under way than they', () => {
    const clients = fc.constantFrom('a', 'b', 'c', 'd')
    fc.assert(
      fc.property(fc.array(clients, { maxLength: 60 }), (asked) => {
        // Turns that are never given back are dealt out one by one, until nobody waits.
        const waiting = new Set(line(...asked))
        const dealt: Record<string, number> = {}
        for (let turn = 0; turn < asked.length; turn += 1) {
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
