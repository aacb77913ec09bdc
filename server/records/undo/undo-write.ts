import type { Actor } from '#domain/access/actor.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import { hasOnlyValues, isAsBefore } from '#domain/records/undone-changes.ts'
import type { Event } from '#domain/shared/event.ts'
import type { RecordId } from '#domain/shared/ids.ts'
import type { SkippedByReason } from '#domain/shared/problem.ts'
import type { Change } from '#server/records/changes/change-log.ts'
import type { Writing } from '#server/records/changes/commit-change.ts'
import { formerValues } from '#server/records/changes/deletion-log.ts'
import { lockRecords } from '#server/records/crud/read-record.ts'
import { restoreRecords } from '#server/records/restore/restore-records.ts'
import { RESTORING } from '#server/records/trash/restore-from-trash.ts'
import { writeRemovedRecords } from '#server/records/write/write-records.ts'
import { decisionsOf, plansOf, recordsPermitted, recordsTo, type UndoPlan, type WriteToUndo } from './undo-plan.ts'
import { undoValues } from './undo-values.ts'

export type UndoneWrite = {
  /** The records that exist, including those that were already restored. */
  readonly restored: readonly RecordId[]
  readonly alreadyRestored: readonly RecordId[]
  readonly changed: readonly RecordId[]
  readonly deleted: readonly RecordId[]
  readonly kept: readonly SkippedByReason[]
  readonly refused: readonly SkippedByReason[]
  readonly lost: readonly SkippedByReason[]
  readonly changes: readonly Change[]
  readonly events: readonly Event[]
}

/** What one step of undoing did, where it differs from nothing. */
type Done = Partial<Omit<UndoneWrite, 'events'>>

type Undoing = {
  readonly writing: Writing
  /** Everything needs the permissions of all of them. */
  readonly checkers: readonly Actor[]
  readonly write: WriteToUndo
}

/** Undoes one write of a change set: in all collections, what was deleted first, and what was created last. */
export async function undoWrite(
  writing: Writing,
  checkers: readonly Actor[],
  write: WriteToUndo,
): Promise<UndoneWrite> {
  const undoing = { writing, checkers, write }
  const plans = plansOf(writing, write)
  const done: Done[] = []
  for (const plan of plans) done.push(await restoreDeleted(undoing, plan))
  if (!write.isDeletion) {
    for (const plan of plans) done.push(await changeBack(undoing, plan))
    for (const plan of plans) done.push(await deleteCreated(undoing, plan))
  }
  const all = <Item>(of: (one: Done) => readonly Item[] | undefined): Item[] => done.flatMap((one) => of(one) ?? [])
  const [restored, changed, deleted] = [
    all((one) => one.restored),
    all((one) => one.changed),
    all((one) => one.deleted),
  ]
  const touched = new Set([...restored, ...changed, ...deleted])
  const events = plans.flatMap(({ collection, steps }): Event[] => {
    const records = [...steps.keys()].filter((id) => touched.has(id))
    return records.length === 0 ? [] : [{ type: 'records-changed', collection: collection.id, records }]
  })
  const reports = { kept: all((one) => one.kept), refused: all((one) => one.refused), lost: all((one) => one.lost) }
  const alreadyRestored = all((one) => one.alreadyRestored)
  return { restored, alreadyRestored, changed, deleted, ...reports, changes: all((one) => one.changes), events }
}

const OWN_RESTORING = ['records:delete'] as const

/** Everyone may restore the records that they deleted; others need permission to create or update them. */
async function restoreDeleted({ writing, checkers, write }: Undoing, plan: UndoPlan): Promise<Done> {
  const { collection } = plan
  const records = recordsTo(plan, 'restore').filter((id) => write.isOwn || write.seenIn(id))
  if (records.length === 0) return {}
  const permissions = write.isOwn ? OWN_RESTORING : RESTORING
  if (!permissions.some((permission) => decisionsOf(checkers, permission, collection)))
    return { refused: [{ message: 'You don’t have permission to restore them.', records }] }
  const {
    records: restored,
    existing: alreadyRestored,
    ...rest
  } = await restoreRecords(writing, checkers, {
    collection,
    // Links that a mixed change set cleared are set back like other values.
    entries: write.entries.filter(({ kind, collection: of }) =>
      kind === 'record-deleted' ? of === collection.id : write.isDeletion,
    ),
    records: new Set(records),
    since: write.since,
    permissions,
  })
  return { restored, alreadyRestored, ...rest }
}

async function changeBack({ writing, checkers, write }: Undoing, plan: UndoPlan): Promise<Done> {
  const ids = recordsTo(plan, 'change').filter((id) => write.seenIn(id))
  if (ids.length === 0) return {}
  const { collection } = plan
  const readable = await recordsPermitted(writing, checkers, { collection, permission: 'records:read' }, ids)
  const records = await lockRecords(writing, collection, [...readable])
  return undoValues(writing, checkers, plan, { records, seenIn: write.seenIn })
}

const EDITED_LATER = 'Kept because of later edits.'
const NOT_DELETABLE = 'You don’t have permission to delete them.'

async function deleteCreated({ writing, checkers, write }: Undoing, plan: UndoPlan): Promise<Done> {
  const ids = recordsTo(plan, 'delete').filter((id) => write.seenIn(id))
  if (ids.length === 0) return {}
  const { collection } = plan
  const readable = await recordsPermitted(writing, checkers, { collection, permission: 'records:read' }, ids)
  const records = await lockRecords(writing, collection, [...readable])
  const permitted = await recordsPermitted(
    writing,
    checkers,
    { collection, permission: 'records:delete' },
    records.map(({ id }) => id),
  )
  const deletable = records.filter(({ id }) => permitted.has(id))
  const entriesOf = await formerValues(
    writing.transaction.db,
    deletable.filter(({ id, version }) => write.imported.has(id) && version > 1).map(({ id }) => id),
  )
  // Compares only what the actor can read, so that it reveals nothing else.
  const isUnchanged = ({ id, values }: CollectionRecord): boolean => {
    const step = plan.steps.get(id)
    const seen = collection.fields.filter((field) => write.seenIn(id)?.(field.id))
    if (write.imported.has(id)) return isAsBefore(seen, values, entriesOf.get(id) ?? [])
    return step?.does === 'delete' && hasOnlyValues(seen, values, step.values)
  }
  const deleted = deletable.filter(isUnchanged)
  return {
    deleted: deleted.map(({ id }) => id),
    kept: reasonFor(
      EDITED_LATER,
      deletable.filter((record) => !isUnchanged(record)),
    ),
    refused: reasonFor(
      NOT_DELETABLE,
      records.filter(({ id }) => !permitted.has(id)),
    ),
    changes: deleted.length === 0 ? [] : await writeRemovedRecords(writing, collection, deleted),
  }
}

const reasonFor = (message: string, records: readonly { readonly id: RecordId }[]): SkippedByReason[] =>
  records.length === 0 ? [] : [{ message, records: records.map(({ id }) => id) }]
