import type { Collection } from '#domain/collections/collection.ts'
import type { IndexSpec } from '#domain/query/list/index-selection.ts'
import { compileIndex } from '#server/query/compile/compile-index.ts'
import type { IndexDeps } from './index-deps.ts'
import { indexName } from './index-name.ts'
import {
  analyzeInside,
  analysisOf,
  claimIndex,
  deleteIndex,
  dropInside,
  markReady,
  runStatement,
  textOf,
} from './store.ts'
import type { StoredIndex } from './stored-index.ts'

/** An index to be made, and the one that makes room for it. */
export type BuildRequest = {
  readonly collection: Collection
  readonly spec: IndexSpec
  readonly insteadOf: string | null
}

/** Runs one statement of upkeep. */
type Run = (statement: string) => Promise<void>

/**
 * Makes an index while everything else goes on: on SQLite in two short writes, on PostgreSQL beside all writes. It is
 * written down first, so that two processes make one only once and whoever is interrupted leaves a trace.
 */
export async function buildIndex(
  deps: IndexDeps,
  { collection, spec, insteadOf }: BuildRequest,
  run: Run,
): Promise<void> {
  const { database, clock, newId } = deps
  const at = clock().toISOString()
  const index: StoredIndex = {
    id: newId(),
    collection: collection.id,
    spec,
    state: 'building',
    madeAt: at,
    usedAt: at,
  }
  if (insteadOf !== null) await removeIndex(deps, insteadOf, run)
  const isOurs = await database.write((transaction) => claimIndex(transaction, index))
  if (!isOurs) return
  const building = database.dialect === 'sqlite' ? buildInWrite(deps, index) : buildConcurrently(deps, index, run)
  await building.then(undefined, async (error: unknown) => {
    await removeIndex(deps, index.id, run)
    throw error
  })
}

const EXCLUSIVE = { alone: 'definitions' }

/** The definition is held still meanwhile; one that changed before leaves nothing to be made. */
async function buildInWrite(deps: IndexDeps, { id, collection: collectionId, spec }: StoredIndex): Promise<void> {
  const { database, definitions, clock } = deps
  await database.write(async (transaction) => {
    const collection = (await definitions.within(transaction)).byId.get(collectionId)
    const statement = collection && compileIndex(indexName(id), spec, { collection, dialect: 'sqlite' })
    if (!statement) return deleteIndex(transaction, id)
    await runStatement(transaction, statement)
  }, EXCLUSIVE)
  // Writers that waited for the index go first: counting what it holds takes a tenth as long again.
  await database.write(async (transaction) => {
    if (await analyzeInside(transaction, id)) await markReady(transaction, id, clock().toISOString())
  }, EXCLUSIVE)
}

async function buildConcurrently(deps: IndexDeps, { id, collection: collectionId, spec }: StoredIndex, run: Run) {
  const { database, definitions, clock } = deps
  const collection = (await definitions.current()).byId.get(collectionId)
  const statement = collection && compileIndex(indexName(id), spec, { collection, dialect: 'postgres' })
  if (!statement) return database.write((transaction) => deleteIndex(transaction, id))
  await run(textOf(database.read, statement))
  await run(textOf(database.read, analysisOf(collectionId)))
  await database.write((transaction) => markReady(transaction, id, clock().toISOString()))
}

/** Removes an index and what is written of it; readers and writers go on meanwhile. */
export async function removeIndex({ database }: IndexDeps, id: string, run: Run): Promise<void> {
  if (database.dialect === 'postgres') await run(`drop index concurrently if exists "${indexName(id)}"`)
  await database.write(async (transaction) => {
    await dropInside(transaction, id)
    await deleteIndex(transaction, id)
  })
}
