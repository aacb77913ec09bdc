import { Problem } from '#domain/shared/problem.ts'
import type { Transaction } from '#server/database/database.ts'
import type { ImportNeeds } from './import-needs.ts'
import { type HeldImport, holdProgress } from './store.ts'

/**
 * Inside a write of a running import: throws when it was cancelled, or when another program took it for abandoned and
 * undoes it. So no row is ever written behind the back of whoever removes them.
 */
export async function refuseStranger(needs: ImportNeeds, transaction: Transaction, id: string): Promise<HeldImport> {
  const held = await holdProgress(transaction, id)
  if (held?.state === 'running' && held.progress.runner?.token === needs.self.token) return held
  throw new Problem('import-failed', 'The import was ended from outside.')
}
