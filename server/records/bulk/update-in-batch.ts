import { userIdOf } from '#domain/access/actor.ts'
import { checkChangedValues, fieldsNamed, type HiddenFields, type NamedValues } from '#domain/records/check-values.ts'
import type { CollectionRecord, RecordValues } from '#domain/records/record.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { takesFiles } from '#domain/fields/files.ts'
import type { Change } from '#server/records/changes/change-log.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import { checkReferences, preloadReferenceTargets } from '#server/records/values/check-references.ts'
import {
  assertAllWritable,
  partlyWritableFields,
  type WriteScope,
  type WrittenFields,
} from '#server/records/write/assert-writable-fields.ts'
import { assertValid, validValues } from '#server/records/values/value-errors.ts'
import { unreadableFieldsIn } from '#server/records/show/unreadable-fields.ts'
import { getAllVisible } from '#server/records/crud/visible-records.ts'
import { changedValues } from '#server/records/values/changed-values.ts'
import { writeValues } from '#server/records/write/write-values.ts'
import { assertNotFrozen } from '#server/records/workflow/assert-not-frozen.ts'
import { yieldingBetween } from '#server/platform/concurrency/async-helpers.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { Json } from '#domain/shared/json.ts'

export type ChangedValues = { readonly record: CollectionRecord; readonly values: RecordValues }

export const valueChanges = (collection: Collection, moves: readonly ChangedValues[]): Change[] =>
  moves.map(({ record, values: after }) => ({
    kind: 'record-changed',
    collection: collection.id,
    record: record.id,
    before: json(Object.fromEntries(Object.keys(after).map((field) => [field, record.values[field] ?? null]))),
    after: json(after),
  }))

/** Values are plain JSON, although the type doesn't say so for documents. */
const json = (values: unknown): Json => values as Json

export type UpdateItem = {
  readonly id: RecordId
  readonly values: NamedValues
  readonly version?: number | undefined
}

export type BatchUpdate = { readonly written: readonly WrittenFields[]; readonly changes: readonly Change[] }

/**
 * Updates records with individual values in one statement. If a record is rejected or the order matters, writes nothing
 * and returns undefined; records must then be updated one by one, which reveals the reason.
 */
export async function updateInBatch(
  writing: Writing,
  context: WriteScope,
  items: readonly UpdateItem[],
): Promise<BatchUpdate | undefined> {
  if (items.length < 2 || !areIndependent(context, items)) return undefined
  const checked = await checkUpdates(writing, context, items).then(
    (all) => all,
    (error: unknown) => {
      if (error instanceof Problem) return undefined
      throw error
    },
  )
  if (!checked) return undefined
  const { collection } = context
  const moves = checked
    .map(({ record, changed, unread }) => ({ record, values: changed, unread }))
    .filter(({ values }) => Object.keys(values).length > 0)
  const updatedBy = userIdOf(writing.actor)
  await writeValues(
    writing,
    collection,
    moves.map((move) => ({ ...move, updatedAt: writing.at, updatedBy })),
  )
  const written = checked.map(({ record, fields }) => ({ record: record.id, fields }))
  return { written, changes: valueChanges(collection, moves) }
}

/**
 * Whether updates can run in any order: no record occurs twice, and none takes over a unique value or file from
 * another.
 */
function areIndependent({ collection }: WriteScope, items: readonly UpdateItem[]): boolean {
  if (new Set(items.map(({ id }) => id)).size < items.length) return false
  const alone = collection.fields.filter((field) => field.unique || takesFiles(field))
  return !alone.some(({ name }) => items.some(({ values }) => Object.hasOwn(values, name)))
}

type CheckedUpdate = {
  readonly record: CollectionRecord
  readonly values: RecordValues
  readonly changed: RecordValues
  readonly unread: HiddenFields
  readonly fields: WrittenFields['fields']
}

async function checkUpdates(
  writing: Writing,
  context: WriteScope,
  items: readonly UpdateItem[],
): Promise<readonly CheckedUpdate[]> {
  const { collection, decision } = context
  const ids = items.map(({ id }) => id)
  const records = await getAllVisible(writing, collection, decision, ids)
  const unreadOf = await unreadableFieldsIn(writing, collection, records)
  const checked: CheckedUpdate[] = []
  for await (const [at, record] of yieldingBetween([...records.entries()])) {
    const { values: named = {}, version } = items[at] ?? {}
    if (version !== undefined && version !== record.version)
      throw new Problem('version-conflict', 'This record was edited by someone else.')
    const fields = partlyWritableFields(writing.actor, context, named)
    const values = validValues(checkChangedValues(collection, named, decision.hiddenFields))
    const unread = unreadOf(record)
    const changed = changedValues(collection, record, values, unread)
    assertNotFrozen(collection, record, changed, unread)
    checked.push({ record, values, changed, unread, fields })
  }
  await assertAllWritable(
    writing,
    context,
    checked.map(({ record, fields }) => ({ record: record.id, fields })),
  )
  await assertReferences(writing, context, items, checked)
  return checked
}

/** Checked per record, because users already selected in a record are kept. */
async function assertReferences(
  writing: Writing,
  { collection }: WriteScope,
  items: readonly UpdateItem[],
  checked: readonly CheckedUpdate[],
): Promise<void> {
  const points = items.some(({ values }) =>
    fieldsNamed(collection, values).some(({ kind }) => kind === 'relation' || kind === 'user'),
  )
  if (!points) return
  const given = checked.map(({ values }) => values)
  const reach = await preloadReferenceTargets(writing, collection, given)
  for (const { record, values } of checked) {
    assertValid(await checkReferences(writing, collection, { before: record.values, after: values }, reach))
  }
}
