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

/** Why an import is undone, and what can end the undoing before its time. */
export type Undoing = {
  readonly failure: string
  readonly signal: AbortSignal
  /** How far it came, where that is known better than what was written down. */
  readonly counts?: ImportCounts
}

/** Rows removed in one write: nobody waits long for it. */
const ROWS_PER_WRITE = 500

const UNDO_ACTOR: Actor = { type: 'system', reason: 'undoing an import' }

/**
 * Removes everything an import wrote: its rows in short writes, then the fields or the collection it made. It may be
 * told again from the start at any point. When the server is stopped in between, the next one goes on.
 */
export async function undoImport(needs: ImportDeps, id: string, undoing: Undoing): Promise<void> {
  const { signal } = undoing
  const item = await markUndoing(needs, id, undoing)
  if (!item) return
  // A stopping server leaves the rest to the next one; a cancelled import is undone at once.
  const isStopping = (): boolean => signal.aborted && signal.reason === STOPPING
  const { byId } = await needs.definitions.current()
  const collection = byId.get(item.collection ?? '')
  if (collection) {
    while (!isStopping() && (await restoreBatch(needs, UNDO_ACTOR, collection, id))) continue
    while (!isStopping() && (await removeSome(needs, collection, id))) continue
  }
  if (isStopping()) return
  if (collection && !item.madeCollection) await removeFields(needs, collection, item)
  await end(needs, id)
}

/** From here on no row is added; how it will stand in the end is written down. A cancelled one stays cancelled. */
function markUndoing(needs: ImportDeps, id: string, { failure, counts }: Undoing): Promise<StoredImport | undefined> {
  return needs.database.write(async (transaction) => {
    const item = await lockImport(transaction, id)
    if (item?.state !== 'running' && item?.state !== 'undoing') return undefined
    const progress = { ...item.progress, ...counts, runner: needs.self, aliveAt: needs.clock().toISOString() }
    const change: Partial<StoredImport> =
      item.state === 'undoing'
        ? { progress }
        : { state: 'undoing', failure, progress: { ...progress, endsAs: 'failed' } }
    await updateImport(transaction, id, change)
    return { ...item, ...change }
  })
}

async function removeSome(needs: ImportDeps, collection: Collection, id: string): Promise<boolean> {
  return needs.database.write(async (transaction) => {
    const definitions = await needs.definitions.within(transaction)
    const now = definitions.byId.get(collection.id)
    const ids = now ? await takeImportRows(transaction, collection.id, id, ROWS_PER_WRITE) : []
    if (!now || ids.length === 0) return false
    // What was changed meanwhile, when something it pointed at was removed, is in the full-text indexes already.
    await unindexRecords({ transaction, definitions }, now, ids)
    await deleteRows(transaction, collection.id, ids)
    return true
  })
}

/** Fields the import made go away again, unless somebody has used them meanwhile. */
async function removeFields(needs: ImportDeps, collection: Collection, item: StoredImport): Promise<void> {
  for (const id of item.progress.madeFields) {
    const field = collection.fields.find((each) => each.id === id)
    const isUsed = await needs.database.write(async (transaction) => {
      const now = (await needs.definitions.within(transaction)).byId.get(collection.id)
      const isGone = !field || !now?.fields.some((each) => each.id === id)
      return isGone || holdsValues(transaction, collection, field)
    })
    if (!isUsed) await removeField(needs, UNDO_ACTOR, collection.id, id)
  }
}

async function end(needs: ImportDeps, id: string): Promise<void> {
  const endsAs = await commitChange(needs, UNDO_ACTOR, async (writing) => {
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
  if (endsAs === 'cancelled') await removeFiles([csvPathOf(needs, id)])
}

/** The collection the import made, once it is gone; it stays where somebody has put something into it or points at it. */
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
