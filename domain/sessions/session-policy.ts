import type { PartProblem } from '../shared/problem.ts'

/** In whole minutes. */
export type SessionLifetime = {
  readonly idleMinutes: number
  readonly longestMinutes: number
}

export type SessionPolicy = {
  /** For users who chose to stay signed in. */
  readonly remembered: SessionLifetime
  /** For other users; the browser discards the session when it closes. */
  readonly notRemembered: SessionLifetime
  /** Maximum sessions per user; null: no limit. */
  readonly mostSessions: number | null
}

const HOUR = 60
const DAY = 24 * HOUR

/** Default policy; its lifetimes are also the maximum. */
export const DEFAULT_SESSION_POLICY: SessionPolicy = {
  remembered: { idleMinutes: 7 * DAY, longestMinutes: 30 * DAY },
  notRemembered: { idleMinutes: 12 * HOUR, longestMinutes: DAY },
  mostSessions: null,
}

/** Lower bound, so that users don't have to sign in too often. */
const MIN_LIFETIME_MINUTES = 5

/** Upper bound; a higher limit would have no effect. */
export const MAX_SESSION_LIMIT = 1000

export const LIFETIME_NAMES = ['remembered', 'notRemembered'] as const

/** Validates a policy. Lifetimes can only be shortened. */
export function validateSessionPolicy(policy: SessionPolicy): readonly PartProblem[] {
  const { mostSessions } = policy
  const isLimit = mostSessions === null || (mostSessions >= 1 && mostSessions <= MAX_SESSION_LIMIT)
  return [
    ...LIFETIME_NAMES.flatMap((name) => validateLifetime(name, policy[name])),
    ...(isLimit
      ? []
      : [
          {
            path: 'mostSessions',
            code: 'out-of-range',
            message: `Enter a number from 1 to ${MAX_SESSION_LIMIT.toLocaleString('en')}, or leave empty for no limit.`,
          },
        ]),
  ]
}

function validateLifetime(name: (typeof LIFETIME_NAMES)[number], lifetime: SessionLifetime): PartProblem[] {
  const problems = (['idleMinutes', 'longestMinutes'] as const).flatMap((part) => {
    const path = `${name}.${part}`
    const max = DEFAULT_SESSION_POLICY[name][part]
    if (lifetime[part] < MIN_LIFETIME_MINUTES) {
      return [{ path, code: 'too-short', message: `Must be at least ${describeMinutes(MIN_LIFETIME_MINUTES)}.` }]
    }
    if (lifetime[part] > max) {
      return [{ path, code: 'too-long', message: `Must be at most ${describeMinutes(max)}.` }]
    }
    return []
  })
  if (problems.length > 0 || lifetime.idleMinutes <= lifetime.longestMinutes) return problems
  const message = `Must be at most ${describeMinutes(lifetime.longestMinutes)}, the maximum session length.`
  return [{ path: `${name}.idleMinutes`, code: 'idle-after-end', message }]
}

/** A non-remembered session never outlives a remembered one, even if only the latter was shortened. */
export function lifetimeOf({ remembered, notRemembered }: SessionPolicy, isRemembered: boolean): SessionLifetime {
  if (isRemembered) return remembered
  return {
    idleMinutes: Math.min(notRemembered.idleMinutes, remembered.idleMinutes),
    longestMinutes: Math.min(notRemembered.longestMinutes, remembered.longestMinutes),
  }
}

const MINUTE_MS = 60 * 1000

/** `endsAt`: absolute expiry, set at sign-in. */
export type SessionTimes = {
  readonly createdAt: Date
  readonly usedAt: Date
  readonly endsAt: Date
  readonly isRemembered: boolean
}

/**
 * Expiry times under the current policy. A shorter policy applies to open sessions; a longer one never extends
 * `endsAt`.
 */
export function sessionEnds(
  { createdAt, usedAt, endsAt, isRemembered }: SessionTimes,
  policy: SessionPolicy,
): { readonly endsAt: Date; readonly idleEndsAt: Date } {
  const { idleMinutes, longestMinutes } = lifetimeOf(policy, isRemembered)
  const endMs = Math.min(endsAt.getTime(), createdAt.getTime() + longestMinutes * MINUTE_MS)
  const idleEndMs = Math.min(endMs, usedAt.getTime() + idleMinutes * MINUTE_MS)
  return { endsAt: new Date(endMs), idleEndsAt: new Date(idleEndMs) }
}

export const sessionEnd = (policy: SessionPolicy, isRemembered: boolean, now: Date): Date =>
  new Date(now.getTime() + lifetimeOf(policy, isRemembered).longestMinutes * MINUTE_MS)

/** A session is expired if it was last used at or before `usedAt`, or created at or before `createdAt`. */
export function expiryCutoffs(
  { idleMinutes, longestMinutes }: SessionLifetime,
  now: Date,
): { readonly usedAt: Date; readonly createdAt: Date } {
  return {
    usedAt: new Date(now.getTime() - idleMinutes * MINUTE_MS),
    createdAt: new Date(now.getTime() - longestMinutes * MINUTE_MS),
  }
}

export const shorterLifetimes = (one: SessionPolicy, other: SessionPolicy, isRemembered: boolean): SessionLifetime => {
  const [first, second] = [lifetimeOf(one, isRemembered), lifetimeOf(other, isRemembered)]
  return {
    idleMinutes: Math.min(first.idleMinutes, second.idleMinutes),
    longestMinutes: Math.min(first.longestMinutes, second.longestMinutes),
  }
}

export function describeMinutes(minutes: number): string {
  const count = (size: number) => (minutes / size).toLocaleString('en')
  if (minutes % DAY === 0) return minutes === DAY ? `${count(DAY)} day` : `${count(DAY)} days`
  if (minutes % HOUR === 0) return minutes === HOUR ? `${count(HOUR)} hour` : `${count(HOUR)} hours`
  return minutes === 1 ? `${count(1)} minute` : `${count(1)} minutes`
}

/** Language-independent format used in the audit log. */
export const printPolicy = ({ remembered, notRemembered, mostSessions }: SessionPolicy): string =>
  [remembered, notRemembered]
    .map(({ idleMinutes, longestMinutes }) => `${idleMinutes}/${longestMinutes}`)
    .concat(String(mostSessions ?? '-'))
    .join(' ')

const PRINTED = /^(\d+)\/(\d+) (\d+)\/(\d+) (\d+|-)$/

/** Older entries contain English text and are returned unchanged. */
export function describeStoredPolicy(stored: string): string {
  const [, idle, longest, otherIdle, otherLongest, max] = PRINTED.exec(stored) ?? []
  if (max === undefined) return stored
  return describePolicy({
    remembered: { idleMinutes: Number(idle), longestMinutes: Number(longest) },
    notRemembered: { idleMinutes: Number(otherIdle), longestMinutes: Number(otherLongest) },
    mostSessions: max === '-' ? null : Number(max),
  })
}

function describePolicy({ remembered, notRemembered, mostSessions }: SessionPolicy): string {
  const describe = ({ idleMinutes, longestMinutes }: SessionLifetime) =>
    `${describeMinutes(idleMinutes)} idle, ${describeMinutes(longestMinutes)} in total`
  const max = mostSessions === null ? 'no limit' : `at most ${mostSessions} sessions`
  return `kept signed in: ${describe(remembered)}; otherwise: ${describe(notRemembered)}; ${max}`
}
