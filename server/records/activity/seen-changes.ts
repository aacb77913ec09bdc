import type { Actor } from '#domain/access/actor.ts'
import { type AllowedDecision, decide } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { FieldId, RecordId } from '#domain/shared/ids.ts'
import { idsInside, scopeOf } from '#server/access/record-access/authorized-query.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { type FieldFilter, fieldsChangedBy } from '#server/records/history/record-history.ts'
import { findPermitted } from '#server/records/trash/restore-from-trash.ts'

/** Whether a reader can read only some records, or some fields only in some records. */
export const isLimited = ({ where, partlyHidden }: AllowedDecision): boolean =>
  where !== undefined || partlyHidden !== undefined

type Viewer = { readonly actor: Actor; readonly definitions: Definitions }

type ChangedRecords = { readonly changeSet: string; readonly records: readonly RecordId[] }

/**
 * The fields of each record whose change by a change set the actor can read, before and after it; undefined for records
 * that the actor can't read or couldn't read then.
 */
export async function seenChanges(
  deps: RecordDeps,
  viewer: Viewer,
  collection: Collection,
  { changeSet, records }: ChangedRecords,
): Promise<(record: RecordId) => FieldFilter | undefined> {
  const decision = decide(viewer.actor, 'records:read', collection)
  if (!decision.allowed) return () => undefined
  const closed = fieldsWithHiddenTargets(viewer, collection)
  if (!isLimited(decision)) return () => (field) => !decision.hiddenFields.has(field) && !closed.has(field)
  const seen = new Map<RecordId, FieldFilter>()
  const trashed = await findPermitted(deps, deps.database.read, viewer, { records, permissions: ['records:read'] })
  for (const { record } of trashed) seen.set(record, () => false)
  const queryActor = { ...viewer, now: deps.clock() }
  const visible = await idsInside(scopeOf(deps, viewer.definitions), queryActor, { collection, decision }, records)
  for (const record of visible) {
    const fields = await fieldsChangedBy(deps, viewer.actor, { collection: collection.id, record }, changeSet)
    if (fields) seen.set(record, (field) => fields.has(field) && !closed.has(field))
  }
  return (record) => seen.get(record)
}

/** Links to records that the reader may not see: even that they changed would reveal something. */
const fieldsWithHiddenTargets = ({ actor, definitions }: Viewer, { fields }: Collection): ReadonlySet<FieldId> =>
  new Set(
    fields.flatMap((field) => {
      if (field.kind !== 'relation') return []
      const reading = decide(actor, 'records:read', definitions.byId.get(field.options.collection))
      return reading.allowed && reading.where === undefined ? [] : field.id
    }),
  )
