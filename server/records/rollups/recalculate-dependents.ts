import type { RollupPlan } from '#domain/rollups/rollup-plan.ts'
import type { FieldId, RecordId } from '#domain/shared/ids.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { rollupsOf, withDependents } from './rollup-plans.ts'
import {
  type ChangedInput,
  changedInputs,
  endRecalculation,
  lockRecalculation,
  moveInput,
  requestDependents,
  requestRecalculation,
  saveProgress,
} from './rollups-store.ts'
import { countBefore, lockRecords, nextBefore, recalculate, recordsBefore } from './values-store.ts'

type Place = { readonly transaction: Transaction; readonly definitions: Definitions }

/**
 * Requests that the dependents of changed records are recalculated; if they changed too many records, all values of the
 * field and of those computed from it.
 */
export async function requestPartly(
  { transaction, definitions }: Place,
  field: FieldId,
  inputs: readonly Pick<ChangedInput, 'level' | 'record'>[],
): Promise<void> {
  if (await requestDependents(transaction, field, inputs)) return
  const all = withDependents(rollupsOf(definitions), [field])
  await requestRecalculation(
    transaction,
    all.map((plan) => plan.field.id),
  )
}

/**
 * Recalculates the next records that depend on changed ones, at most `limit`, and requests the same for the fields that are
 * computed from them. Ends the recalculation if no changed record is left. Locks the records and then the
 * recalculation, in the same order as writes. Returns whether readers see a difference.
 */
export async function recalculateNextDependents(place: Place, plan: RollupPlan, limit: number): Promise<boolean> {
  const { transaction, definitions } = place
  const { id: field } = plan.field
  const inputs = await changedInputs(transaction.db, field)
  const next = await nextDependents(transaction, plan, inputs, limit)
  const ids = [...next.dependents].toSorted()
  await lockRecords(transaction, plan.home, ids)
  const now = await lockRecalculation(transaction, field)
  if (!now?.isPartial || now.isCanceled) return false
  if (inputs.length === 0) {
    // On PostgreSQL, another write may have added one before the lock.
    if ((await changedInputs(transaction.db, field)).length > 0) return false
    await endRecalculation(transaction, field)
    return true
  }
  const changed = await recalculate(transaction, plan, definitions, ids)
  for (const { input, cursor } of next.moved) await moveInput(transaction, field, input, cursor)
  const total = now.total ?? (await totalOf(transaction, plan, inputs))
  await saveProgress(transaction, { ...now, done: now.done + ids.length, total })
  if (next.closer.length > 0) await requestPartly(place, field, next.closer)
  if (changed.length === 0) return false
  for (const above of rollupsOf(definitions).plans.filter(({ reads }) => reads.has(field))) {
    const level = above.steps.length
    await requestPartly(
      place,
      above.field.id,
      changed.map((record) => ({ level, record })),
    )
  }
  return true
}

type NextDependents = {
  readonly dependents: ReadonlySet<RecordId>
  /** `cursor` is null if an input has no further dependents. */
  readonly moved: readonly { readonly input: ChangedInput; readonly cursor: RecordId | null }[]
  /** Records one level closer that depend on inputs. */
  readonly closer: readonly Pick<ChangedInput, 'level' | 'record'>[]
}

async function nextDependents(
  transaction: Transaction,
  { home, steps }: RollupPlan,
  inputs: readonly ChangedInput[],
  limit: number,
): Promise<NextDependents> {
  const dependents = new Set<RecordId>()
  const moved: { input: ChangedInput; cursor: RecordId | null }[] = []
  const closer: Pick<ChangedInput, 'level' | 'record'>[] = []
  for (const input of inputs) {
    const room = limit - dependents.size
    if (room <= 0) break
    const { level, record, cursor } = input
    const step = steps[level - 1]
    const from = steps[level - 2]?.into ?? home
    if (!step) {
      dependents.add(record)
      moved.push({ input, cursor: null })
    } else if (level > 1) {
      const before = await recordsBefore(transaction, step, from, { ids: [record], limit: MAX_CLOSER })
      closer.push(...before.map((each) => ({ level: level - 1, record: each })))
      moved.push({ input, cursor: null })
    } else {
      const some = await nextBefore(transaction, step, from, { record, after: cursor, limit: room })
      for (const id of some) dependents.add(id)
      moved.push({ input, cursor: some.length < room ? null : (some.at(-1) ?? null) })
    }
  }
  return { dependents, moved, closer }
}

/** More than the number of inputs that are worked on separately. */
const MAX_CLOSER = 2000

/** The number of dependents, once it is known. */
async function totalOf(
  transaction: Transaction,
  { home, steps: [step] }: RollupPlan,
  inputs: readonly ChangedInput[],
): Promise<number | null> {
  if (!step || inputs.some(({ level }) => level > 1)) return null
  const linked = inputs.filter(({ level }) => level === 1).map(({ record }) => record)
  return inputs.length - linked.length + (await countBefore(transaction, step, home, linked))
}
