import {
  afterFailure,
  countNow,
  FAILURE_LIFETIME_MS,
  type Failures,
  attemptWaitSeconds,
  type ThrottleRule,
  withoutKey,
} from '#domain/sessions/login-throttle.ts'
import type { Clock } from '#domain/shared/time.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Database, Reader, Transaction } from '#server/platform/database/database.ts'
import { type WriteCoalescer, createWriteCoalescer } from '#server/platform/database/scheduling/write-coalescer.ts'
import { hashSecret } from '#server/platform/crypto/hashed-secret.ts'
import {
  dropFailures,
  dropFailuresAbout,
  findFailures,
  hasFailuresAbout,
  pruneFailures,
  storeFailures,
  type AttemptKey,
} from './attempts-store.ts'

const MAX_KEYS = 100_000

/** Expired failures are deleted once per this many writes. */
const WRITES_PER_SWEEP = 1000

export type AttemptSubject = string | readonly [who: string, where: string]

/** The subject for each counter. Counters without a subject are not checked. */
export type AttemptSubjects<Counter extends string> = { readonly [Name in Counter]?: AttemptSubject }

/** `endsRow: false`: a success doesn't reset earlier failures. */
export type AttemptOptions = { readonly endsRow?: boolean }

/**
 * Counts failed attempts and delays further ones. Stored in the database, so that a restart doesn't reset the counts.
 */
export type AttemptCounter<Counter extends string> = {
  /**
   * Runs an attempt, or throws with the remaining delay. An attempt that throws counts as failed. A running attempt
   * also counts as failed, and is checked again at its end against failures in other processes, so that concurrent
   * attempts don't bypass the limit. A success resets consecutive failures; if there are none, nothing is written.
   */
  readonly attempt: <Answer>(
    keys: AttemptSubjects<Counter>,
    work: () => Promise<Answer>,
    options?: AttemptOptions,
  ) => Promise<Answer>
  readonly count: (keys: AttemptSubjects<Counter>) => Promise<void>
  readonly forgive: (name: Counter, who: string) => Promise<void>
}

export type AttemptStore = {
  readonly read: Reader
  readonly write: WriteCoalescer
  readonly clock: Clock
  readonly underWay: Map<string, number>
  ended: number
}

/** Stores failures in the database under hashed keys. */
export function openAttemptStore(database: Database, clock: Clock): AttemptStore {
  const write = createWriteCoalescer(database)
  let sinceSweep = WRITES_PER_SWEEP
  const sweepAnd = <Answer>(work: (transaction: Transaction) => Promise<Answer>) =>
    write(async (transaction) => {
      await pruneFailures(transaction.db, new Date(clock().getTime() - FAILURE_LIFETIME_MS), MAX_KEYS)
      return work(transaction)
    })
  return {
    read: database.read,
    clock,
    underWay: new Map(),
    ended: 0,
    write: (work) => {
      sinceSweep += 1
      if (sinceSweep <= WRITES_PER_SWEEP) return write(work)
      sinceSweep = 0
      return sweepAnd(work)
    },
  }
}

type Counted = { readonly name: string; readonly rule: ThrottleRule; readonly key: AttemptKey }

type Known = ReadonlyMap<string, Failures>

const hashesOf = (counted: readonly Counted[]): string[] => counted.map(({ key }) => key.hash)

const waitOf = (counted: readonly Counted[], known: Known, nowMs: number): number =>
  Math.max(0, ...counted.map(({ rule, key }) => attemptWaitSeconds(rule, known.get(key.hash), nowMs)))

/** Stored failures plus running attempts, as if those had just failed. */
function withPending(
  counted: readonly Counted[],
  known: Known,
  underWay: AttemptStore['underWay'],
  nowMs: number,
): Known {
  const all = new Map(known)
  for (const { rule, key } of counted) {
    const count = underWay.get(key.hash)
    if (count === undefined) continue
    all.set(key.hash, { count: count + countNow(rule, all.get(key.hash), nowMs), lastAtMs: nowMs })
  }
  return all
}

function addPending(underWay: AttemptStore['underWay'], counted: readonly Counted[], change: 1 | -1): void {
  for (const { key } of counted) {
    const count = (underWay.get(key.hash) ?? 0) + change
    if (count > 0) underWay.set(key.hash, count)
    else underWay.delete(key.hash)
  }
}

type StoredFailures = Failures & { readonly key: AttemptKey }

function failuresOfKey({ rule }: Counted, counted: readonly Counted[], known: Known, nowMs: number): number {
  const limiting = counted.find(({ name }) => name === rule.perKey?.of)
  return limiting === undefined ? 0 : countNow(limiting.rule, known.get(limiting.key.hash), nowMs)
}

const oneMore = (counted: readonly Counted[], known: Known, nowMs: number): StoredFailures[] =>
  counted.flatMap((one) => {
    const keyFailures = failuresOfKey(one, counted, known, nowMs)
    const after = afterFailure(one.rule, known.get(one.key.hash), { nowMs, keyFailures })
    return after === undefined ? [] : [{ key: one.key, ...after }]
  })

const withoutKeyFailures = (counted: readonly Counted[], known: Known, nowMs: number): StoredFailures[] =>
  counted.flatMap((one) => {
    const failures = known.get(one.key.hash)
    const keyFailures = failuresOfKey(one, counted, known, nowMs)
    if (failures === undefined || keyFailures === 0) return []
    return [{ key: one.key, ...withoutKey(one.rule, failures, keyFailures) }]
  })

/** Counts a failure, unless earlier failures already block the attempt; in that case, returns the delay. */
const storeFailure = ({ write, clock }: AttemptStore, counted: readonly Counted[]): Promise<number> =>
  write(async ({ db }) => {
    const nowMs = clock().getTime()
    const known = await findFailures(db, hashesOf(counted))
    const waitSeconds = waitOf(counted, known, nowMs)
    const after = waitSeconds === 0 ? oneMore(counted, known, nowMs) : []
    if (after.length > 0) await storeFailures(db, after)
    return waitSeconds
  })

const resetFailures = (
  { write, clock }: AttemptStore,
  counted: readonly Counted[],
  ended: readonly Counted[],
): Promise<void> =>
  write(async ({ db }) => {
    const back = withoutKeyFailures(counted, await findFailures(db, hashesOf(counted)), clock().getTime())
    if (back.length > 0) await storeFailures(db, back)
    await dropFailures(db, hashesOf(ended))
  })

/**
 * Reads again if an attempt ended during the read, because it can be missing from both the stored and the running
 * attempts.
 */
async function readSettledFailures(memory: AttemptStore, counted: readonly Counted[]): Promise<Known> {
  const ended = memory.ended
  const known = await findFailures(memory.read, hashesOf(counted))
  return ended === memory.ended ? known : readSettledFailures(memory, counted)
}

/** Opens a counter for each rule. `purpose` separates its keys from those of other counters. */
export function openAttemptCounter<Counter extends string>(
  memory: AttemptStore,
  purpose: string,
  rules: { readonly [Name in Counter]: ThrottleRule },
): AttemptCounter<Counter> {
  const { read, write, clock, underWay } = memory
  // The rule names are exactly the counter names.
  const names = Object.keys(rules) as Counter[]
  const hashOf = (name: Counter, parts: readonly string[]): string =>
    hashSecret(JSON.stringify([purpose, name, ...parts]))
  const countedFor = (keys: AttemptSubjects<Counter>): Counted[] =>
    names.flatMap((name) => {
      const given: AttemptSubject | undefined = keys[name]
      if (given === undefined) return []
      const parts = typeof given === 'string' ? [given] : given
      return [{ name, rule: rules[name], key: { hash: hashOf(name, parts), about: hashOf(name, parts.slice(0, 1)) } }]
    })

  async function begin(counted: readonly Counted[]): Promise<void> {
    const known = await readSettledFailures(memory, counted)
    const nowMs = clock().getTime()
    const waitSeconds = waitOf(counted, withPending(counted, known, underWay, nowMs), nowMs)
    if (waitSeconds > 0) throw tooManyAttempts(waitSeconds)
  }

  async function succeed(counted: readonly Counted[], { endsRow = true }: AttemptOptions): Promise<void> {
    const known = await findFailures(read, hashesOf(counted))
    const waitSeconds = waitOf(counted, known, clock().getTime())
    if (waitSeconds > 0) throw tooManyAttempts(waitSeconds)
    const ended = counted.filter(({ rule, key }) => endsRow && rule.resetsOnSuccess === true && known.has(key.hash))
    if (ended.length > 0) await resetFailures(memory, counted, ended)
  }

  return {
    attempt: async (keys, work, options = {}) => {
      const counted = countedFor(keys)
      await begin(counted)
      addPending(underWay, counted, 1)
      try {
        const answer = await work().catch(async (error: unknown) => {
          const waitSeconds = await storeFailure(memory, counted)
          throw waitSeconds > 0 ? tooManyAttempts(waitSeconds) : error
        })
        await succeed(counted, options)
        return answer
      } finally {
        addPending(underWay, counted, -1)
        memory.ended += 1
      }
    },
    count: async (keys) => {
      const counted = countedFor(keys)
      // Rejects a locked-out client without a write, so that a flood of attempts doesn't delay other writes.
      await begin(counted)
      const waitSeconds = await storeFailure(memory, counted)
      if (waitSeconds > 0) throw tooManyAttempts(waitSeconds)
    },
    forgive: async (name, who) => {
      const about = hashOf(name, [who])
      if (await hasFailuresAbout(read, about)) await write(({ db }) => dropFailuresAbout(db, about))
    },
  }
}

function tooManyAttempts(retryAfterSeconds: number): Problem {
  const wait = retryAfterSeconds < 100 ? `${retryAfterSeconds} seconds` : `${Math.ceil(retryAfterSeconds / 60)} minutes`
  return new Problem('too-many-requests', `Too many attempts. Wait ${wait}, then try again.`, { retryAfterSeconds })
}
