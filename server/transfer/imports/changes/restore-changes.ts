import type { Collection } from '#domain/collections/collection.ts'
import type { Field, FieldValue } from '#domain/fields/field.ts'
import type { CollectionRecord, RecordValues } from '#domain/records/record.ts'
import { type Writing, commitChange } from '#server/records/changes/commit-change.ts'
import { withoutRuleChecks } from '#server/records/changes/record-changes.ts'
import { updateFiles } from '#server/records/values/attach-files.ts'
import { lockRecords } from '#server/records/crud/read-record.ts'
import { type StagedChange, type WrittenChange, deleteStagedChanges, takeChanges } from './changes-store.ts'
import type { ImportDeps } from '#server/transfer/imports/import-deps.ts'
import { findRemovedRows, valueHolders } from '#server/transfer/imports/run/rows-store.ts'
import { columnOf } from '#server/query/sql/sql-context.ts'
import { type ValueChange, writeValues } from '#server/records/write/write-values.ts'
import { isSame } from './stage-changes.ts'
import type { Actor } from '#domain/access/actor.ts'

/** Keeps writes short for other writers. */
const CHANGES_PER_WRITE = 250

/**
 * Restores values changed by an import and deletes those changes; false when none is left. Values changed by someone
 * else since are kept.
 */
export function restoreBatch(
  deps: ImportDeps,
  actor: Actor,
  collection: Collection,
  importId: string,
): Promise<boolean> {
  return commitChange(deps, actor, async (writing) => {
    const changes = await takeChanges(writing.transaction, importId, CHANGES_PER_WRITE)
    const now = writing.definitions.byId.get(collection.id)
    const written = changes.filter((change) => 'version' in change)
    const records = now ? await restore(writing, now, written) : []
    await deleteStagedChanges(
      writing.transaction,
      importId,
      changes.map(({ record }) => record),
    )
    const ids = records.map(({ id }) => id)
    return {
      answer: changes.length > 0,
      changes: [],
      events: ids.length > 0 ? [{ type: 'records-changed', collection: collection.id, records: ids }] : [],
    }
  })
}

async function restore(
  writing: Writing,
  collection: Collection,
  written: readonly WrittenChange[],
): Promise<readonly CollectionRecord[]> {
  const ids = written.map(({ record }) => record)
  const records = await lockRecords(writing, collection, ids)
  const byId = new Map(records.map((record) => [record.id, record]))
  const mayHave = await allowedValues(writing, collection, written)
  const back = written.flatMap((change): ValueChange[] => {
    const record = byId.get(change.record)
    const values = record ? restoredValuesOf(collection, { record, change, mayHave }) : {}
    if (!record || Object.keys(values).length === 0) return []
    const isUntouched = record.version === change.version
    const { updatedAt, updatedBy } = isUntouched ? change : record
    return [{ record, values, updatedAt, updatedBy }]
  })
  // Restored without checking rules.
  const restored = await writeValues(withoutRuleChecks(writing), collection, back)
  for (const { record, values } of back) {
    // A file deleted meanwhile leaves its place in the text.
    await updateFiles(writing, collection, { record: record.id, before: record.values, after: values })
  }
  return restored
}

type AllowedValue = (field: Field, value: FieldValue, record: string) => FieldValue | undefined

type Restoring = { readonly record: CollectionRecord; readonly change: StagedChange; readonly mayHave: AllowedValue }

/** Restores only fields that still hold what the import wrote, and only references that still exist. */
function restoredValuesOf(collection: Collection, { record, change, mayHave }: Restoring): RecordValues {
  const values: { [field: string]: FieldValue } = {}
  for (const field of collection.fields) {
    const wrote = change.after[field.id]
    if (wrote === undefined || !isSame(record.values[field.id] ?? null, wrote)) continue
    const value = mayHave(field, change.before[field.id] ?? null, record.id)
    if (value !== undefined) values[field.id] = value
  }
  return values
}

/** Linked records and options may be gone, and a unique value may be taken. */
async function allowedValues(
  { transaction }: Writing,
  collection: Collection,
  changes: readonly StagedChange[],
): Promise<AllowedValue> {
  const there = new Map<string, ReadonlySet<string>>()
  const holders = new Map<string, ReadonlyMap<string, string>>()
  for (const field of collection.fields) {
    const values = changes.flatMap(({ before }) => before[field.id] ?? [])
    if (field.kind === 'relation') {
      const ids = [...new Set(values.map(String))]
      const gone = await findRemovedRows(transaction, field.options.collection, ids)
      there.set(field.id, new Set(ids.filter((id) => !gone.has(id))))
    }
    const plain = values.filter((value) => typeof value === 'string' || typeof value === 'number')
    if (field.unique) holders.set(field.id, await valueHolders(transaction, collection.id, columnOf(field.id), plain))
  }
  return (field, value, record) => {
    const holder = holderOf(holders.get(field.id), value)
    if (holder !== undefined && holder !== record) return undefined
    const known = there.get(field.id) ?? optionIdsOf(field)
    if (!known || value === null) return value
    if (Array.isArray(value)) return value.map(String).filter((item) => known.has(item))
    if (typeof value === 'string' && known.has(value)) return value
    return field.kind === 'state' ? undefined : null
  }
}

const holderOf = (holders: ReadonlyMap<string, string> | undefined, value: FieldValue): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? holders?.get(String(value)) : undefined

function optionIdsOf(field: Field): ReadonlySet<string> | undefined {
  const hasChoices = field.kind === 'select' || field.kind === 'multi-select' || field.kind === 'state'
  return hasChoices ? new Set(field.options.choices.map(({ id }) => id)) : undefined
}
