import type { Actor } from '#domain/access/actor.ts'
import { Problem } from '#domain/shared/problem.ts'
import { CANCELED, type ImportDeps } from './import-deps.ts'
import { assertOwnImport } from './show-import.ts'
import { csvPathOf, errorsPathOf, removeFiles } from './staged-files.ts'
import { updateImport, lockImport } from './store.ts'
import type { StoredImport } from './stored-import.ts'

/** The process that runs the import removes the rows it wrote. */
export async function cancelImport(deps: ImportDeps, actor: Actor, id: string): Promise<void> {
  const before = await deps.database.write(async (transaction) => {
    const item = assertOwnImport(actor, await lockImport(transaction, id))
    await updateImport(transaction, id, cancelled(item, deps.clock().toISOString()))
    return item
  })
  if (before.state === 'running') deps.runs.get(id)?.abort.abort(CANCELED)
  else await removeFiles([csvPathOf(deps, id), errorsPathOf(deps, id)])
}

/** Cancels an import if it is still in one of these states. */
export async function cancelWaiting(
  deps: Pick<ImportDeps, 'database' | 'clock' | 'dataFolder'>,
  id: string,
  states: readonly ('ready' | 'failed')[],
): Promise<void> {
  const isCancelled = await deps.database.write(async (transaction) => {
    const item = await lockImport(transaction, id)
    if (!states.some((state) => state === item?.state)) return false
    await updateImport(transaction, id, { state: 'cancelled', failure: null, endedAt: deps.clock().toISOString() })
    return true
  })
  if (isCancelled) await removeFiles([csvPathOf(deps, id), errorsPathOf(deps, id)])
}

function cancelled(item: StoredImport, at: string): Partial<StoredImport> {
  switch (item.state) {
    case 'ready':
    case 'failed':
      return { state: 'cancelled', failure: null, endedAt: at }
    case 'running':
      return { state: 'undoing', failure: null, progress: { ...item.progress, endsAs: 'cancelled' } }
    case 'undoing':
      throw new Problem('import-not-ready', 'This import is already being rolled back.')
    case 'done':
    case 'cancelled':
      throw new Problem('import-not-ready', 'This import has finished and can’t be canceled.')
  }
}
