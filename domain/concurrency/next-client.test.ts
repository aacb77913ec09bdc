import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextClient } from './next-client.ts'

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
