import {
  DEFAULT_SESSION_POLICY,
  LIFETIME_NAMES,
  lifetimeOf,
  describeMinutes,
  type SessionLifetime,
  type SessionPolicy,
} from '#domain/sessions/session-policy.ts'
import { t } from '#web/i18n/t.ts'

/** The two kinds of sessions, as the policy names them. */
export type LifetimeName = (typeof LIFETIME_NAMES)[number]

/** The two limits of each. */
export type LifetimePart = keyof SessionLifetime

const HOUR = 60
const DAY = 24 * HOUR

/** The times people think in, in minutes. */
const USUAL_MINUTES = [
  5,
  15,
  30,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  12 * HOUR,
  DAY,
  2 * DAY,
  3 * DAY,
  7 * DAY,
  14 * DAY,
  30 * DAY,
]

/** One time to choose. */
export type MinutesOption = { readonly value: string; readonly label: string }

/** What can be chosen for a limit: the usual times up to its longest, and whatever is set by other means. */
export function minutesOptions(name: LifetimeName, part: LifetimePart, current: number): readonly MinutesOption[] {
  const longest = DEFAULT_SESSION_POLICY[name][part]
  const all = new Set([...USUAL_MINUTES.filter((minutes) => minutes <= longest), current])
  return [...all]
    .toSorted((left, right) => left - right)
    .map((minutes) => ({ value: String(minutes), label: describeMinutes(minutes) }))
}

/** A policy with one limit changed. */
export const withMinutes = (
  policy: SessionPolicy,
  [name, part]: readonly [LifetimeName, LifetimePart],
  minutes: number,
): SessionPolicy => ({ ...policy, [name]: { ...policy[name], [part]: minutes } })

/** What counts in the place of a limit that is longer than that of remembered sessions. */
export function overriddenHint(policy: SessionPolicy, name: LifetimeName, part: LifetimePart): string | undefined {
  const minutes = lifetimeOf(policy, name === 'remembered')[part]
  return minutes === policy[name][part]
    ? undefined
    : t('The shorter limit above also applies here: {minutesInWords}.', { minutesInWords: describeMinutes(minutes) })
}

/** Whether two policies say the same. */
export const isSamePolicy = (one: SessionPolicy, other: SessionPolicy): boolean =>
  one.mostSessions === other.mostSessions &&
  LIFETIME_NAMES.every(
    (name) =>
      one[name].idleMinutes === other[name].idleMinutes && one[name].longestMinutes === other[name].longestMinutes,
  )
