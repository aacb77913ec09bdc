import { describe, expect, test } from 'vitest'
import { FAILURES_KEPT_MS, judgeTry, LOGIN_RULES, waitSeconds } from './login-throttle.ts'

describe('a sign-in', () => {
  test('may fail a few times without a wait', () => {
    expect(judgeTry(LOGIN_RULES.pair, undefined, 0)).toBe(0)
    expect(judgeTry(LOGIN_RULES.pair, { count: 4, lastAtMs: 1000 }, 1000)).toBe(0)
  })

  test('waits twice as long after each further failure', () => {
    expect([5, 6, 7, 8].map((count) => waitSeconds(LOGIN_RULES.pair, count))).toEqual([1, 2, 4, 8])
  })

  test('never waits longer than a quarter of an hour', () => {
    expect(waitSeconds(LOGIN_RULES.pair, 5000)).toBe(900)
  })

  test('is looked at again when the wait is over', () => {
    const failures = { count: 7, lastAtMs: 10_000 }
    expect(judgeTry(LOGIN_RULES.pair, failures, 10_001)).toBe(4)
    expect(judgeTry(LOGIN_RULES.pair, failures, 13_999)).toBe(1)
    expect(judgeTry(LOGIN_RULES.pair, failures, 14_000)).toBe(0)
  })

  test('forgets failures after a day', () => {
    expect(judgeTry(LOGIN_RULES.pair, { count: 500, lastAtMs: 0 }, FAILURES_KEPT_MS + 1)).toBe(0)
  })

  test('to an account that strangers attack is never held up for more than half a minute', () => {
    expect(waitSeconds(LOGIN_RULES.account, 100_000)).toBe(30)
  })
})
