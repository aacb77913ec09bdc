import { isIPv6 } from 'node:net'
import { type Failures, judgeTry, type ThrottleRule } from '#domain/sessions/login-throttle.ts'
import type { Clock } from '#domain/shared/clock.ts'
import { Problem } from '#domain/shared/problem.ts'

/** Most keys remembered at once; the longest unused go first. */
const MOST_KEYS = 50_000

/** Counts tries that failed, and makes whoever keeps failing wait. Kept in memory: a restart forgives. */
export type TryCounter<Counter extends string> = {
  /**
   * Lets a try begin, or throws how long to wait. It counts as failed from the start, so that a hundred tries at once
   * are no way around; `succeeded` takes it back. A counter without a key is not asked.
   */
  readonly begin: (keys: { readonly [Name in Counter]?: string }) => { readonly succeeded: () => void }
  /** Forgets the failures of one key, and of whatever was counted for it together with something else. */
  readonly forgive: (name: Counter, key: string) => void
}

/** A counter for each rule. */
export function openTryCounter<Counter extends string>(
  rules: { readonly [Name in Counter]: ThrottleRule },
  now: Clock,
): TryCounter<Counter> {
  const failures = new Map<string, Failures>()
  // The names of the rules are exactly the counters.
  const names = Object.keys(rules) as Counter[]

  function remember(key: string, count: number, lastAtMs: number): void {
    failures.delete(key)
    if (count > 0) failures.set(key, { count, lastAtMs })
    const [oldest] = failures.keys()
    if (failures.size > MOST_KEYS && oldest !== undefined) failures.delete(oldest)
  }

  return {
    begin: (given) => {
      const nowMs = now().getTime()
      const keys = names.flatMap((name) => (given[name] === undefined ? [] : [{ name, key: `${name} ${given[name]}` }]))
      const waits = keys.map(({ name, key }) => judgeTry(rules[name], failures.get(key), nowMs))
      const waitSeconds = Math.max(0, ...waits)
      if (waitSeconds > 0) throw tooManyTries(waitSeconds)

      const before = keys.map(({ key }) => ({ key, known: failures.get(key) }))
      for (const { key, known } of before) remember(key, (known?.count ?? 0) + 1, nowMs)
      const succeeded = (): void => {
        for (const { key, known } of before)
          remember(key, (failures.get(key)?.count ?? 1) - 1, known?.lastAtMs ?? nowMs)
      }
      return { succeeded }
    },
    forgive: (name, key) => {
      const whole = `${name} ${key}`
      for (const known of failures.keys()) if (known === whole || known.startsWith(`${whole} `)) failures.delete(known)
    },
  }
}

function tooManyTries(retryAfterSeconds: number): Problem {
  const wait = retryAfterSeconds < 100 ? `${retryAfterSeconds} seconds` : `${Math.ceil(retryAfterSeconds / 60)} minutes`
  return new Problem('too-many-requests', `Too many tries. Wait ${wait}, then try again.`, { retryAfterSeconds })
}

/** What counts as one address: an IPv6 customer has a whole /64 to try from. */
export function addressKey(address: string): string {
  const plain = address.split('%', 1)[0] ?? ''
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(plain)) return plain
  const [front = '', back] = plain.split('::')
  const given = front.split(':').filter(Boolean)
  const missing = back === undefined ? 0 : 8 - given.length - back.split(':').filter(Boolean).length
  const groups = [...given, ...Array<string>(missing).fill('0'), ...(back ?? '').split(':').filter(Boolean)]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
