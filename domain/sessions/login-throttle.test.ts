import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ADDRESS_RULE,
  afterFailure,
  areExpired,
  countNow,
  FAILURE_LIFETIME_MS,
  type Failures,
  attemptWaitSeconds,
  LOGIN_RULES,
  waitSeconds,
  withoutKey,
} from './login-throttle.ts'

describe('a sign-in', () => {
  test('allows a few failures without a delay', () => {
    expect(attemptWaitSeconds(LOGIN_RULES.pair, undefined, 0)).toBe(0)
    expect(attemptWaitSeconds(LOGIN_RULES.pair, { count: 4, lastAtMs: 1000 }, 1000)).toBe(0)
  })

  test('doubles the delay after each further failure', () => {
    expect([5, 6, 7, 8].map((count) => waitSeconds(LOGIN_RULES.pair, count))).toEqual([1, 2, 4, 8])
  })

  test('has a delay of at most 15 minutes', () => {
    expect(waitSeconds(LOGIN_RULES.pair, 5000)).toBe(900)
  })

  test('is allowed again after the delay', () => {
    const failures = { count: 7, lastAtMs: 10_000 }
    expect(attemptWaitSeconds(LOGIN_RULES.pair, failures, 10_001)).toBe(4)
    expect(attemptWaitSeconds(LOGIN_RULES.pair, failures, 13_999)).toBe(1)
    expect(attemptWaitSeconds(LOGIN_RULES.pair, failures, 14_000)).toBe(0)
  })

  test('ignores failures older than a day', () => {
    expect(attemptWaitSeconds(LOGIN_RULES.pair, { count: 500, lastAtMs: 0 }, FAILURE_LIFETIME_MS + 1)).toBe(0)
  })

  test('ignores failures with future timestamps, and at most doubles the delay if the clock was set back', () => {
    const hour = 3_600_000
    expect(attemptWaitSeconds(LOGIN_RULES.account, { count: 10, lastAtMs: 5 * hour }, 0)).toBe(0)
    expect(attemptWaitSeconds(LOGIN_RULES.account, { count: 100, lastAtMs: 1000 * hour }, 0)).toBe(0)
    expect(attemptWaitSeconds(LOGIN_RULES.account, { count: 10, lastAtMs: 900_000 }, 0)).toBe(1800)
    expect(areExpired({ count: 10, lastAtMs: 5 * hour }, 0)).toBe(false)
    expect(areExpired({ count: 10, lastAtMs: 25 * hour }, 0)).toBe(true)
  })

  test('is delayed by 15 minutes after ten failures for its account from any address', () => {
    const waits = [9, 10, 11, 99].map((count) => waitSeconds(LOGIN_RULES.account, count))
    expect(waits).toEqual([0, 900, 900, 900])
  })

  test('is blocked after a hundred failures for its account, until they expire', () => {
    const failures = { count: 100, lastAtMs: 0 }
    expect(attemptWaitSeconds(LOGIN_RULES.account, failures, FAILURE_LIFETIME_MS - 1)).toBe(1)
    expect(attemptWaitSeconds(LOGIN_RULES.account, failures, FAILURE_LIFETIME_MS)).toBe(0)
  })

  test('from a known browser is limited only by that browser’s failures, up to a hundred', () => {
    expect([4, 5, 6, 100].map((count) => waitSeconds(LOGIN_RULES.device, count))).toEqual([0, 1, 2, 86_400])
  })
})

describe('an address', () => {
  /** Simulates sign-ins from one address, with the address counter and the account counters. */
  function anAddress() {
    let address: Failures | undefined
    const accounts = new Map<number, Failures>()
    return {
      wait: (nowMs: number) => attemptWaitSeconds(ADDRESS_RULE, address, nowMs),
      count: (nowMs: number) => countNow(ADDRESS_RULE, address, nowMs),
      fail: (account: number, nowMs: number) => {
        const keyFailures = countNow(LOGIN_RULES.pair, accounts.get(account), nowMs)
        address = afterFailure(ADDRESS_RULE, address, { nowMs, keyFailures }) ?? address
        accounts.set(account, { count: keyFailures + 1, lastAtMs: nowMs })
      },
      succeed: (account: number, nowMs: number) => {
        if (address)
          address = withoutKey(ADDRESS_RULE, address, countNow(LOGIN_RULES.pair, accounts.get(account), nowMs))
        accounts.delete(account)
      },
    }
  }
  type Step = { readonly account: number; readonly isRight: boolean; readonly passesMs: number }
  const steps = (accounts: number) =>
    fc.array(
      fc.record({
        account: fc.integer({ min: 0, max: accounts - 1 }),
        isRight: fc.boolean(),
        passesMs: fc.integer({ min: 0, max: 3_600_000 }),
      }),
      { maxLength: 300 },
    )

  test('is not throttled by failures for up to ten accounts, no matter how many there are', () => {
    fc.assert(
      fc.property(steps(10), (made: readonly Step[]) => {
        const office = anAddress()
        let nowMs = 0
        for (const { account, isRight, passesMs } of made) {
          nowMs += passesMs
          expect(office.wait(nowMs)).toBe(0)
          if (isRight) office.succeed(account, nowMs)
          else office.fail(account, nowMs)
        }
      }),
    )
  })

  test('a successful sign-in removes only that account’s own failures', () => {
    fc.assert(
      fc.property(steps(5), (made: readonly Step[]) => {
        const [office, without] = [anAddress(), anAddress()]
        for (const { account, isRight } of made) {
          // Account 0 belongs to the attacker; its successful sign-ins must not clear failures for other accounts.
          if (isRight && account === 0) office.succeed(0, 0)
          else office.fail(account, 0)
          if (account !== 0) without.fail(account, 0)
        }
        expect(office.count(0)).toBeGreaterThanOrEqual(without.count(0))
      }),
    )
  })

  test('allows attempts on at most 31 accounts in a burst and fewer than 150 a day, regardless of timing', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 7_200 }), { minLength: 1, maxLength: 20 }), (pauses) => {
        const attacker = anAddress()
        let nowMs = 0
        let looked = 0
        while (nowMs < FAILURE_LIFETIME_MS) {
          const wait = attacker.wait(nowMs)
          if (wait === 0) attacker.fail(looked++, nowMs)
          // Waits as long as required, or longer to let failures expire.
          nowMs += (wait > 0 ? Math.max(wait, pauses[looked % pauses.length] ?? 0) : 0) * 1000
        }
        expect(looked).toBeGreaterThanOrEqual(31)
        expect(looked).toBeLessThan(150)
      }),
    )
  })

  test('regains one allowed failure every 15 minutes', () => {
    const failures = { count: 30, lastAtMs: 0 }
    expect([0, 899_999, 900_000, 9_000_000, 27_000_000].map((at) => countNow(ADDRESS_RULE, failures, at))).toEqual([
      30, 30, 29, 20, 0,
    ])
  })
})
