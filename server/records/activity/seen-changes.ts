import type { Actor } from '#domain/access/actor.ts'
import { type AllowedDecision, decide } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { FieldId, RecordId } from '#domain/shared/ids.ts'
import { idsInside, scopeOf } from '#server/access/record-access/authorized-query.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { fieldsByChangeSet, type FieldsByChangeSet } from '#server/records/history/record-history.ts'
import type { FieldFilter } from '#server/records/history/walk-history.ts'
import { findPermitted } from '#server/records/trash/restore-from-trash.ts'

/** Whether a reader can read only some records, or some fields only in some records. */
export const isLimited = ({ where, partlyHidden }: AllowedDecision): boolean =>
  where !== undefined || partlyHidden !== undefined

/** A reader, and what they can read of the histories that were read for them, which may begin at a time. */
export type ChangeReader = {
  readonly actor: Actor
  readonly definitions: Definitions
  readonly histories: Map<RecordId, { readonly fields: FieldsByChangeSet | undefined; readonly since: string }>
}

/** Of these records, those that the reader can read, in the collection or in the trash. */
export async function readableRecords(
  deps: RecordDeps,
  reader: ChangeReader,
  collection: Collection,
  records: readonly RecordId[],
): Promise<ReadonlySet<RecordId>> {
  const decision = decide(reader.actor, 'records:read', collection)
  if (!decision.allowed) return new Set()
  if (!isLimited(decision)) return new Set(records)
  const queryActor = { ...reader, now: deps.clock() }
  const visible = await idsInside(scopeOf(deps, reader.definitions), queryActor, { collection, decision }, records)
  const deleted = records.filter((id) => !visible.has(id))
  return new Set([...visible, ...(await trashedRecords(deps, reader, deleted))])
}

async function trashedRecords(
  deps: RecordDeps,
  reader: ChangeReader,
  records: readonly RecordId[],
): Promise<readonly RecordId[]> {
  if (records.length === 0) return []
  const wanted = { records, permissions: ['records:read'] } as const
  return (await findPermitted(deps, deps.database.readBriefly, reader, wanted)).map(({ record }) => record)
}

/** What a change set changed in a record. */
type ChangedRecord = { readonly changeSet: string | null; readonly record: RecordId }

/**
 * The fields of each record whose change by a change set the reader can read, before and after it; undefined for records
 * that they can't read or couldn't read then. No change set is from before `since`.
 */
export async function seenChanges(
  deps: RecordDeps,
  reader: ChangeReader,
  collection: Collection,
  { changed, since = '' }: { readonly changed: readonly ChangedRecord[]; readonly since?: string },
): Promise<(change: ChangedRecord) => FieldFilter | undefined> {
  const decision = decide(reader.actor, 'records:read', collection)
  if (!decision.allowed) return () => undefined
  const closed = fieldsWithHiddenTargets(reader, collection)
  if (!isLimited(decision)) return () => (field) => !decision.hiddenFields.has(field) && !closed.has(field)
  const records = [...new Set(changed.map(({ record }) => record))]
  const trashed = new Set(await trashedRecords(deps, reader, records))
  const left = records.filter((id) => !trashed.has(id))
  const unknown = left.filter((id) => (reader.histories.get(id)?.since ?? '~') > since)
  // A history that must be read again is read as a whole, so that no history is read for each page.
  const from = unknown.some((id) => reader.histories.has(id)) ? '' : since
  const queryActor = { ...reader, now: deps.clock() }
  const found = await fieldsByChangeSet(deps, { queryActor, collection, decision }, unknown, from)
  for (const record of unknown) reader.histories.set(record, { fields: found.get(record), since: from })
  return ({ changeSet, record }) => {
    if (trashed.has(record)) return () => false
    const fields = changeSet === null ? undefined : reader.histories.get(record)?.fields?.get(changeSet)
    return fields && ((field) => fields.has(field) && !closed.has(field))
  }
}

/** Links to records that the reader may not see: even that they changed would reveal something. */
export const fieldsWithHiddenTargets = (
  { actor, definitions }: Pick<ChangeReader, 'actor' | 'definitions'>,
  { fields }: Collection,
): ReadonlySet<FieldId> =>
  new Set(
    fields.flatMap((field) => {
      if (field.kind !== 'relation') return []
      const reading = decide(actor, 'records:read', definitions.byId.get(field.options.collection))
      return reading.allowed && reading.where === undefined ? [] : field.id
    }),
  )
