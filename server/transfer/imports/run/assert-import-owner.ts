import { Problem } from '#domain/shared/problem.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import type { ImportDeps } from '#server/transfer/imports/import-deps.ts'
import { type LockedImport, lockImportProgress } from '#server/transfer/imports/store.ts'

/**
 * Inside a write of a running import: throws when it was cancelled, or when another program took it for abandoned and
 * undoes it. So no row is ever written behind the back of whoever removes them.
 */
export async function assertImportOwner(
  needs: ImportDeps,
  transaction: Transaction,
  id: string,
): Promise<LockedImport> {
  const held = await lockImportProgress(transaction, id)
  if (held?.state === 'running' && held.progress.runner?.token === needs.self.token) return held
  throw new Problem('import-failed', 'The import was stopped by another process.')
}
