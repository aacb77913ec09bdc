import type { UndoneDefinition, UndoResult } from '#api/activity.ts'
import type { Actor } from '#domain/access/actor.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import { Problem, type SkippedByReason } from '#domain/shared/problem.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import { isOfDashboard, isViewEntry, viewsOf } from '#server/records/activity/definition-parts.ts'
import type { BulkDeps, UndoManner } from '#server/records/bulk/bulk-deps.ts'
import { mergeSkipped, reasonOf, skippedBody } from '#server/records/bulk/skipped-records.ts'
import type { ChangeKind } from '#server/records/changes/change-log.ts'
import { commitDefinition, withCurrentDefinitions, type Writing } from '#server/records/changes/commit-change.ts'
import { definitionsChangedBy, type LoggedDefinition } from '#server/records/changes/definition-log.ts'
import { dashboardsIn, isSharedDashboard } from '#server/records/dashboards/log-dashboard.ts'
import { undoDashboardIn } from '#server/records/dashboards/undo-dashboard.ts'
import { isSharedView } from '#server/records/views/log-view.ts'
import { undoViewIn, type UndoneView } from '#server/records/views/undo-view.ts'
import { undoCollectionIn } from './undo-collection.ts'
import { previewConversion, findConversion, startConversion } from './undo-conversion.ts'
import { collectionPart, createUndone, NOTHING, type Undone, type UndoneReport } from './undone.ts'

/**
 * Undoes what a change set did to collections, fields, shared views and dashboards, with the same checks and permissions as the
 * opposite changes. A field type that many records have is set back by a job.
 */
export async function undoDefinitions(
  deps: BulkDeps,
  actor: Actor,
  changeSet: string,
  manner: UndoManner,
): Promise<UndoResult | { readonly job: string }> {
  const entries = await definitionsChangedBy(deps.database.read, changeSet)
  const undoing = undoEntries(deps, actor, { changeSet, entries }, manner)
  return manner.isPreview ? undoing.then(undefined, refusedResult) : undoing
}

type ToUndo = { readonly changeSet: string; readonly entries: readonly LoggedDefinition[] }

async function undoEntries(
  deps: BulkDeps,
  actor: Actor,
  toUndo: ToUndo,
  { isPreview }: UndoManner,
): Promise<UndoResult | { readonly job: string }> {
  const large = await findConversion(deps, actor, toUndo)
  if (large && !isPreview) return { job: await startConversion(deps, actor, large) }
  return commitDefinition(deps, actor, async (writing) => {
    if (large) return { answer: await previewConversion(writing, large), changes: [], events: [], isPreview }
    const id = writing.newId()
    const undone = createUndone()
    for (const entry of toUndo.entries) await undoEntry(deps, writing, { ...toUndo, entry, id, undone })
    const { changes, events, report } = undone.all()
    const after = await withCurrentDefinitions(deps, writing)
    const isDone = changes.length > 0 && !isPreview
    const answer = {
      ...resultOf(report),
      definitions: undoneParts(writing.definitions, after.definitions, toUndo.entries, undone),
      ...(isDone && { changeSet: id }),
    }
    return { answer, changes, events, changeSet: { id, via: 'restore', undoes: toUndo.changeSet }, isPreview }
  })
}

type EntryToUndo = {
  readonly changeSet: string
  readonly entry: LoggedDefinition
  /** The change set of the undoing. */
  readonly id: string
  readonly undone: Undone
}

/** Definitions are read again for each entry, because the ones before may have changed them. */
async function undoEntry(deps: BulkDeps, begun: Writing, { entry, ...place }: EntryToUndo): Promise<void> {
  if (!isViewEntry(entry.kind) && !isOfDashboard(entry)) return undoCollectionIn(deps, begun, { entry, ...place })
  const writing = await withCurrentDefinitions(deps, begun)
  const { kept, changes, events } = isOfDashboard(entry)
    ? { ...(await undoDashboardIn(writing, entry)), events: [] }
    : await undoViewOf(writing, entry)
  place.undone.add({ changes, events })
  for (const message of kept) place.undone.keep(message)
}

async function undoViewOf(writing: Writing, entry: LoggedDefinition): Promise<UndoneView> {
  const { collection } = entry
  const [before, after] = viewsOf(entry)
  if (!writing.definitions.byId.has(collection)) return { changes: [], events: [], kept: [] }
  return undoViewIn(writing, { collection, before, after })
}

/** What a change can't be undone for, instead of an error. */
function refusedResult(error: unknown): UndoResult {
  if (!(error instanceof Problem)) throw error
  return { ...NOTHING, refused: [{ message: reasonOf(error), count: 0, records: [] }] }
}

function resultOf({ changed, kept, lost }: UndoneReport): UndoResult {
  const [keptBody, lostBody] = [kept, lost].map((some: readonly SkippedByReason[]) =>
    mergeSkipped([], some).map(skippedBody),
  )
  return {
    ...NOTHING,
    changed,
    ...(keptBody && keptBody.length > 0 && { kept: keptBody }),
    ...(lostBody && lostBody.length > 0 && { lost: lostBody }),
  }
}

/** What was undone, by comparing the definitions before and after. */
function undoneParts(
  before: Definitions,
  after: Definitions,
  entries: readonly LoggedDefinition[],
  undone: Undone,
): UndoneDefinition[] {
  const ids = [...new Set(entries.map(({ collection }) => collection).filter((id) => id !== ''))]
  const collections = ids.flatMap((id) => collectionPart(before.byId.get(id), after.byId.get(id)))
  const views = undone.all().changes.flatMap(({ kind, collection, before: was, after: is }): UndoneDefinition[] => {
    const undoneKind = VIEW_KINDS[kind]
    const [own] = viewsOf({ id: '', kind: 'view-changed', collection: collection ?? '', before: was, after: is })
      .toReversed()
      .filter(isSharedView)
    const label = labelOf(after, collection ?? '')
    return undoneKind && own && label !== undefined ? [{ kind: undoneKind, label, view: own.name }] : []
  })
  const dashboards = undone.all().changes.flatMap((change): UndoneDefinition[] => {
    const undoneKind = DASHBOARD_KINDS[change.kind]
    const own = dashboardsIn(change).findLast(isSharedDashboard)
    return undoneKind && own ? [{ kind: undoneKind, label: '', dashboard: own.name }] : []
  })
  return [...collections, ...views, ...dashboards]
}

const DASHBOARD_KINDS: { readonly [kind in ChangeKind]?: UndoneDefinition['kind'] } = {
  'dashboard-created': 'dashboard-restored',
  'dashboard-shared': 'dashboard-shared',
  'dashboard-changed': 'dashboard-changed',
  'dashboard-unshared': 'dashboard-unshared',
  'dashboard-deleted': 'dashboard-deleted',
}

const VIEW_KINDS: { readonly [kind: string]: UndoneDefinition['kind'] } = {
  'view-created': 'view-restored',
  'view-changed': 'view-changed',
  'view-deleted': 'view-deleted',
}

const labelOf = ({ byId }: Definitions, id: CollectionId): string | undefined => byId.get(id)?.label
