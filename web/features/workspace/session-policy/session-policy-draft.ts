import {
  DEFAULT_SESSION_POLICY,
  LIFETIME_NAMES,
  lifetimeOf,
  describeMinutes,
  type SessionLifetime,
  type SessionPolicy,
} from '#domain/sessions/session-policy.ts'
import { t } from '#web/i18n/t.ts'

export type LifetimeName = (typeof LIFETIME_NAMES)[number]

export type LifetimePart = keyof SessionLifetime

const HOUR = 60
const DAY = 24 * HOUR

/** Common durations in minutes. */
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

export type MinutesOption = { readonly value: string; readonly label: string }

/** Common values up to the maximum, and the current one. */
export function minutesOptions(name: LifetimeName, part: LifetimePart, current: number): readonly MinutesOption[] {
  const longest = DEFAULT_SESSION_POLICY[name][part]
  const all = new Set([...USUAL_MINUTES.filter((minutes) => minutes <= longest), current])
  return [...all]
    .toSorted((left, right) => left - right)
    .map((minutes) => ({ value: String(minutes), label: describeMinutes(minutes) }))
}

export const withMinutes = (
  policy: SessionPolicy,
  [name, part]: readonly [LifetimeName, LifetimePart],
  minutes: number,
): SessionPolicy => ({ ...policy, [name]: { ...policy[name], [part]: minutes } })

/** The effective value if a limit exceeds that of remembered sessions. */
export function overriddenHint(policy: SessionPolicy, name: LifetimeName, part: LifetimePart): string | undefined {
  const minutes = lifetimeOf(policy, name === 'remembered')[part]
  return minutes === policy[name][part]
    ? undefined
    : t('The shorter limit above also applies here: {minutesInWords}.', { minutesInWords: describeMinutes(minutes) })
}

export const isSamePolicy = (one: SessionPolicy, other: SessionPolicy): boolean =>
  one.mostSessions === other.mostSessions &&
  LIFETIME_NAMES.every(
    (name) =>
      one[name].idleMinutes === other[name].idleMinutes && one[name].longestMinutes === other[name].longestMinutes,
  )
