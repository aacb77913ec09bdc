import { type Actor, userIdOf } from '#domain/access/actor.ts'
import { decide } from '#domain/access/decide.ts'
import type { Permission } from '#domain/access/permission.ts'
import { type Collection, fieldById } from '#domain/collections/collection.ts'
import { type Field, type FieldValue, holdsList } from '#domain/fields/field.ts'
import type { CollectionRecord, RecordValues } from '#domain/records/record.ts'
import { linksRemovedBy, withRestoredLinks } from '#domain/records/restored-links.ts'
import type { CollectionId, RecordId } from '#domain/shared/ids.ts'
import type { Json } from '#domain/shared/json.ts'
import type { SkippedByReason } from '#domain/shared/problem.ts'
import { UniqueViolation } from '#server/platform/database/database-errors.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { indexRecords } from '#server/query/search/index/index-records.ts'
import type { Change, LoggedChange, RecordMeta } from '#server/records/changes/change-log.ts'
import { notUnique, type Writing } from '#server/records/changes/commit-change.ts'
import { definitionAt } from '#server/records/changes/definition-store.ts'
import { entriesInTrash, linksRemovedFrom, restoredSince } from '#server/records/changes/deletion-log.ts'
import { withoutRuleChecks } from '#server/records/changes/record-changes.ts'
import { lockRecords } from '#server/records/crud/read-record.ts'
import { existingRecords, findTakenValues, insertRecords } from '#server/records/crud/store.ts'
import { assertAllInScope, visibleRecords } from '#server/records/crud/visible-records.ts'
import { attachAssets } from '#server/records/values/assets-store.ts'
import { writeChangedValues } from '#server/records/write/write-records.ts'
import { type DeletedRecord, filesToAttach, restoredValues } from './restored-values.ts'

/**
 * Restores the links that deletions removed, if their targets exist again; `entries` are newest first, and `only`
 * limits the targets. As with the deletion, the actor doesn't need access to the linking records.
 */
async function restoreLinks(
  writing: Writing,
  entries: readonly LoggedChange[],
  only?: ReadonlySet<RecordId>,
): Promise<Change[]> {
  const changes: Change[] = []
  for (const [id, own] of Map.groupBy(entries, ({ collection }) => collection)) {
    const collection = id === null ? undefined : writing.definitions.byId.get(id)
    if (collection) changes.push(...(await restoreLinksIn(writing, collection, own, only)))
  }
  return changes
}

async function restoreLinksIn(
  writing: Writing,
  collection: Collection,
  entries: readonly LoggedChange[],
  only: ReadonlySet<RecordId> | undefined,
): Promise<Change[]> {
  const removals = entries
    .flatMap((entry) => removalsIn(collection, entry))
    .filter((removal) => only === undefined || linksRemovedBy(removal).some((id) => only.has(id)))
  const existing = new Map<CollectionId, ReadonlySet<RecordId>>()
  for (const [target, own] of Map.groupBy(removals, (removal) => removal.target)) {
    const ids = new Set(own.flatMap(linksRemovedBy))
    const targets = [...ids].filter((one) => only?.has(one) !== false)
    existing.set(target, await existingRecords(writing.transaction, target, targets))
  }
  const changes: Change[] = []
  const byRecord = Map.groupBy(removals, ({ record }) => record)
  for (const record of await lockRecords(writing, collection, [...byRecord.keys()])) {
    const values: { [field: string]: FieldValue } = {}
    for (const removal of byRecord.get(record.id) ?? []) {
      const { field, target } = removal
      const current = idsOf(values[field.id] ?? record.values[field.id])
      if (!holdsList(field) && current.length > 0) continue
      const links = withRestoredLinks(current, removal, existing.get(target) ?? NONE)
      if (links.length > current.length) values[field.id] = holdsList(field) ? [...links] : (links[0] ?? null)
    }
    changes.push(...(await writeChangedValues(withoutRuleChecks(writing), collection, record, { values })).changes)
  }
  return changes
}

const NONE: ReadonlySet<RecordId> = new Set()

type Removal = {
  readonly record: RecordId
  readonly field: Field
  readonly target: CollectionId
  readonly before: readonly RecordId[]
  readonly after: readonly RecordId[]
}

function removalsIn(collection: Collection, { record, before, after }: LoggedChange): Removal[] {
  if (record === null) return []
  return Object.entries(valuesOf(before)).flatMap(([id, was]) => {
    const field = fieldById(collection, id)
    if (field?.kind !== 'relation') return []
    return { record, field, target: field.options.collection, before: idsOf(was), after: idsOf(valuesOf(after)[id]) }
  })
}

const valuesOf = (logged: Json | null): { readonly [field: string]: Json } =>
  typeof logged === 'object' && logged !== null && !Array.isArray(logged)
    ? (logged as { readonly [field: string]: Json })
    : {}

function idsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.map(String) : []
}

export type DeletedWrite = {
  readonly collection: Collection
  readonly entries: readonly LoggedChange[]
  readonly records: ReadonlySet<RecordId>
  /** Links removed since this time are restored if their targets exist again, even if a later deletion removed them. */
  readonly since: string
  readonly permissions?: readonly Permission[]
}

export type RestoredRecords = {
  /** The records that exist, including those that were already restored. */
  readonly records: readonly RecordId[]
  readonly existing: readonly RecordId[]
  readonly refused: readonly SkippedByReason[]
  readonly lost: readonly SkippedByReason[]
  readonly changes: readonly Change[]
}

type Deletion = LoggedChange & { readonly record: RecordId; readonly recordMeta: RecordMeta }

const isDeletion = (entry: LoggedChange): entry is Deletion =>
  entry.kind === 'record-deleted' && entry.record !== null && entry.recordMeta !== undefined

/**
 * Restores deleted records with their IDs, values, creation data, files and incoming links. A restored record has a new
 * version. Every actor in `checkers` must be allowed to read it, and needs one of the permissions for it.
 */
export async function restoreRecords(
  writing: Writing,
  checkers: readonly Actor[],
  { collection, entries, records: chosen, since, permissions = ['records:delete'] }: DeletedWrite,
): Promise<RestoredRecords> {
  const { transaction } = writing
  const wanted = entries.filter(isDeletion).filter((entry) => chosen.has(entry.record))
  const oldest = entries.at(-1)?.id ?? ''
  const ids = wanted.map(({ record }) => record)
  const existing = await existingRecords(transaction, collection.id, ids)
  const spent = await restoredSince(transaction.db, ids, oldest)
  const again = ids.filter((id) => spent.has(id) && !existing.has(id))
  const deleted = wanted.filter(({ record }) => !existing.has(record) && !spent.has(record))
  const inTrash = await entriesInTrash(transaction.db, ids)
  const missing = deleted.filter(({ id }) => inTrash.has(id))
  const gone = deleted.filter(({ id }) => !inTrash.has(id)).map(({ record }) => record)

  const then = await definitionAt(transaction.db, collection.id, oldest)
  const taken = await withConflictingValues(
    writing,
    collection,
    missing.map((entry) => ({ id: entry.record, values: loggedValues(entry) })),
  )
  const deletions = missing.filter(({ record }) => !taken.some((refusal) => refusal.records.includes(record)))
  const records = deletions.map((entry): DeletedRecord => ({ id: entry.record, values: loggedValues(entry) }))
  const { values, lost } = await restoredValues(writing, collection, records, then)
  const restored = await insertRestored(writing, collection, deletions, values)
  for (const checker of checkers)
    await assertRestorable(writing, checker, collection, { ids: restored.map(({ id }) => id), permissions })

  const cleared = entries.filter(({ kind }) => kind === 'record-changed')
  const back = restored.map(({ id }) => id)
  const hasLinks = collection.fields.some(({ kind }) => kind === 'relation')
  const links = [
    ...(await restoreLinks(writing, cleared, new Set(back))),
    ...(hasLinks ? await restoreLinks(writing, await linksRemovedFrom(transaction.db, back, since)) : []),
  ]
  return {
    records: [...existing, ...back],
    existing: [...existing],
    refused: [
      ...taken,
      ...(again.length > 0 ? [{ message: DELETED_AGAIN, records: again }] : []),
      ...(gone.length > 0 ? [{ message: GONE, records: gone }] : []),
    ],
    lost,
    changes: [...restored.map(entryOf), ...links],
  }
}

const DELETED_AGAIN = 'Restored, then deleted again.'
const GONE = 'No longer in the trash.'

const loggedValues = ({ before }: Deletion): RecordValues => before as RecordValues

type Restorable = { readonly ids: readonly RecordId[]; readonly permissions: readonly Permission[] }

async function assertRestorable(
  writing: Writing,
  checker: Actor,
  { id }: Collection,
  { ids, permissions }: Restorable,
): Promise<void> {
  const inside = { ...writing, actor: checker }
  const reading = getCollection(writing.definitions, checker, 'records:read', id)
  await assertAllInScope(inside, reading.collection, reading.decision, ids)
  let left = ids
  for (const [at, permission] of permissions.entries()) {
    const isLast = at === permissions.length - 1
    const decision = decide(checker, permission, reading.collection)
    if (!decision.allowed && !isLast) continue
    // Fails if there is no permission at all.
    const last = getCollection(writing.definitions, checker, permission, id)
    if (isLast) await assertAllInScope(inside, last.collection, last.decision, left)
    const covered = await visibleRecords(inside, last.collection, last.decision, left)
    left = left.filter((one) => !covered.has(one))
    if (left.length === 0) return
  }
}

/** The records whose unique values are now used by other records. */
export async function withConflictingValues(
  { transaction, actor, definitions }: Writing,
  collection: Collection,
  records: readonly DeletedRecord[],
): Promise<SkippedByReason[]> {
  const refused: SkippedByReason[] = []
  for (const field of collection.fields.filter(({ unique }) => unique)) {
    const own = records.flatMap(({ id, values }) => {
      const value = values[field.id]
      return typeof value === 'string' || typeof value === 'number' ? [{ id, value }] : []
    })
    const held = await findTakenValues(
      transaction,
      collection.id,
      field.id,
      own.map(({ value }) => value),
    )
    const conflicting = own.filter(({ value }) => held.has(String(value))).map(({ id }) => id)
    const { details } = notUnique(new UniqueViolation(field.id, undefined), actor, definitions)
    if (conflicting.length > 0) refused.push({ message: details.errors?.[0]?.message ?? '', records: conflicting })
  }
  return refused
}

async function insertRestored(
  writing: Writing,
  collection: Collection,
  deletions: readonly Deletion[],
  valuesOf: ReadonlyMap<RecordId, RecordValues>,
): Promise<CollectionRecord[]> {
  const { transaction, at, actor } = writing
  const userId = userIdOf(actor)
  const rows = deletions.map(({ record: id, recordMeta: meta }) => ({
    id,
    values: valuesOf.get(id) ?? {},
    at,
    userId,
    meta,
  }))
  for (let from = 0; from < rows.length; from += ROWS_PER_INSERT) {
    await insertRecords(transaction, collection, rows.slice(from, from + ROWS_PER_INSERT))
  }
  indexRecords(
    writing,
    collection,
    rows.map(({ id }) => id),
  )
  const restored: CollectionRecord[] = []
  for (const { id, values, meta } of rows) {
    await attachAssets(transaction, await filesToAttach(writing, collection, { id, values }), id)
    const { version, createdAt, createdBy } = meta
    const updated = { version: version + 1, updatedAt: at, updatedBy: userId }
    const record = { id, collection: collection.id, createdAt, createdBy, ...updated, values }
    writing.noteUnjudged(collection.id, { before: null, after: record })
    restored.push(record)
  }
  return restored
}

const ROWS_PER_INSERT = 200

const entryOf = ({ id, collection, values }: CollectionRecord): Change => ({
  kind: 'record-restored',
  collection,
  record: id,
  before: null,
  after: values,
})
