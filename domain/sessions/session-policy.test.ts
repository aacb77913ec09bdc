import { describe, expect, test } from 'vitest'
import { isAlive } from './session.ts'
import {
  describeStoredPolicy,
  printPolicy,
  DEFAULT_SESSION_POLICY,
  validateSessionPolicy,
  lifetimeOf,
  describeMinutes,
  sessionEnd,
  sessionEnds,
  type SessionPolicy,
  type SessionTimes,
} from './session-policy.ts'

const BEGUN_AT = new Date('2026-03-01T10:00:00.000Z')
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const after = (ms: number): Date => new Date(BEGUN_AT.getTime() + ms)

const policyWith = (changes: Partial<SessionPolicy>): SessionPolicy => ({ ...DEFAULT_SESSION_POLICY, ...changes })

/** Session last used `usedAfterMs` after its start. */
function aSession(isRemembered: boolean, usedAfterMs = 0, policy = DEFAULT_SESSION_POLICY): SessionTimes {
  return {
    createdAt: BEGUN_AT,
    usedAt: after(usedAfterMs),
    endsAt: sessionEnd(policy, isRemembered, BEGUN_AT),
    isRemembered,
  }
}

const isAliveAt = (session: SessionTimes, ms: number, policy = DEFAULT_SESSION_POLICY): boolean =>
  isAlive({ ...sessionEnds(session, policy), isEnded: false }, after(ms))

describe('a session', () => {
  test.each([
    { what: 'that is remembered', isRemembered: true, idleMs: 7 * DAY_MS, longestMs: 30 * DAY_MS },
    { what: 'that is not', isRemembered: false, idleMs: 12 * HOUR_MS, longestMs: 24 * HOUR_MS },
  ])('$what expires after the idle timeout, and at its absolute expiry', ({ isRemembered, idleMs, longestMs }) => {
    expect(isAliveAt(aSession(isRemembered), idleMs - 1)).toBe(true)
    expect(isAliveAt(aSession(isRemembered), idleMs)).toBe(false)
    const busy = aSession(isRemembered, longestMs - 1000)
    expect(isAliveAt(busy, longestMs - 1)).toBe(true)
    expect(isAliveAt(busy, longestMs)).toBe(false)
  })

  test('never has an idle expiry later than its absolute expiry', () => {
    const { endsAt, idleEndsAt } = sessionEnds(aSession(true, 29 * DAY_MS), DEFAULT_SESSION_POLICY)
    expect([endsAt, idleEndsAt]).toEqual([after(30 * DAY_MS), after(30 * DAY_MS)])
  })

  test('expires earlier when the policy becomes stricter', () => {
    const short = policyWith({ remembered: { idleMinutes: 5, longestMinutes: 60 } })
    expect(isAliveAt(aSession(true), 5 * MINUTE_MS - 1, short)).toBe(true)
    expect(isAliveAt(aSession(true), 5 * MINUTE_MS, short)).toBe(false)
    expect(isAliveAt(aSession(true, HOUR_MS - 1), HOUR_MS, short)).toBe(false)
  })

  test('keeps its absolute expiry when the policy is relaxed', () => {
    const short = policyWith({ remembered: { idleMinutes: 60, longestMinutes: 60 } })
    const session = aSession(true, HOUR_MS - 1000, short)
    expect(isAliveAt(session, HOUR_MS - 1)).toBe(true)
    expect(isAliveAt(session, HOUR_MS)).toBe(false)
  })

  test('without “remember me” never outlives a remembered session', () => {
    const short = policyWith({ remembered: { idleMinutes: 30, longestMinutes: 60 } })
    expect(lifetimeOf(short, false)).toEqual({ idleMinutes: 30, longestMinutes: 60 })
    expect(lifetimeOf(short, true)).toEqual({ idleMinutes: 30, longestMinutes: 60 })
  })
})

describe('a policy', () => {
  const faultsOf = (changes: Partial<SessionPolicy>) =>
    validateSessionPolicy(policyWith(changes)).map(({ path, code }) => `${path} ${code}`)

  test('can only shorten the default lifetimes', () => {
    expect(faultsOf({})).toEqual([])
    expect(faultsOf({ remembered: { idleMinutes: 5, longestMinutes: 5 }, mostSessions: 1 })).toEqual([])
  })

  test.each([
    [{ remembered: { idleMinutes: 4, longestMinutes: 60 } }, ['remembered.idleMinutes too-short']],
    [
      { remembered: { idleMinutes: 10_081, longestMinutes: 43_201 } },
      ['remembered.idleMinutes too-long', 'remembered.longestMinutes too-long'],
    ],
    [{ notRemembered: { idleMinutes: 721, longestMinutes: 1440 } }, ['notRemembered.idleMinutes too-long']],
    [{ notRemembered: { idleMinutes: 61, longestMinutes: 60 } }, ['notRemembered.idleMinutes idle-after-end']],
    [{ notRemembered: { idleMinutes: 60, longestMinutes: 0 } }, ['notRemembered.longestMinutes too-short']],
    [{ mostSessions: 0 }, ['mostSessions out-of-range']],
    [{ mostSessions: 1001 }, ['mostSessions out-of-range']],
  ])('with %j is rejected, and the error names the field', (changes, faults) => {
    expect(faultsOf(changes)).toEqual(faults)
  })

  test('is described in words with suitable units', () => {
    expect([5, 60, 90, 720, 1440, 10_080].map(describeMinutes)).toEqual([
      '5 minutes',
      '1 hour',
      '90 minutes',
      '12 hours',
      '1 day',
      '7 days',
    ])
    expect(describeStoredPolicy(printPolicy(policyWith({ mostSessions: 3 })))).toBe(
      'kept signed in: 7 days idle, 30 days in total; otherwise: 12 hours idle, 1 day in total; at most 3 sessions',
    )
  })
})
