import type { ImportBody } from '#api/imports.ts'
import { type Actor, userIdOf } from '#domain/access/actor.ts'
import { decide } from '#domain/access/decide.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { ImportDeps } from './import-deps.ts'
import { findImport } from './store.ts'
import type { ImportState, StoredImport } from './stored-import.ts'

export function showImport(item: StoredImport): ImportBody {
  const { bytesRead, rowsRead, rowsStored, rowsUpdated, rowsRefused, errors } = item.progress
  return {
    id: item.id,
    fileName: item.fileName,
    bytes: item.bytes,
    state: visibleState(item.state),
    collection: item.collection,
    preview: item.look?.preview ?? null,
    progress: { bytesRead, rowsRead, rowsStored, rowsUpdated: rowsUpdated ?? 0, rowsRefused },
    errors: errors.map(({ row, column, message }) => ({ row, column, message })),
    failure: item.failure,
    startedAt: item.progress.startedAt ?? null,
    endedAt: item.endedAt,
  }
}

/** An import that is being undone is still shown to its user as running. */
const visibleState = (state: ImportState): ImportBody['state'] => (state === 'undoing' ? 'running' : state)

/**
 * Returns the import if the actor started it; for other users, and for tokens without its scope, throws "not found".
 */
export function assertOwnImport(actor: Actor, item: StoredImport | undefined): StoredImport {
  const isOwn = item !== undefined && (actor.type === 'system' || item.userId === userIdOf(actor))
  if (!isOwn || !isInScopes(actor, item)) throw new Problem('not-found', 'Import not found.')
  return item
}

const isInScopes = (actor: Actor, { collection, madeCollection }: StoredImport): boolean =>
  actor.type !== 'user' ||
  actor.scopes === undefined ||
  collection === null ||
  decide(actor, madeCollection ? 'collections:manage' : 'records:import', { id: collection, fields: [] }).allowed

/** `collection`: must match the import's target. */
export async function readImport(deps: ImportDeps, actor: Actor, id: string, collection?: string): Promise<ImportBody> {
  const item = assertOwnImport(actor, await findImport(deps.database.read, id))
  if (collection !== undefined) {
    const { byName } = await deps.definitions.current()
    const wanted = byName.get(collection)?.id ?? collection
    if (item.collection !== null && item.collection !== wanted) throw new Problem('not-found', 'Import not found.')
  }
  const shown = showImport(item)
  // Reported as running until this process has announced the result, so that a client that reads "done" finds the
  // records.
  return deps.runs.has(id) ? { ...shown, state: 'running' } : shown
}
