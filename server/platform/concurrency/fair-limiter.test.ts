import fc from 'fast-check'
import { setImmediate as others } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createFairLimiter } from './fair-limiter.ts'

const here = new AbortController().signal

/** A limiter that records the order in which requests start. */
function watched(ofOne: number, ofAll: number) {
  const take = createFairLimiter({ perClient: ofOne, total: ofAll })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  return {
    begun,
    end: (name: string) => ends.get(name)?.(),
    ask: (clientId: string, name: string, { cost = 1, gone = here } = {}) =>
      take({ client: clientId, cost, gone }).then((giveBack) => {
        begun.push(name)
        ends.set(name, giveBack)
      }),
  }
}

describe('the fair limiter', () => {
  test('starts requests immediately while there is capacity, and others when capacity is released', async () => {
    const { ask, begun, end } = watched(2, 10)
    const all = [ask('ada', '1'), ask('ada', '2'), ask('ada', '3')]
    await others()
    expect(begun).toEqual(['1', '2'])
    end('1')
    end('1')
    await Promise.all(all)
    expect(begun).toEqual(['1', '2', '3'])
  })

  test('never delays a client with few requests until all requests of another have run', async () => {
    const { ask, begun, end } = watched(4, 4)
    for (let at = 0; at < 20; at += 1) void ask('greedy', `greedy ${at}`)
    void ask('modest', 'modest')
    await others()
    end('greedy 0')
    await others()
    expect(begun.slice(4)).toEqual(['modest'])
  })

  test('starts a request above the total limit if its client has nothing else in flight', async () => {
    const { ask, begun, end } = watched(4, 10)
    void ask('ada', 'small')
    void ask('ada', 'huge', { cost: 8 })
    await others()
    expect(begun).toEqual(['small'])
    end('small')
    await others()
    expect(begun).toEqual(['small', 'huge'])
  })

  test('drops canceled requests and never starts them', async () => {
    const { ask, begun, end } = watched(1, 1)
    const leaving = new AbortController()
    void ask('ada', 'first')
    const left = ask('ada', 'left', { gone: leaving.signal })
    void ask('ada', 'next')
    leaving.abort()
    await expect(left).rejects.toMatchObject({ code: 'not-ready' })
    await expect(ask('ada', 'too late', { gone: leaving.signal })).rejects.toMatchObject({ code: 'not-ready' })
    end('first')
    await others()
    expect(begun).toEqual(['first', 'next'])
  })

  test('never leaves capacity unused while a request fits, and never exceeds it', async () => {
    const request = fc.record({ clientId: fc.constantFrom('a', 'b', 'c'), cost: fc.constantFrom(1, 2, 8) })
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 40 }), async (requests) => {
        const take = createFairLimiter({ perClient: 10, total: 20 })
        const underWay: { readonly clientId: string; readonly cost: number; readonly giveBack: () => void }[] = []
        const costOf = (of: typeof underWay) => of.reduce((sum, { cost }) => sum + cost, 0)
        for (const { clientId, cost } of requests)
          void take({ client: clientId, cost, gone: here }).then((giveBack) =>
            underWay.push({ clientId, cost, giveBack }),
          )
        for (let over = 0; over < requests.length; over += 1) {
          await others()
          expect(underWay.length).toBeGreaterThan(0)
          expect(costOf(underWay)).toBeLessThanOrEqual(20)
          for (const name of ['a', 'b', 'c'])
            expect(costOf(underWay.filter(({ clientId }) => clientId === name))).toBeLessThanOrEqual(10)
          underWay.shift()?.giveBack()
        }
        expect(underWay).toEqual([])
      }),
      { numRuns: 50 },
    )
  })
})
