import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { FAILURE_LIFETIME_MS } from '#domain/sessions/login-throttle.ts'
import { fixedClock } from '#tests/support/clock/fixed-clock.ts'
import { type OpenTestDatabase, openTestDatabase } from '#tests/support/database/test-database.ts'
import { openAttemptCounter, openAttemptStore } from './attempt-counter.ts'

let opened: OpenTestDatabase
let clock = fixedClock()

beforeAll(async () => {
  opened = await openTestDatabase()
})
beforeEach(async () => {
  clock = fixedClock()
  await opened.database.write(({ db }) => db.deleteFrom('failed_tries').execute())
})
afterAll(() => opened.close())

const RULE = { freeFailures: 2, maxWaitSeconds: 60 }
const PAIR = { pair: ['ada', '10.0.0.1'] } as const

/** A counter in another process, which shares only the database. */
const aCounter = (resetsOnSuccess = false) =>
  openAttemptCounter(openAttemptStore(opened.database, clock.now), 'test', {
    pair: { ...RULE, resetsOnSuccess },
    address: RULE,
  })

type Counter = ReturnType<typeof aCounter>
type Keys = Parameters<Counter['attempt']>[0]

const succeeding = (counter: Counter, keys: Keys = PAIR) => counter.attempt(keys, async () => 'in')

const failing = (counter: Counter, keys: Keys = PAIR) =>
  counter.attempt(keys, async () => {
    throw new Error('wrong')
  })

async function fail(counter: Counter, times: number, keys: Keys = PAIR): Promise<void> {
  for (let round = 0; round < times; round += 1) await expect(failing(counter, keys)).rejects.toThrow('wrong')
}

const toWait = (seconds: number) => ({
  code: 'too-many-requests',
  message: expect.stringContaining(`Wait ${seconds} seconds`),
})

const storedRows = () => opened.database.read.selectFrom('failed_tries').selectAll().orderBy('count').execute()

describe('an attempt', () => {
  test('is rejected with a delay after too many failures', async () => {
    const counter = aCounter()
    await fail(counter, 3)
    await expect(succeeding(counter)).rejects.toMatchObject(toWait(1))
  })

  test('returns its result, and writes nothing if there are no failures', async () => {
    const counter = aCounter(true)
    for (let round = 0; round < 20; round += 1) expect(await succeeding(counter)).toBe('in')
    expect(await storedRows()).toEqual([])
  })

  test("counts while it is running, so concurrent attempts can't bypass the limit", async () => {
    const counter = aCounter()
    let looked = 0
    const tried = Array.from({ length: 50 }, () =>
      counter.attempt(PAIR, async () => {
        looked += 1
        throw new Error('wrong')
      }),
    )
    await Promise.allSettled(tried)
    expect(looked).toBe(3)
    expect(await storedRows()).toMatchObject([{ count: 3 }])
  })

  test('is counted by every process on the same database, even concurrently', async () => {
    const tried = Array.from({ length: 4 }, () => aCounter()).flatMap((counter) =>
      Array.from({ length: 10 }, () => failing(counter)),
    )
    const said = (await Promise.allSettled(tried)).map((each) =>
      each.status === 'rejected' ? each.reason.message : '',
    )
    expect(said.filter((message) => message === 'wrong')).toHaveLength(3)
    expect(said.filter((message) => message.startsWith('Too many attempts'))).toHaveLength(37)
    expect(await storedRows()).toMatchObject([{ count: 3 }])
  })

  test('that succeeds is rejected after too many concurrent failures in another process', async () => {
    const [here, there] = [aCounter(true), aCounter(true)]
    const right = here.attempt(PAIR, async () => {
      await fail(there, 3)
      return 'in'
    })
    await expect(right).rejects.toMatchObject(toWait(1))
    expect(await storedRows()).toMatchObject([{ count: 3 }])
  })

  test('is still counted after the process restarts', async () => {
    await fail(aCounter(), 3)
    await expect(succeeding(aCounter())).rejects.toMatchObject(toWait(1))
  })

  test('that succeeds resets only the consecutive failures of its own keys', async () => {
    const counter = aCounter(true)
    const keys = { ...PAIR, address: '10.0.0.1' }
    await fail(counter, 2, keys)
    await succeeding(counter, keys)
    expect(await storedRows()).toMatchObject([{ count: 2 }])
    await fail(counter, 2)
    await fail(counter, 1, keys)
    await expect(succeeding(counter, { address: '10.0.0.1' })).rejects.toMatchObject(toWait(1))
  })

  test('that succeeds without proving identity resets nothing', async () => {
    const counter = aCounter(true)
    await fail(counter, 2)
    expect(await counter.attempt(PAIR, async () => 'in', { endsRow: false })).toBe('in')
    expect(await storedRows()).toMatchObject([{ count: 2 }])
  })

  test('that succeeds does not extend the delay of an address', async () => {
    const counter = aCounter()
    await fail(counter, 3)
    clock.move(1000)
    await succeeding(counter)
    await fail(counter, 1)
    expect(await storedRows()).toMatchObject([{ count: 4, last_at: clock.now().toISOString() }])
  })

  test('is allowed again after the delay, and the next delay is longer', async () => {
    const counter = aCounter()
    await fail(counter, 3)
    clock.move(1000)
    await fail(counter, 1)
    clock.move(1000)
    await expect(succeeding(counter)).rejects.toMatchObject(toWait(1))
    clock.move(1000)
    await fail(counter, 1)
    await expect(succeeding(counter)).rejects.toMatchObject(toWait(4))
  })

  test('that is rejected because of the delay does not count', async () => {
    const counter = aCounter()
    await fail(counter, 3)
    for (let round = 0; round < 5; round += 1) await expect(failing(counter)).rejects.toMatchObject(toWait(1))
    expect(await storedRows()).toMatchObject([{ count: 3 }])
  })

  test('by one user does not count against another', async () => {
    const counter = aCounter()
    await fail(counter, 3)
    expect(await succeeding(counter, { pair: ['bob', '10.0.0.1'] })).toBe('in')
  })
})

describe('a counter', () => {
  test('is not stored for an attempt without a key', async () => {
    const counter = aCounter()
    await fail(counter, 3)
    expect(await succeeding(counter, { address: '10.0.0.1' })).toBe('in')
    await expect(succeeding(counter, { ...PAIR, address: '10.0.0.2' })).rejects.toMatchObject(toWait(1))
  })

  test('counts frequent actions, sequential or concurrent', async () => {
    const counter = aCounter()
    const many = Array.from({ length: 20 }, () => counter.count(PAIR))
    const counted = (await Promise.allSettled(many)).filter(({ status }) => status === 'fulfilled')
    expect(counted).toHaveLength(3)
    await expect(counter.count(PAIR)).rejects.toMatchObject(toWait(1))
  })

  test('is separate for the same value with another key name', async () => {
    await fail(aCounter(), 3)
    const memory = openAttemptStore(opened.database, clock.now)
    await expect(openAttemptCounter(memory, 'other', { pair: RULE }).count(PAIR)).resolves.toBeUndefined()
    expect(await succeeding(aCounter(), { pair: 'ada 10.0.0.1' })).toBe('in')
  })

  test('is reset for one account at all addresses, and for no other account', async () => {
    const counter = aCounter()
    const keys = [
      ['ada', '10.0.0.1'],
      ['ada', '10.0.0.2'],
      ['adam', '10.0.0.1'],
    ] as const
    for (const pair of keys) await fail(counter, 3, { pair })
    await counter.forgive('pair', 'ada')
    const again = await Promise.allSettled(keys.map((pair) => succeeding(counter, { pair })))
    expect(again.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  })

  test('stores neither address nor account in readable form', async () => {
    await fail(aCounter(), 1)
    const [row, ...more] = await storedRows()
    expect([more.length, row?.key_hash, row?.about_hash]).toEqual([
      0,
      expect.stringMatching(/^[0-9a-f]{64}$/),
      expect.stringMatching(/^[0-9a-f]{64}$/),
    ])
  })

  test('is deleted after it has expired', async () => {
    await fail(aCounter(), 1)
    clock.move(FAILURE_LIFETIME_MS + 1)
    await fail(aCounter(), 1, { pair: ['bob', '10.0.0.1'] })
    expect(await storedRows()).toHaveLength(1)
  })
})
