import type { Actor } from '#domain/access/actor.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { Field, FieldValue } from '#domain/fields/field.ts'
import type { CollectionRecord, RecordValues } from '#domain/records/record.ts'
import { notifyPendingImportsChanged } from '#server/query/definitions/definitions-cache.ts'
import { hasMoreRows } from '#server/query/run/count-rows.ts'
import { unindexRecords } from '#server/query/search/index/index-records.ts'
import { columnOf, type ImportRows } from '#server/query/sql/sql-context.ts'
import { valueChanges } from '#server/records/bulk/update-in-batch.ts'
import type { Change } from '#server/records/changes/change-log.ts'
import { commitChange, type Writing } from '#server/records/changes/commit-change.ts'
import { withoutRuleChecks } from '#server/records/changes/record-changes.ts'
import { lockRecords } from '#server/records/crud/read-record.ts'
import { updateFiles } from '#server/records/values/attach-files.ts'
import { type ValueChange, writeValues } from '#server/records/write/write-values.ts'
import { discardCollection, removeField } from '#server/schema/collections/change-collection.ts'
import { definitionChange } from '#server/schema/collections/log-definition.ts'
import { type ImportDeps, STOPPING } from '#server/transfer/imports/import-deps.ts'
import {
  deleteRows,
  findRemovedRows,
  holdsValues,
  takeImportRows,
  valueHolders,
} from '#server/transfer/imports/run/rows-store.ts'
import { csvPathOf, removeFiles } from '#server/transfer/imports/staged-files.ts'
import { lockImport, updateImport } from '#server/transfer/imports/store.ts'
import { type ImportCounts, rowsOf, type StoredImport } from '#server/transfer/imports/stored-import.ts'
import { deleteStagedChanges, type StagedChange, takeChanges, type WrittenChange } from './changes-store.ts'
import { isSame } from './stage-changes.ts'

/** Keeps writes short, so that other writers don't have to wait. */
const CHANGES_PER_WRITE = 250

/** Restores values changed by an import, unless someone else has changed them since; returns false if none are left. */
function restoreBatch(deps: ImportDeps, actor: Actor, collection: Collection, importId: string): Promise<boolean> {
  return commitChange(deps, actor, async (writing) => {
    const changes = await takeChanges(writing.transaction, importId, CHANGES_PER_WRITE)
    const now = writing.definitions.byId.get(collection.id)
    const written = changes.filter((change) => 'version' in change)
    const { records, changes: logged } = now ? await restore(writing, now, written) : { records: [], changes: [] }
    await deleteStagedChanges(
      writing.transaction,
      importId,
      changes.map(({ record }) => record),
    )
    const ids = records.map(({ id }) => id)
    return {
      answer: changes.length > 0,
      changes: logged,
      changeSet: { via: 'import', sourceId: importId, undoes: importId },
      events: ids.length > 0 ? [{ type: 'records-changed', collection: collection.id, records: ids }] : [],
    }
  })
}

async function restore(
  writing: Writing,
  collection: Collection,
  written: readonly WrittenChange[],
): Promise<{ readonly records: readonly CollectionRecord[]; readonly changes: readonly Change[] }> {
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
  const restored = await writeValues(withoutRuleChecks(writing), collection, back)
  for (const { record, values } of back) {
    // A reference to a file that was deleted in the meantime remains in the text.
    await updateFiles(writing, collection, { record: record.id, before: record.values, after: values })
  }
  return { records: restored, changes: valueChanges(collection, back) }
}

type AllowedValue = (field: Field, value: FieldValue, record: string) => FieldValue | undefined

type Restoring = { readonly record: CollectionRecord; readonly change: StagedChange; readonly mayHave: AllowedValue }

/** Restores only fields that still have the imported value, and only references that still exist. */
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

/** Linked records and options may have been deleted, and a unique value may be in use. */
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

export type Undoing = {
  readonly failure: string
  readonly signal: AbortSignal
  /** Counts that are more recent than the stored ones. */
  readonly counts?: ImportCounts
}

/** Keeps writes short, so that other writers don't have to wait. */
const ROWS_PER_WRITE = 500

const UNDO_ACTOR: Actor = { type: 'system', reason: 'undoing an import' }

/**
 * Removes everything written by an import: first the rows, in short writes, then created fields or the collection.
 * Idempotent; the next server to start continues an interrupted undo.
 */
export async function undoImport(deps: ImportDeps, id: string, undoing: Undoing): Promise<void> {
  const { signal } = undoing
  const item = await markUndoing(deps, id, undoing)
  if (!item) return
  // On shutdown, the rest is left to the next server to start; a canceled import is undone immediately.
  const isStopping = (): boolean => signal.aborted && signal.reason === STOPPING
  const { byId } = await deps.definitions.current()
  const collection = byId.get(item.collection ?? '')
  if (collection) {
    while (!isStopping() && (await restoreBatch(deps, UNDO_ACTOR, collection, id))) continue
    let rows: ImportRows | undefined = rowsOf(item)
    while (rows && !isStopping()) rows = await removeSome(deps, collection, rows)
  }
  if (isStopping()) return
  if (collection && !item.madeCollection) await removeFields(deps, collection, item)
  await end(deps, id)
}

/** Prevents the import from adding rows, and stores its final state. A canceled import stays canceled. */
function markUndoing(deps: ImportDeps, id: string, { failure, counts }: Undoing): Promise<StoredImport | undefined> {
  return deps.database.write(async (transaction) => {
    const item = await lockImport(transaction, id)
    if (item?.state !== 'running' && item?.state !== 'undoing') return undefined
    const progress = { ...item.progress, ...counts, runner: deps.self, aliveAt: deps.clock().toISOString() }
    const change: Partial<StoredImport> =
      item.state === 'undoing'
        ? { progress }
        : { state: 'undoing', failure, progress: { ...progress, endsAs: 'failed' } }
    await updateImport(transaction, id, change)
    return { ...item, ...change }
  })
}

/** Returns the rows that are left; undefined if there are none. */
async function removeSome(deps: ImportDeps, collection: Collection, rows: ImportRows): Promise<ImportRows | undefined> {
  return deps.database.write(async (transaction) => {
    const definitions = await deps.definitions.within(transaction)
    const now = definitions.byId.get(collection.id)
    const ids = now ? await takeImportRows(transaction, collection.id, rows, ROWS_PER_WRITE) : []
    const last = ids.at(-1)
    if (!now || last === undefined) return undefined
    // Rows that were changed in the meantime are already in the full-text index.
    await unindexRecords({ transaction, definitions }, now, ids)
    await deleteRows(transaction, collection.id, ids)
    return { ...rows, firstId: last }
  })
}

/** Removes fields created by the import, unless someone has used them. */
async function removeFields(deps: ImportDeps, collection: Collection, item: StoredImport): Promise<void> {
  for (const id of item.progress.madeFields) {
    const field = collection.fields.find((each) => each.id === id)
    const isUsed = await deps.database.write(async (transaction) => {
      const now = (await deps.definitions.within(transaction)).byId.get(collection.id)
      const isGone = !field || !now?.fields.some((each) => each.id === id)
      return isGone || holdsValues(transaction, collection, field)
    })
    if (!isUsed) await removeField(deps, UNDO_ACTOR, collection.id, id)
  }
}

async function end(deps: ImportDeps, id: string): Promise<void> {
  const endsAs = await commitChange(deps, UNDO_ACTOR, async (writing) => {
    const item = await lockImport(writing.transaction, id)
    if (item?.state !== 'undoing') return { answer: undefined, changes: [], events: [] }
    const discarded = await discardCreatedCollection(writing, item)
    const state = item.progress.endsAs ?? 'failed'
    const collection = discarded ? null : item.collection
    await updateImport(writing.transaction, id, { state, collection, endedAt: writing.at })
    await notifyPendingImportsChanged(writing.transaction)
    return {
      answer: state,
      changes: discarded ? definitionChange(discarded, null).changes : [],
      events: [{ type: 'definitions-changed' }],
    }
  })
  if (endsAs === 'cancelled') await removeFiles([csvPathOf(deps, id)])
}

/** Deletes the collection created by the import, unless someone has added records or links to it. */
async function discardCreatedCollection(
  writing: Writing,
  { madeCollection, collection: id }: StoredImport,
): Promise<Collection | undefined> {
  const collection = madeCollection && id !== null ? writing.definitions.byId.get(id) : undefined
  if (!collection) return undefined
  const isPointedAt = writing.definitions.list.some(
    (other) =>
      other.id !== id && other.fields.some((field) => field.kind === 'relation' && field.options.collection === id),
  )
  if (isPointedAt || (await hasMoreRows(writing.transaction.db, collection.id, 0))) return undefined
  await discardCollection(writing, collection)
  return collection
}
