import type { CollectionBody, FieldChange } from '#api/collections.ts'
import type { Actor } from '#domain/access/actor.ts'
import {
  assertConvertible,
  assertFieldReadable,
  changeField,
  dataLossProblem,
  type FieldPlace,
  isConverted,
} from '#server/schema/fields/change-field.ts'
import { newJob, runInBackground } from '#server/records/jobs/start-job.ts'
import type { BulkDeps } from '#server/records/bulk/bulk-deps.ts'
import { insertJob } from '#server/records/jobs/store.ts'
import { commitDefinition, type WriteDeps, type Writing } from '#server/records/changes/commit-change.ts'
import { getField } from '#server/schema/collections/change-collection.ts'
import { changedField, type ResolvedChange, startingOptions } from '#server/schema/fields/changed-field.ts'
import { previewLoss } from '#server/schema/fields/convert-values.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { type KindChange, insertChange } from './kind-changes-store.ts'
import { assertNoKindChange } from './running-changes.ts'
import { createChangeNotes } from './shadow-store.ts'
import { addFieldColumns } from '#server/schema/collections/tables-store.ts'
import type { FormerValues } from '#server/schema/fields/former-values.ts'
import { countRows, hasMoreRows } from '#server/query/run/count-rows.ts'

type KindChangePlan = {
  readonly change: ResolvedChange
  readonly records: number
}

type Begun = {
  readonly place: FieldPlace
  readonly change: ResolvedChange
  readonly job: string
  readonly former?: FormerValues | undefined
}

/** The size and data loss of a conversion that needs a job; undefined if it is small. Nothing is written yet. */
async function planKindChange(
  deps: WriteDeps & { readonly convertedAtOnce: number },
  actor: Actor,
  place: FieldPlace,
  requested: FieldChange,
): Promise<KindChangePlan | undefined> {
  const { database, newId } = deps
  const reader = database.read
  const looking = { reader, definitions: await deps.definitions.current(), actor, newId }
  const { collection } = getCollection(looking.definitions, actor, 'collections:manage', place.collection)
  const old = getField(collection, place.field)
  if (!(await hasMoreRows(reader, collection.id, deps.convertedAtOnce))) return undefined

  const kind = requested.kind ?? old.kind
  if (kind !== old.kind) assertFieldReadable(actor, collection, old)
  const isBare = kind !== old.kind && requested.options === undefined
  const change = isBare ? { ...requested, options: await startingOptions(looking, collection, old, kind) } : requested
  const next = await changedField(looking, collection, old, change)
  if (!isConverted(old, next)) return undefined
  assertFieldReadable(actor, collection, old)
  assertConvertible(old, next)
  await assertNoKindChange(reader, collection)
  const lost = change.acceptLoss === true ? undefined : await previewLoss(reader, collection, old, next)
  if (lost && lost.count > 0) throw dataLossProblem(next.label, lost)
  return { change, records: await countRows(reader, collection.id) }
}

/** Creates the shadow columns, starts tracking writes, and creates the job, in one write. */
function beginKindChange(
  deps: WriteDeps,
  actor: Actor,
  { place, change, job, former }: Begun,
  handOn: (writing: Writing, begun: KindChange) => Promise<void>,
): Promise<void> {
  return commitDefinition(deps, actor, async (writing) => {
    const { transaction } = writing
    const { collection } = getCollection(writing.definitions, actor, 'collections:manage', place.collection)
    await assertNoKindChange(transaction.db, collection)
    const old = getField(collection, place.field)
    const next = await changedField({ ...writing, reader: transaction.db }, collection, old, change)
    assertConvertible(old, next)
    const shadow = { ...next, id: writing.newId() }
    const begun: KindChange = {
      job,
      collection: collection.id,
      field: old.id,
      next,
      position: change.position ?? null,
      acceptLoss: change.acceptLoss === true,
      shadow,
      former,
    }
    await addFieldColumns(transaction, collection.id, shadow)
    await createChangeNotes(transaction, { collection: collection.id, old, shadow })
    await insertChange(transaction, begun)
    await handOn(writing, begun)
    return { answer: undefined, changes: [], events: [] }
  })
}

/** Changes a field. A large conversion becomes a job, whose ID is returned; until then the field is unchanged. */
export async function changeFieldInBackground(
  deps: BulkDeps,
  actor: Actor,
  place: FieldPlace,
  requested: FieldChange,
): Promise<CollectionBody | { readonly job: string }> {
  const long = await planKindChange(deps, actor, place, requested)
  if (!long) return changeField(deps, actor, place, requested)

  return { job: await startKindChange(deps, actor, { place, ...long }) }
}

/** Starts a job that converts the values of a field; returns its ID. */
export async function startKindChange(
  deps: BulkDeps,
  actor: Actor,
  { records, ...begun }: Omit<Begun, 'job'> & { readonly records: number },
): Promise<string> {
  const job = deps.newId()
  await beginKindChange(deps, actor, { ...begun, job }, ({ transaction }, { collection, field, next }) =>
    insertJob(transaction, {
      ...newJob(deps, actor, { does: 'change-field', collection, field }),
      id: job,
      // Auto numbers need two passes over all records.
      total: next.kind === 'auto-number' ? records * 2 : records,
    }),
  )
  runInBackground(deps, job)
  return job
}
