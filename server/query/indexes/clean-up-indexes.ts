import { isUnused } from '#domain/query/index-policy.ts'
import { fitsCollection } from '#server/query/compile/compile-index.ts'
import { removeIndex } from './build-index.ts'
import type { IndexDeps } from './index-deps.ts'
import { findDatabaseIndexes, loadIndexes, markReady } from './store.ts'

/**
 * Brings what is written of indexes and what the database has together: those that were interrupted are finished or gone,
 * and so are those that nobody used for long or whose definition has moved on. One process does it at a time.
 */
export async function cleanUpIndexes(needs: IndexDeps, run: (statement: string) => Promise<void>): Promise<void> {
  const { database, definitions, clock } = needs
  const { byId } = await definitions.current()
  const there = await findDatabaseIndexes(database.read, database.dialect)
  const written = await loadIndexes(database.read)
  for (const index of written) {
    const collection = byId.get(index.collection)
    const isWhole = there.get(index.id)?.isWhole === true
    const isWanted = collection !== undefined && fitsCollection(index.spec, collection) && !isUnused(index, clock())
    if (!isWhole || !isWanted) await removeIndex(needs, index.id, run)
    else if (index.state === 'building') {
      await database.write((transaction) => markReady(transaction, index.id, clock().toISOString()))
    }
  }
  const known = new Set(written.map(({ id }) => id))
  for (const id of there.keys()) if (!known.has(id)) await removeIndex(needs, id, run)
}
