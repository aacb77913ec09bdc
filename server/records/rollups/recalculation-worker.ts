import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Actor } from '#domain/access/actor.ts'
import type { LinkIndex } from '#domain/query/list/index-selection.ts'
import type { RollupPlan } from '#domain/rollups/rollup-plan.ts'
import type { FieldId, RecordId } from '#domain/shared/ids.ts'
import { countRows } from '#server/query/run/count-rows.ts'
import { commitChange, type WriteDeps, type Writing } from '#server/records/changes/commit-change.ts'
import { recalculateNextDependents } from './recalculate-dependents.ts'
import { linksToDependents, linksToRead, rollupsOf } from './rollup-plans.ts'
import {
  endCalculation,
  lockRecalculation,
  pendingRecalculations,
  type Recalculation,
  saveProgress,
} from './rollups-store.ts'
import { nextRange, recalculateRange } from './values-store.ts'

export type RecalculationDeps = WriteDeps & {
  readonly log: Logger
  /** Makes sure that there are indexes for reading links backwards. */
  readonly keepIndexes: (links: readonly LinkIndex[]) => Promise<void>
}

const CALCULATOR: Actor = { type: 'system', reason: 'calculating fields' }

/**
 * Duration of a batch in ms at which the batch size is aimed, because other writers wait for the whole batch: longer if
 * none waited for the last one, because each batch is a commit. The batch's own wait for others doesn't count; otherwise
 * two background workers would shrink each other's batches.
 */
const TARGET_MS = 20
const UNDISTURBED_TARGET_MS = 60
const MIN_RECORDS = 25
const MAX_RECORDS = 10_000

/** Interval in ms at which requests of other processes are noticed. */
const POLL_INTERVAL_MS = 60_000
/** Pause in ms after an unexpected error. */
const RETRY_AFTER_MS = 5000

export type RecalculationWorker = {
  readonly start: () => void
  readonly wake: () => void
  readonly settled: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Calculates the values of lookups, counts and rollups in the background, in short writes. */
export function createRecalculationWorker(deps: RecalculationDeps): RecalculationWorker {
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> | undefined
  let isRunning = false
  let isDue = false

  const work = async (): Promise<void> => {
    while (isRunning && isDue) {
      isDue = false
      await recalculatePending(deps, () => isRunning).then(undefined, async (error: unknown) => {
        if (isRunning) deps.log.warn({ err: error }, 'recalculation failed')
        await pause(RETRY_AFTER_MS, undefined, { ref: false })
      })
    }
  }
  const wake = (): void => {
    isDue = true
    if (isRunning) {
      working ??= work().finally(() => {
        working = undefined
      })
    }
  }
  return {
    start: () => {
      isRunning = true
      wake()
      timer = setInterval(wake, POLL_INTERVAL_MS).unref()
    },
    wake,
    settled: async () => {
      while (working) await working
    },
    stop: async () => {
      isRunning = false
      clearInterval(timer)
      await working
    },
  }
}

/** Inputs come before the fields that are computed from them. */
async function recalculatePending(deps: RecalculationDeps, shouldContinue: () => boolean): Promise<void> {
  const { plans } = rollupsOf(await deps.definitions.latest())
  await deps.keepIndexes(plans.flatMap(linksToRead))
  let size = MIN_RECORDS
  let hasIndexes = false
  // New records come with their values. Without this, a recalculation would go on while records are being created.
  let ended: { readonly field: FieldId; readonly cursor: RecordId | null } | undefined
  for (let isMore = plans.length > 0; isMore && shouldContinue(); ) {
    const pending = new Map((await pendingRecalculations(deps.database.read)).map((each) => [each.field, each]))
    const next = rollupsOf(await deps.definitions.current()).plans.find(
      ({ field }) => pending.get(field.id)?.isCanceled === false,
    )
    const found = next && pending.get(next.field.id)
    // Calculating all values doesn't need them, unless linked records change meanwhile.
    if (!hasIndexes && (found?.isPartial !== false || found.until !== null)) {
      await deps.keepIndexes(plans.flatMap(linksToDependents))
      hasIndexes = true
    }
    if (found) {
      const isAtEnd = !found.isPartial && ended?.field === found.field && ended.cursor === found.cursor
      const { beganMs, isAwaited, end } = await recalculateBatch(deps, found, isAtEnd ? 0 : size)
      const targetMs = isAwaited ? TARGET_MS : UNDISTURBED_TARGET_MS
      if (!isAtEnd) size = nextSize(size, performance.now() - beganMs, targetMs)
      ended = { field: found.field, cursor: end }
    }
    isMore = found !== undefined
  }
}

const nextSize = (size: number, tookMs: number, targetMs: number): number =>
  Math.max(MIN_RECORDS, Math.min(MAX_RECORDS, size * 2, Math.floor((size * targetMs) / Math.max(tookMs, 1))))

type Batch = {
  readonly beganMs: number
  /** Whether other writes wait for this one. */
  readonly isAwaited: boolean
  /** The last record, if there were no further ones. */
  readonly end: RecordId | null
}

/** Calculates the next records of a field. */
function recalculateBatch(deps: RecalculationDeps, known: Recalculation, limit: number): Promise<Batch> {
  return commitChange(
    deps,
    CALCULATOR,
    async (writing) => {
      const beganMs = performance.now()
      const plan = rollupsOf(writing.definitions).plans.find(({ field }) => field.id === known.field)
      const end = plan ? await recalculateIn(writing, plan, known, limit) : null
      const isAwaited = deps.database.load().write.waiting > 0
      return { answer: { beganMs, isAwaited, end }, changes: [], events: [] }
    },
    { locksItself: true, isLong: true, mayBeLost: true },
  )
}

async function recalculateIn(
  writing: Writing,
  plan: RollupPlan,
  known: Recalculation,
  limit: number,
): Promise<Batch['end']> {
  if (!known.isPartial) return recalculateNext(writing, plan, known, limit)
  if (await recalculateNextDependents(writing, plan, limit)) writing.noteManyChanges(plan.home)
  return null
}

/**
 * With a limit of 0, or if there are no further records, ends the recalculation. Its end is a
 * write of its own, so that readers who no longer see it also see the last values. Locks the records and then the
 * recalculation, in the same order as writes. Statements after that see all committed writes to these records, and later
 * writes find the progress of this batch.
 */
async function recalculateNext(
  writing: Writing,
  plan: RollupPlan,
  { field, collection, cursor, until, isAgain }: Recalculation,
  limit: number,
): Promise<Batch['end']> {
  const { transaction, definitions } = writing
  const range = await nextRange(transaction, collection, { after: cursor, until: isAgain ? until : null, limit })
  const now = await lockRecalculation(transaction, field)
  if (now?.cursor !== cursor || now.isAgain !== isAgain || now.isPartial || now.isCanceled) return null
  const total = now.total ?? (await countRows(transaction.db, collection))
  if (range) {
    const { last, count } = range
    if ((await recalculateRange(transaction, plan, definitions, range)) > 0) writing.noteManyChanges(collection)
    await saveProgress(transaction, { ...now, cursor: last, done: now.done + count, total })
    return count < limit ? last : null
  }
  if (!isAgain && (now.until ?? '') !== '') {
    await saveProgress(transaction, { ...now, cursor: '', isAgain: true, done: 0, total })
  } else {
    await endCalculation(transaction, field)
    writing.noteManyChanges(collection)
  }
  return null
}
