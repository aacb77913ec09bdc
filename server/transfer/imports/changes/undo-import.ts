import type { Actor } from '#domain/access/actor.ts'
import type { Collection } from '#domain/collections/collection.ts'
import { type Writing, commitChange } from '#server/records/changes/commit-change.ts'
import { discardCollection, removeField } from '#server/schema/collections/change-collection.ts'
import { definitionChange } from '#server/schema/collections/log-definition.ts'
import { notifyPendingImportsChanged } from '#server/query/definitions/pending-imports-changed.ts'
import { unindexRecords } from '#server/query/search/index/index-records.ts'
import { type ImportDeps, STOPPING } from '#server/transfer/imports/import-deps.ts'
import { restoreBatch } from './restore-changes.ts'
import { deleteRows, hasRows, holdsValues, takeImportRows } from '#server/transfer/imports/run/rows-store.ts'
import { csvPathOf, removeFiles } from '#server/transfer/imports/staging/staged-files.ts'
import { updateImport, lockImport } from '#server/transfer/imports/store.ts'
import type { ImportCounts, StoredImport } from '#server/transfer/imports/stored-import.ts'

export type Undoing = {
  readonly failure: string
  readonly signal: AbortSignal
  /** Newer counts than those stored. */
  readonly counts?: ImportCounts
}

/** Keeps writes short for other writers. */
const ROWS_PER_WRITE = 500

const UNDO_ACTOR: Actor = { type: 'system', reason: 'undoing an import' }

/**
 * Removes everything an import wrote: rows in short writes, then created fields or the collection. Can be repeated
 * from the start; the next server continues an interrupted undo.
 */
export async function undoImport(deps: ImportDeps, id: string, undoing: Undoing): Promise<void> {
  const { signal } = undoing
  const item = await markUndoing(deps, id, undoing)
  if (!item) return
  // A stopping server leaves the rest to the next one; a canceled import is undone at once.
  const isStopping = (): boolean => signal.aborted && signal.reason === STOPPING
  const { byId } = await deps.definitions.current()
  const collection = byId.get(item.collection ?? '')
  if (collection) {
    while (!isStopping() && (await restoreBatch(deps, UNDO_ACTOR, collection, id))) continue
    while (!isStopping() && (await removeSome(deps, collection, id))) continue
  }
  if (isStopping()) return
  if (collection && !item.madeCollection) await removeFields(deps, collection, item)
  await end(deps, id)
}

/** No row is added from now on; stores the final state. A canceled import stays canceled. */
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

async function removeSome(deps: ImportDeps, collection: Collection, id: string): Promise<boolean> {
  return deps.database.write(async (transaction) => {
    const definitions = await deps.definitions.within(transaction)
    const now = definitions.byId.get(collection.id)
    const ids = now ? await takeImportRows(transaction, collection.id, id, ROWS_PER_WRITE) : []
    if (!now || ids.length === 0) return false
    // Rows changed meanwhile are already in the full-text index.
    await unindexRecords({ transaction, definitions }, now, ids)
    await deleteRows(transaction, collection.id, ids)
    return true
  })
}

/** Removes fields that the import created, unless someone has used them. */
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

/** Deletes the collection that the import created, unless someone has added records or links to it. */
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
  if (isPointedAt || (await hasRows(writing.transaction, collection.id))) return undefined
  await discardCollection(writing, collection)
  return collection
}
