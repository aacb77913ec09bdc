import { describe, expect, test } from 'vitest'
import { areForgotten, FAILURES_KEPT_MS, judgeTry, LOGIN_RULES, waitSeconds } from './login-throttle.ts'

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

  test('waits for nothing that lies ahead because the clock was set back, and at most twice as long', () => {
    const hour = 3_600_000
    expect(judgeTry(LOGIN_RULES.account, { count: 10, lastAtMs: 5 * hour }, 0)).toBe(0)
    expect(judgeTry(LOGIN_RULES.account, { count: 100, lastAtMs: 1000 * hour }, 0)).toBe(0)
    expect(judgeTry(LOGIN_RULES.account, { count: 10, lastAtMs: 900_000 }, 0)).toBe(1800)
    expect(areForgotten({ count: 10, lastAtMs: 5 * hour }, 0)).toBe(false)
    expect(areForgotten({ count: 10, lastAtMs: 25 * hour }, 0)).toBe(true)
  })

  test('to an account rests for a quarter of an hour after the tenth failure, wherever they came from', () => {
    const waits = [9, 10, 11, 99].map((count) => waitSeconds(LOGIN_RULES.account, count))
    expect(waits).toEqual([0, 900, 900, 900])
  })

  test('to an account is not looked at any more after a hundred failures, until they are forgotten', () => {
    const failures = { count: 100, lastAtMs: 0 }
    expect(judgeTry(LOGIN_RULES.account, failures, FAILURES_KEPT_MS - 1)).toBe(1)
    expect(judgeTry(LOGIN_RULES.account, failures, FAILURES_KEPT_MS)).toBe(0)
  })

  test('from a known browser waits for the failures of that browser, and ends after a hundred as well', () => {
    expect([4, 5, 6, 100].map((count) => waitSeconds(LOGIN_RULES.device, count))).toEqual([0, 1, 2, 86_400])
  })
})
