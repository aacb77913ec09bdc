import type { UndoResult } from '#api/activity.ts'
import type { Actor } from '#domain/access/actor.ts'
import { decide } from '#domain/access/decide.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { showChangeSet } from '#server/records/activity/list-activity.ts'
import { isOfDefinition } from '#server/records/activity/activity-store.ts'
import { isLimited } from '#server/records/activity/seen-changes.ts'
import type { BulkDeps, UndoManner } from '#server/records/bulk/bulk-deps.ts'
import { mergeSkipped, skippedBody, skippingInvalid } from '#server/records/bulk/skipped-records.ts'
import { commitChange, type Writing } from '#server/records/changes/commit-change.ts'
import { trashCutoff } from '#server/records/changes/retention.ts'
import { startJob } from '#server/records/jobs/start-job.ts'
import { findJob } from '#server/records/jobs/store.ts'
import { countChanged, findChangeSet, isImportRunning, type RecordChangeSet } from './change-set-store.ts'
import { isOwnSet, readWrite, recordsIn } from './read-write.ts'
import type { WriteToUndo } from './undo-plan.ts'
import { type UndoneWrite, undoWrite } from './undo-write.ts'

/** Records whose history is read to find out what the actor could read; more are undone by a job. */
const MAX_EXAMINED = 500

/** Entries of a large change set that a preview examines. */
const MAX_PREVIEWED = 1000

/**
 * Undoes a change set as far as the actor has permission. What can't be undone, and what was changed since, is listed.
 * Repeating it changes nothing. A large change set, or one that took several writes, is undone by a job.
 */
export async function undoChangeSet(
  deps: BulkDeps,
  actor: Actor,
  id: string,
  manner: UndoManner,
): Promise<UndoResult | { readonly job: string }> {
  const { database, clock } = deps
  const { isPreview } = manner
  const seen = await showChangeSet(deps, actor, id)
  // Records of a created collection are deleted and restored with it.
  if (seen?.parts.some(isOfDefinition)) {
    await assertNotRunning(deps, id)
    return deps.undoDefinitions(deps, actor, id, manner)
  }
  const set = await findUndoable(deps, actor, { id, isSeen: seen !== undefined })
  const max = await maxAtOnce(deps, actor, set)
  const isLarge = set.firstAt !== set.lastAt || (await countChanged(database.read, set, max + 1)) > max
  if (isLarge && !isPreview) {
    assertMayWrite(actor, await deps.definitions.current(), set)
    const task = { does: 'restore', collection: set.collection, changeSet: id, at: clock().toISOString() } as const
    return { job: await startJob(deps, actor, task) }
  }
  const limits = isLarge ? { maxEntries: MAX_PREVIEWED, maxRows: MAX_PREVIEWED } : { maxRows: max }
  const write = await readWrite(deps, actor, set, { before: null, afterRow: null, ...limits })
  const undone = await undoOnce(deps, actor, write, { isPreview, changeSet: id })
  // Counts only what the actor can see.
  const examined = recordsIn(write).filter((id) => isOwnDeletion(actor, set) || write.seenIn(id))
  return { ...undone, ...(isLarge && { examined: examined.length }) }
}

const WRITING = ['records:create', 'records:update', 'records:delete', 'records:transition'] as const

/** Others would start a job that changes nothing. */
function assertMayWrite(actor: Actor, { byId }: Definitions, { collection }: RecordChangeSet): void {
  const home = byId.get(collection)
  if (!home || WRITING.some((permission) => decide(actor, permission, home).allowed)) return
  throw new Problem('forbidden', `You don’t have permission to change ${home.label}.`)
}

const isOwnDeletion = (actor: Actor, set: RecordChangeSet): boolean => set.isDeletion && isOwnSet(actor, set)

/** Number of records that are undone in one write. */
async function maxAtOnce(
  { definitions, changedAtOnce }: BulkDeps,
  actor: Actor,
  set: RecordChangeSet,
): Promise<number> {
  const reading = decide(actor, 'records:read', (await definitions.current()).byId.get(set.collection))
  const isExamined = reading.allowed && isLimited(reading) && !isOwnDeletion(actor, set)
  return isExamined ? Math.min(MAX_EXAMINED, changedAtOnce) : changedAtOnce
}

type Requested = { readonly id: string; readonly isSeen: boolean }

/** The change set, if the actor made it or can read some of what it changed. */
async function findUndoable(deps: BulkDeps, actor: Actor, { id, isSeen }: Requested): Promise<RecordChangeSet> {
  const { database, clock } = deps
  const set = await findChangeSet(database.read, id)
  const definitions = await deps.definitions.current()
  if (!set || !(isSeen || isOwnSet(actor, set))) {
    throw new Problem('not-found', 'Change not found.')
  }
  if (set.isDeletion) {
    if (isOwnSet(actor, set)) getCollection(definitions, actor, 'records:delete', set.collection)
    if (set.lastAt < (await trashCutoff(database.read, clock()))) {
      throw new Problem('gone', 'This deletion is too old to be undone: the records are no longer in the trash.')
    }
  }
  await assertNotRunning(deps, id)
  return set
}

async function assertNotRunning({ database }: BulkDeps, id: string): Promise<void> {
  if ((await findJob(database.read, id))?.state !== 'running' && !(await isImportRunning(database.read, id))) return
  throw new Problem(
    'change-running',
    'The job or import that makes this change is still running. Stop it, or wait until it finishes.',
  )
}

type Manner = UndoManner & { readonly changeSet: string }

function undoOnce(
  deps: BulkDeps,
  actor: Actor,
  write: Omit<WriteToUndo, 'records'>,
  { isPreview, changeSet }: Manner,
): Promise<UndoResult> {
  return skippingInvalid(recordsIn(write), (left, refused) =>
    commitChange(deps, actor, async (writing: Writing) => {
      const undone = await undoWrite(writing, [actor], { ...write, records: new Set(left) })
      const id = writing.newId()
      return {
        answer: {
          ...resultOf({ ...undone, refused: [...refused, ...undone.refused] }, isPreview),
          ...(undone.changes.length > 0 && !isPreview && { changeSet: id }),
        },
        changes: undone.changes,
        changeSet: { id, via: 'restore', undoes: changeSet, isDeletion: isOnlyDeleting(undone) },
        events: undone.events,
        isPreview,
      }
    }),
  )
}

/** Restoring the deleted records from the trash restores the links to them as well. */
const isOnlyDeleting = ({ restored, changed, deleted }: UndoneWrite): boolean =>
  deleted.length > 0 && restored.length + changed.length === 0

/** Records that were restored before count, except in a preview. */
function resultOf(
  { restored, alreadyRestored, changed, deleted, ...reports }: UndoneWrite,
  isPreview: boolean,
): UndoResult {
  const [kept, refused, lost] = [reports.kept, reports.refused, reports.lost].map((some) =>
    mergeSkipped([], some).map(skippedBody),
  )
  return {
    restored: restored.length - (isPreview ? alreadyRestored.length : 0),
    changed: changed.length,
    deleted: deleted.length,
    ...(kept && kept.length > 0 && { kept }),
    ...(refused && refused.length > 0 && { refused }),
    ...(lost && lost.length > 0 && { lost }),
  }
}
