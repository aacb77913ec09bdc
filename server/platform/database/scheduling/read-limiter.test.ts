import { describe, expect, test } from 'vitest'
import { createReadLimiter, runAsClient } from './read-limiter.ts'
import { createStatementTimings } from './statement-timings.ts'
import { withCancellation } from '#server/platform/database/cancellation.ts'

const HEAVY = 'heavy'

function turnsAt(places: number, keptForLight: number, longestWaitMs = 60_000) {
  const memory = createStatementTimings()
  memory.remember(HEAVY, 1000)
  return createReadLimiter({ places, keptForLight, longestWaitMs, memory })
}

describe('the read limiter', () => {
  test('starts reads in order, and never uses the last slots for heavy statements', async () => {
    const { take } = turnsAt(2, 1)
    const begun: string[] = []
    const begin = async (statement: string, name: string) => {
      const giveBack = await take(statement)
      begun.push(name)
      return giveBack
    }
    const first = await begin(HEAVY, 'heavy 1')
    const second = begin(HEAVY, 'heavy 2')
    const light = await begin('light', 'light 1')
    expect(begun).toEqual(['heavy 1', 'light 1'])
    light()
    first()
    await second
    expect(begun).toEqual(['heavy 1', 'light 1', 'heavy 2'])
  })

  test('rejects a read with a retry time after a long wait', async () => {
    const { take, load } = turnsAt(1, 0, 20)
    const giveBack = await take('light')
    await expect(take('light')).rejects.toMatchObject({ code: 'not-ready', details: { retryAfterSeconds: 2 } })
    expect(load()).toMatchObject({ taken: 1, waiting: 0 })
    giveBack()
    ;(await take('light'))()
    expect(load()).toMatchObject({ taken: 0 })
  })

  test('serves clients round-robin', async () => {
    const { take } = turnsAt(3, 1)
    const begun: string[] = []
    const ask = (clientId: string) =>
      runAsClient(clientId, () => take(HEAVY)).then((giveBack) => {
        begun.push(clientId)
        return giveBack
      })
    const [first] = [ask('greedy'), ask('greedy'), ask('greedy'), ask('greedy')]
    const modest = ask('modest')
    const giveBack = await first
    giveBack?.()
    await modest
    expect(begun).toEqual(['greedy', 'greedy', 'modest'])
  })

  test('rejects a read with a retry time if a thousand reads are waiting', async () => {
    const { take, close } = turnsAt(1, 0)
    await take('light')
    const waiting = Array.from({ length: 1000 }, () => take('light').catch((error: unknown) => error))
    await expect(take('light')).rejects.toMatchObject({ code: 'not-ready', details: { retryAfterSeconds: 2 } })
    close()
    expect((await Promise.all(waiting)).every((error) => error instanceof Error)).toBe(true)
    await expect(take('light')).rejects.toMatchObject({ code: 'not-ready' })
  })

  test('drops canceled requests and never starts them', async () => {
    const { take } = turnsAt(1, 0)
    const giveBack = await take('light')
    const leaving = new AbortController()
    const left = withCancellation(leaving.signal, () => take('light'))
    const next = take('light')
    leaving.abort()
    await expect(left).rejects.toMatchObject({ code: 'not-ready' })
    await expect(withCancellation(leaving.signal, () => take('light'))).rejects.toMatchObject({ code: 'not-ready' })
    giveBack()
    expect(await next).toBeTypeOf('function')
  })
})
