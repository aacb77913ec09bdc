import type { PartProblem } from '../shared/problem.ts'

/** How long a session lasts, in whole minutes. */
export type SessionLifetime = {
  /** It ends when nobody has used it for so long. */
  readonly idleMinutes: number
  /** It ends so long after the sign-in, however busy. */
  readonly longestMinutes: number
}

/** What a workspace says about its sessions. */
export type SessionPolicy = {
  /** Of whoever let the device keep them signed in. */
  readonly remembered: SessionLifetime
  /** Of whoever did not: the browser forgets the session when it is closed, the server at these ends. */
  readonly notRemembered: SessionLifetime
  /** How many sessions of one user there may be at once; null: as many as they like. */
  readonly mostSessions: number | null
}

const HOUR = 60
const DAY = 24 * HOUR

/** What holds until an owner says otherwise, and the longest they can say. */
export const DEFAULT_SESSION_POLICY: SessionPolicy = {
  remembered: { idleMinutes: 7 * DAY, longestMinutes: 30 * DAY },
  notRemembered: { idleMinutes: 12 * HOUR, longestMinutes: DAY },
  mostSessions: null,
}

/** Shorter than this, people would sign in instead of working. */
const MIN_LIFETIME_MINUTES = 5

/** Beyond it a limit limits nobody. */
export const MAX_SESSION_LIMIT = 1000

/** The two kinds of sessions, as the policy names them. */
export const LIFETIME_NAMES = ['remembered', 'notRemembered'] as const

/** What is wrong with a policy, each part by its own name; nothing, when it can be used. Lifetimes are only ever shortened. */
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

/**
 * What holds for a session. One that is not remembered never outlives one that is, so whoever shortens the one has not
 * forgotten the other.
 */
export function lifetimeOf({ remembered, notRemembered }: SessionPolicy, isRemembered: boolean): SessionLifetime {
  if (isRemembered) return remembered
  return {
    idleMinutes: Math.min(notRemembered.idleMinutes, remembered.idleMinutes),
    longestMinutes: Math.min(notRemembered.longestMinutes, remembered.longestMinutes),
  }
}

const MINUTE_MS = 60 * 1000

/** What the ends of a session are made of. `endsAt`: the absolute end it was given at the sign-in. */
export type SessionTimes = {
  readonly createdAt: Date
  readonly usedAt: Date
  readonly endsAt: Date
  readonly isRemembered: boolean
}

/**
 * When a session ends as the policy stands now: a shorter one counts for sessions that are open already, a longer one
 * never moves the end they were given, and using a session moves its idle end alone.
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

/** The absolute end of a session that begins now. */
export const sessionEnd = (policy: SessionPolicy, isRemembered: boolean, now: Date): Date =>
  new Date(now.getTime() + lifetimeOf(policy, isRemembered).longestMinutes * MINUTE_MS)

/** Sessions that were begun or last used at these times or before are over now. */
export function expiryCutoffs(
  { idleMinutes, longestMinutes }: SessionLifetime,
  now: Date,
): { readonly usedAt: Date; readonly createdAt: Date } {
  return {
    usedAt: new Date(now.getTime() - idleMinutes * MINUTE_MS),
    createdAt: new Date(now.getTime() - longestMinutes * MINUTE_MS),
  }
}

/** The shorter of two policies in every lifetime. */
export const shorterLifetimes = (one: SessionPolicy, other: SessionPolicy, isRemembered: boolean): SessionLifetime => {
  const [first, second] = [lifetimeOf(one, isRemembered), lifetimeOf(other, isRemembered)]
  return {
    idleMinutes: Math.min(first.idleMinutes, second.idleMinutes),
    longestMinutes: Math.min(first.longestMinutes, second.longestMinutes),
  }
}

/** A number of minutes as people say it: `90 minutes`, `12 hours`, `7 days`. */
export function describeMinutes(minutes: number): string {
  const count = (size: number) => (minutes / size).toLocaleString('en')
  if (minutes % DAY === 0) return minutes === DAY ? `${count(DAY)} day` : `${count(DAY)} days`
  if (minutes % HOUR === 0) return minutes === HOUR ? `${count(HOUR)} hour` : `${count(HOUR)} hours`
  return minutes === 1 ? `${count(1)} minute` : `${count(1)} minutes`
}

/** Both lifetimes and the most sessions, as the audit log keeps them: in no language. */
export const printPolicy = ({ remembered, notRemembered, mostSessions }: SessionPolicy): string =>
  [remembered, notRemembered]
    .map(({ idleMinutes, longestMinutes }) => `${idleMinutes}/${longestMinutes}`)
    .concat(String(mostSessions ?? '-'))
    .join(' ')

const PRINTED = /^(\d+)\/(\d+) (\d+)\/(\d+) (\d+|-)$/

/** A policy that the audit log keeps, in words; what was written down in words stays as it is. */
export function describeStoredPolicy(stored: string): string {
  const [, idle, longest, otherIdle, otherLongest, max] = PRINTED.exec(stored) ?? []
  if (max === undefined) return stored
  return describePolicy({
    remembered: { idleMinutes: Number(idle), longestMinutes: Number(longest) },
    notRemembered: { idleMinutes: Number(otherIdle), longestMinutes: Number(otherLongest) },
    mostSessions: max === '-' ? null : Number(max),
  })
}

/** A policy in words, for the audit log. */
function describePolicy({ remembered, notRemembered, mostSessions }: SessionPolicy): string {
  const describe = ({ idleMinutes, longestMinutes }: SessionLifetime) =>
    `${describeMinutes(idleMinutes)} idle, ${describeMinutes(longestMinutes)} in total`
  const max = mostSessions === null ? 'no limit' : `at most ${mostSessions} sessions`
  return `kept signed in: ${describe(remembered)}; otherwise: ${describe(notRemembered)}; ${max}`
}
