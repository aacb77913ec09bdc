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

/** Most keys remembered at once. */
const MAX_KEYS = 100_000

/** Old failures are swept away with every so manieth write. */
const WRITES_PER_SWEEP = 1000

/** What is counted: a user or a place, or a user at a place; the latter is forgiven with the user. */
export type AttemptSubject = string | readonly [who: string, where: string]

/** Who or what tries, by counter. A counter without a key is not asked. */
export type AttemptSubjects<Counter extends string> = { readonly [Name in Counter]?: AttemptSubject }

/** `endsRow: false`: being right says nothing about the failures before. */
export type AttemptOptions = { readonly endsRow?: boolean }

/** Counts failed attempts and delays the next ones. Stored in the database, so a restart does not reset it. */
export type AttemptCounter<Counter extends string> = {
  /**
   * Lets somebody try something, or throws how long to wait. A try that throws has failed. While it runs it counts as
   * failed here, and when it ends it is judged again by what failed at other processes meanwhile: so a hundred tries at
   * once, at however many processes, are no way around. One that succeeds forgets what counts failures in a row; where
   * nobody failed it writes nothing.
   */
  readonly attempt: <Answer>(
    keys: AttemptSubjects<Counter>,
    work: () => Promise<Answer>,
    options?: AttemptOptions,
  ) => Promise<Answer>
  /** Counts what was done and is not wanted often, or throws how long to wait. */
  readonly count: (keys: AttemptSubjects<Counter>) => Promise<void>
  /** Clears a user's failed attempts, wherever they happened. */
  readonly forgive: (name: Counter, who: string) => Promise<void>
}

/** Where failures are kept; one for all counters of a process. */
export type AttemptStore = {
  readonly read: Reader
  readonly write: WriteCoalescer
  readonly clock: Clock
  /** How many tries are under way at this process, by hash. */
  readonly underWay: Map<string, number>
  /** How many tries have ended at this process. */
  ended: number
}

/** Keeps failures in the database. What they are about is hashed. */
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

/** One of the things counted in a try. */
type Counted = { readonly name: string; readonly rule: ThrottleRule; readonly key: AttemptKey }

type Known = ReadonlyMap<string, Failures>

const hashesOf = (counted: readonly Counted[]): string[] => counted.map(({ key }) => key.hash)

/** Seconds to wait for all that is counted; 0: now. */
const waitOf = (counted: readonly Counted[], known: Known, nowMs: number): number =>
  Math.max(0, ...counted.map(({ rule, key }) => attemptWaitSeconds(rule, known.get(key.hash), nowMs)))

/** The failures with the tries under way added, as if those had failed just now. */
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

/** How often the key failed that limits what counts here. */
function failuresOfKey({ rule }: Counted, counted: readonly Counted[], known: Known, nowMs: number): number {
  const limiting = counted.find(({ name }) => name === rule.perKey?.of)
  return limiting === undefined ? 0 : countNow(limiting.rule, known.get(limiting.key.hash), nowMs)
}

/** Every counter after one more failure, where it counts. */
const oneMore = (counted: readonly Counted[], known: Known, nowMs: number): StoredFailures[] =>
  counted.flatMap((one) => {
    const keyFailures = failuresOfKey(one, counted, known, nowMs)
    const after = afterFailure(one.rule, known.get(one.key.hash), { nowMs, keyFailures })
    return after === undefined ? [] : [{ key: one.key, ...after }]
  })

/** Every counter that limits what one key counts, without what this key counted. */
const withoutKeyFailures = (counted: readonly Counted[], known: Known, nowMs: number): StoredFailures[] =>
  counted.flatMap((one) => {
    const failures = known.get(one.key.hash)
    const keyFailures = failuresOfKey(one, counted, known, nowMs)
    if (failures === undefined || keyFailures === 0) return []
    return [{ key: one.key, ...withoutKey(one.rule, failures, keyFailures) }]
  })

/** Counts a failure, unless so many came before it that it would not have been looked at; answers the wait then. */
const storeFailure = ({ write, clock }: AttemptStore, counted: readonly Counted[]): Promise<number> =>
  write(async ({ db }) => {
    const nowMs = clock().getTime()
    const known = await findFailures(db, hashesOf(counted))
    const waitSeconds = waitOf(counted, known, nowMs)
    const after = waitSeconds === 0 ? oneMore(counted, known, nowMs) : []
    if (after.length > 0) await storeFailures(db, after)
    return waitSeconds
  })

/** Forgets rows of failures that ended with a success, and what they counted elsewhere. */
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

/** A try that ends while the failures are read is perhaps neither among them nor under way any more: read again. */
async function readSettledFailures(memory: AttemptStore, counted: readonly Counted[]): Promise<Known> {
  const ended = memory.ended
  const known = await findFailures(memory.read, hashesOf(counted))
  return ended === memory.ended ? known : readSettledFailures(memory, counted)
}

/** A counter for each rule. `purpose` tells its keys from those of other counters. */
export function openAttemptCounter<Counter extends string>(
  memory: AttemptStore,
  purpose: string,
  rules: { readonly [Name in Counter]: ThrottleRule },
): AttemptCounter<Counter> {
  const { read, write, clock, underWay } = memory
  // The names of the rules are exactly the counters.
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
      // A locked-out client is told without a write: a flood must not delay other writes.
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
