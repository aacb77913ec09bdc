import type { RecordChange } from '#domain/query/list/evaluate-change.ts'
import type { Field, FieldValue } from '#domain/fields/field.ts'
import { collectionsOfPlan, fieldsOfPlan, planSignature, type RollupPlan } from '#domain/rollups/rollup-plan.ts'
import type { CollectionId, FieldId, RecordId } from '#domain/shared/ids.ts'
import { sameJson } from '#domain/shared/json.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { hasMoreRows } from '#server/query/run/count-rows.ts'
import type { IsIndexed } from '#server/query/run/slow-query-log.ts'
import { linksToDependents, rollupsOf, withDependents } from './rollup-plans.ts'
import { requestPartly } from './recalculate-dependents.ts'
import {
  calculatedFields,
  endRecalculation,
  pendingRecalculations,
  replaceSignatures,
  requestRecalculation,
} from './rollups-store.ts'
import { recalculate, recalculateBetween, recordsBefore } from './values-store.ts'

/** A write recalculates at most this many records more than it changes; the others are recalculated in the background. */
const MAX_DEPENDENTS = 200

/** In collections of at most this size, all records are recalculated at once. */
const MAX_AT_ONCE = 500
/** Unless the collection at the end of the path is larger than this. */
const MAX_LINKED_AT_ONCE = 5000

export type WrittenRecords = {
  readonly noted: readonly { readonly collection: CollectionId; readonly change: RecordChange }[]
  /** Collections with changes to unknown records. */
  readonly unknown: ReadonlySet<CollectionId>
  /** Fields whose definition has changed, and with it possibly their values. */
  readonly redefined: ReadonlySet<FieldId>
  readonly areDefinitionsChanged: boolean
}

type Recalculated = {
  readonly transaction: Transaction
  readonly definitions: Definitions
  readonly isIndexed?: IsIndexed | undefined
}

export type MaintainedRollups = {
  /** Collections whose records have new values. */
  readonly changed: ReadonlySet<CollectionId>
  /** Whether values remain to be calculated in the background. */
  readonly isPending: boolean
}

const NOTHING: MaintainedRollups = { changed: new Set(), isPending: false }

/**
 * Brings the values of rollups up to date after a write, in its transaction. Values of many records are recalculated in
 * the background; until then they are reported as being recalculated.
 */
export async function maintainRollups(place: Recalculated, written: WrittenRecords): Promise<MaintainedRollups> {
  const graph = rollupsOf(place.definitions)
  const isAffected = (collection: CollectionId): boolean => graph.collections.has(collection)
  const noted = written.noted.filter(({ collection }) => isAffected(collection))
  const unknown = [...written.unknown].filter(isAffected)
  if (noted.length === 0 && unknown.length === 0 && !written.areDefinitionsChanged) return NOTHING

  const signed = written.areDefinitionsChanged ? await signPlans(place) : []
  const outdated = graph.plans.filter(
    (plan) =>
      unknown.some((collection) => collectionsOfPlan(plan).includes(collection)) ||
      fieldsOfPlan(plan).some((field) => written.redefined.has(field)),
  )
  const requested = new Set([...signed, ...outdated.map(({ field }) => field.id)])
  const { changed, isPending } = await recalculateDependents(place, noted, requested)
  const pending = withDependents(graph, requested)
  if (pending.length === 0) return { changed, isPending }
  await requestRecalculation(
    place.transaction,
    pending.map(({ field }) => field.id),
  )
  const settled = await settleSmall(place, pending)
  return { changed: new Set([...changed, ...settled]), isPending: isPending || settled.length < pending.length }
}

/** Returns the rollups whose definition differs from that of their stored values. */
function signPlans({ transaction, definitions }: Recalculated): Promise<FieldId[]> {
  const signed = rollupsOf(definitions).plans.map((plan) => ({
    field: plan.field.id,
    collection: plan.home,
    signature: planSignature(plan, definitions.timeZone),
  }))
  return replaceSignatures(transaction, signed)
}

/**
 * Recalculates the records that depend on changed ones, field by field, so that each change reaches all of them. If they
 * are too many or can't be found fast, requests it for the background, and so for fields that are computed from theirs.
 */
async function recalculateDependents(
  place: Recalculated,
  noted: WrittenRecords['noted'],
  requested: ReadonlySet<FieldId>,
): Promise<MaintainedRollups> {
  const graph = rollupsOf(place.definitions)
  const results = new Map<FieldId, readonly RecordId[]>()
  const changed = new Set<CollectionId>()
  const skipped = new Set(withDependents(graph, requested).map(({ field }) => field.id))
  const pending = new Set<FieldId>()
  let calculated: ReadonlySet<FieldId> | undefined
  for (const plan of graph.plans) {
    const { id } = plan.field
    if (skipped.has(id)) continue
    const seeds = seedsOf(plan, noted, results)
    const isWaiting =
      [...plan.reads].some((input) => pending.has(input)) ||
      (isSlow(place, plan, seeds) && (calculated ??= await calculatedFields(place.transaction.db)).has(id))
    const updated = isWaiting ? undefined : await recalculateFew(place, plan, seeds, MAX_DEPENDENTS + noted.length)
    if (updated) {
      results.set(id, updated)
      if (updated.length > 0) changed.add(plan.home)
    } else {
      pending.add(id)
      await requestPartly(place, id, inputsOf(seeds))
    }
  }
  return { changed, isPending: pending.size > 0 }
}

/** Whether the dependents of linked records can't be found by an index, which is built once all values are calculated. */
const isSlow = ({ isIndexed }: Recalculated, plan: RollupPlan, seeds: Seeds): boolean =>
  isIndexed !== undefined &&
  seeds.slice(1).some(({ size }) => size > 0) &&
  !linksToDependents(plan).every(({ collection, spec }) => isIndexed(collection, spec))

/** Returns the records whose value has changed, or undefined if too many depend on changed ones. */
async function recalculateFew(
  { transaction, definitions }: Recalculated,
  plan: RollupPlan,
  seeds: Seeds,
  most: number,
): Promise<readonly RecordId[] | undefined> {
  const records = await dependentsOf(transaction, plan, seeds, most)
  if (records) return recalculate(transaction, plan, definitions, [...records].toSorted())
  return (await isSmall(transaction, plan)) ? recalculateBetween(transaction, plan, definitions, ALL) : undefined
}

const inputsOf = (seeds: Seeds) => seeds.flatMap((records, level) => [...records].map((record) => ({ level, record })))

/** Records at each step of a path, from 0 for the records that contain the field, from which a change is followed. */
type Seeds = readonly ReadonlySet<RecordId>[]

function seedsOf(
  plan: RollupPlan,
  noted: WrittenRecords['noted'],
  results: ReadonlyMap<FieldId, readonly RecordId[]>,
): Seeds {
  const collections = collectionsOfPlan(plan)
  return collections.map((collection, level) => {
    const seeds = new Set<RecordId>()
    for (const each of noted) if (each.collection === collection) addSeeds(plan, level, each.change, seeds)
    // A change of a link that this level owns leads to the level above.
    const next = collections[level + 1]
    if (plan.steps[level]?.isReverse === true)
      for (const each of noted) if (each.collection === next) addLinkedBy(plan, level, each.change, seeds)
    const isEnd = level === plan.steps.length
    const recalculated = [...results].flatMap(([field, ids]) => (isEnd && plan.reads.has(field) ? ids : []))
    for (const id of recalculated) seeds.add(id)
    return seeds
  })
}

/** Adds a record in which the next link or, at the end of the path, a summarized value has changed. */
function addSeeds(plan: RollupPlan, level: number, change: RecordChange, seeds: Set<RecordId>): void {
  const id = change.after?.id
  if (id === undefined) return
  const next = plan.steps[level]
  const isNew = level === 0 && change.before === null
  const isLinkChanged = next?.isReverse === false && isChanged(change, next.relation)
  const isEnd = level === plan.steps.length
  if (isNew || isLinkChanged || (isEnd && areReadChanged(plan, change))) seeds.add(id)
}

/** Adds the records to which a record links or linked before, if its links or its existence have changed. */
function addLinkedBy({ steps }: RollupPlan, level: number, change: RecordChange, seeds: Set<RecordId>): void {
  const relation = steps[level]?.relation
  if (!relation || (change.before !== null && change.after !== null && !isChanged(change, relation))) return
  for (const record of [change.before, change.after]) for (const id of idsIn(record?.values[relation.id])) seeds.add(id)
}

const idsIn = (value: FieldValue | undefined): readonly RecordId[] =>
  typeof value === 'string' ? [value] : Array.isArray(value) ? value.map(String) : []

const isChanged = ({ before, after }: RecordChange, { id }: Pick<Field, 'id'>): boolean =>
  !sameJson(before?.values[id] ?? null, after?.values[id] ?? null)

/** Whether the values of a linked record that a rollup reads have changed. */
function areReadChanged({ reads }: RollupPlan, change: RecordChange): boolean {
  if (change.before === null || change.after === null) return true
  return [...reads].some((id) => CHANGING.has(id) || isChanged(change, { id }))
}

/** System fields that every change of a record changes. */
const CHANGING: ReadonlySet<string> = new Set(['updatedAt', 'updatedBy', 'version'])

/** The records that contain the field and depend on these; undefined if there are too many. */
async function dependentsOf(
  transaction: Transaction,
  { home, steps }: RollupPlan,
  seeds: Seeds,
  most: number,
): Promise<ReadonlySet<RecordId> | undefined> {
  let reached: ReadonlySet<RecordId> = seeds[steps.length] ?? new Set()
  for (let level = steps.length - 1; level >= 0; level -= 1) {
    const step = steps[level]
    if (reached.size > most) return undefined
    const from = steps[level - 1]?.into ?? home
    const limit = most + 1
    const before =
      step && reached.size > 0 ? await recordsBefore(transaction, step, from, { ids: [...reached], limit }) : []
    reached = new Set([...(seeds[level] ?? []), ...before])
  }
  return reached.size > most ? undefined : reached
}

/** Recalculates small collections at once; returns the collections of the fields that are current again. */
async function settleSmall(place: Recalculated, pending: readonly RollupPlan[]): Promise<CollectionId[]> {
  const { transaction, definitions } = place
  const waiting = new Set((await pendingRecalculations(transaction.db)).map(({ field }) => field))
  const settled: CollectionId[] = []
  for (const plan of pending) {
    const isBlocked = [...plan.reads].some((input) => waiting.has(input))
    if (isBlocked || !(await isSmall(transaction, plan))) continue
    await recalculateBetween(transaction, plan, definitions, ALL)
    await endRecalculation(transaction, plan.field.id)
    waiting.delete(plan.field.id)
    settled.push(plan.home)
  }
  return settled
}

/** The end sorts after every ID. */
const ALL = { first: '', last: '~' }

async function isSmall(transaction: Transaction, { home, steps }: RollupPlan): Promise<boolean> {
  if (await hasMoreRows(transaction.db, home, MAX_AT_ONCE)) return false
  for (const { into } of steps) if (await hasMoreRows(transaction.db, into, MAX_LINKED_AT_ONCE)) return false
  return true
}
