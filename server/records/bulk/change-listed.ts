import { type BulkByList as Body, MAX_AT_ONCE } from '#api/bulk.ts'
import type { Actor } from '#domain/access/actor.ts'
import { checkChangedValues, checkNewValues, fieldsNamed } from '#domain/records/check-values.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { RecordValues } from '#domain/records/record.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Change } from '#server/records/changes/change-log.ts'
import {
  calendarAt,
  type WriteDeps,
  type Writing,
  commitChange,
  notUnique,
} from '#server/records/changes/commit-change.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { UniqueViolation } from '#server/platform/database/database-errors.ts'
import {
  type WrittenFields,
  partlyWritableFields,
  assertAllWritable,
  assertWritableFields,
} from '#server/records/write/assert-writable-fields.ts'
import { validValues, assertValid } from '#server/records/values/value-errors.ts'
import { getAllVisible, getVisible, assertAllInScope } from '#server/records/crud/visible-records.ts'
import { yieldingBetween } from '#server/platform/concurrency/async-helpers.ts'
import { updateInBatch } from './update-in-batch.ts'
import { withoutStartRestriction } from '#server/records/workflow/transition-problems.ts'
import { checkReferences, preloadReferenceTargets } from '#server/records/values/check-references.ts'
import { writeNewRecords } from '#server/records/write/write-new-records.ts'
import { withGrantedDefaults } from '#server/records/values/granted-defaults.ts'
import { writeChangedRecord, writeRemovedRecords } from '#server/records/write/write-records.ts'

export type Changed = {
  readonly created: RecordId[]
  readonly updated: number
  readonly deleted: number
  readonly changeSet?: string
}

/** Changes many records listed by ID, all or nothing. */
export function changeListed(deps: WriteDeps, actor: Actor, nameOrId: string, body: Body): Promise<Changed> {
  const { create = [], update = [], delete: remove = [] } = body
  if (create.length + update.length + remove.length > MAX_AT_ONCE) {
    throw new Problem('too-large', `At most ${MAX_AT_ONCE} records can be changed at once.`)
  }
  return commitChange(deps, actor, async (writing) => {
    const permission = create.length > 0 ? 'records:create' : remove.length > 0 ? 'records:delete' : 'records:update'
    const { collection } = getCollection(writing.definitions, actor, permission, nameOrId)
    const created = await createAll(writing, nameOrId, create)
    const updated = await updateAll(writing, nameOrId, update)
    const deleted = await deleteAll(writing, nameOrId, remove)
    const records = [...created.records, ...updated.records, ...deleted.records]
    const isDeletion = deleted.records.length > 0 && create.length === 0 && update.length === 0
    const id = writing.newId()
    const changes = [...created.changes, ...updated.changes, ...deleted.changes]
    return {
      changeSet: { id, isDeletion },
      answer: {
        created: created.records,
        updated: updated.records.length,
        deleted: deleted.records.length,
        ...(changes.length > 0 && { changeSet: id }),
      },
      changes,
      events: [{ type: 'records-changed', collection: collection.id, records }],
    }
  })
}

type Part = { readonly records: RecordId[]; readonly changes: Change[] }

async function createAll(writing: Writing, nameOrId: string, items: NonNullable<Body['create']>): Promise<Part> {
  if (items.length === 0) return { records: [], changes: [] }
  const context = getCollection(writing.definitions, writing.actor, 'records:create', nameOrId)
  const { collection, decision } = context
  const given: RecordValues[] = []
  const partly: WrittenFields['fields'][] = []
  for await (const item of yieldingBetween(items)) {
    partly.push(partlyWritableFields(writing.actor, context, item.values))
    const started = withoutStartRestriction(writing.actor, withGrantedDefaults(writing, context, item.values))
    given.push(validValues(checkNewValues(started, item.values, decision.hiddenFields, calendarAt(writing))))
  }
  await assertReferences(writing, collection, items, given)
  const made = await writeNewRecords(writing, collection, given)
  const records = made.map(({ record }) => record.id)
  await assertAllInScope(writing, collection, decision, records)
  const written = made.map(({ record }, at) => ({ record: record.id, fields: partly[at] ?? [] }))
  await assertAllWritable(writing, context, written)
  return { records, changes: made.map(({ change }) => change) }
}

async function updateAll(writing: Writing, nameOrId: string, items: NonNullable<Body['update']>): Promise<Part> {
  const part: Part = { records: [], changes: [] }
  if (items.length === 0) return part
  const context = getCollection(writing.definitions, writing.actor, 'records:update', nameOrId)
  const { collection, decision } = context
  const together = await updateInBatch(writing, context, items)
  if (together) {
    const records = items.map(({ id }) => id)
    await assertAllInScope(writing, collection, decision, records)
    await assertAllWritable(writing, context, together.written)
    return { records, changes: [...together.changes] }
  }
  const written: WrittenFields[] = []
  const change = async (item: (typeof items)[number]): Promise<void> => {
    const before = await getVisible(writing, collection, decision, item.id)
    if (item.version !== undefined && item.version !== before.version) {
      throw new Problem('version-conflict', `Record ${item.id} was changed in the meantime. Nothing was saved.`)
    }
    const fields = partlyWritableFields(writing.actor, context, item.values)
    const values = validValues(checkChangedValues(collection, item.values, decision.hiddenFields))
    await assertWritableFields(writing, context, fields, [item.id])
    part.changes.push(...(await writeChangedRecord(writing, collection, before, values)).changes)
    part.records.push(item.id)
    written.push({ record: item.id, fields })
  }
  for (const item of items)
    await change(item).then(undefined, (error: unknown) => rethrowForRecord(writing, item.id, error))
  await assertAllInScope(writing, collection, decision, part.records)
  await assertAllWritable(writing, context, written)
  return part
}

async function assertReferences(
  writing: Writing,
  collection: Collection,
  items: NonNullable<Body['create']>,
  given: readonly RecordValues[],
): Promise<void> {
  const reach = await preloadReferenceTargets(writing, collection, given)
  for await (const [at, after] of yieldingBetween([...given.entries()])) {
    const named = fieldsNamed(collection, items[at]?.values ?? {})
    assertValid(await checkReferences(writing, collection, { before: {}, after, named }, reach))
  }
}

/** Adds the record's ID to an error; the caller sent the ID, so it reveals nothing. */
function rethrowForRecord({ actor, definitions }: Writing, record: RecordId, error: unknown): never {
  const problem = error instanceof UniqueViolation ? notUnique(error, actor, definitions) : error
  if (!(problem instanceof Problem)) throw error
  const { details, code, message } = problem
  throw new Problem(code, message, { ...details, extra: { ...details.extra, record } })
}

async function deleteAll(writing: Writing, nameOrId: string, ids: readonly RecordId[]): Promise<Part> {
  if (ids.length === 0) return { records: [], changes: [] }
  const { collection, decision } = getCollection(writing.definitions, writing.actor, 'records:delete', nameOrId)
  const records = await getAllVisible(writing, collection, decision, [...new Set(ids)])
  return {
    records: records.map((record) => record.id),
    changes: await writeRemovedRecords(writing, collection, records),
  }
}
