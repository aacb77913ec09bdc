import type { Collection } from '#domain/collections/collection.ts'
import { type IndexSpec, fieldsOfIndex, isIndexedFormula } from '#domain/query/list/index-selection.ts'
import { compileIndex } from '#server/query/compile/compile-index.ts'
import {
  analysisOf,
  analyzeInside,
  claimIndex,
  deleteIndex,
  dropInside,
  indexName,
  loadIndexes,
  markReady,
  runStatement,
  type StoredIndex,
  textOf,
} from './store.ts'
import type { CollectionId, FieldId, IdGenerator } from '#domain/shared/ids.ts'
import type { Transaction, Database } from '#server/platform/database/database.ts'
import type { Logger } from 'pino'
import type { Clock } from '#domain/shared/time.ts'
import type { DefinitionsCache } from '#server/query/definitions/definitions-cache.ts'

export type IndexDeps = {
  readonly database: Database
  readonly definitions: DefinitionsCache
  readonly clock: Clock
  readonly newId: IdGenerator
  readonly log: Logger
}

export type BuildRequest = {
  readonly collection: Collection
  readonly spec: IndexSpec
  readonly insteadOf: string | null
}

type Run = (statement: string) => Promise<void>

/**
 * Creates an index without blocking other operations: in two short writes on SQLite, concurrently on PostgreSQL. The
 * index is recorded first, so that it is created only once and an interrupted build can be detected.
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

/** SQLite builds an index in a single statement, which takes about five seconds per million records. */
const EXCLUSIVE = { alone: 'definitions', limitMs: 15 * 60 * 1000 }

/** The definition is locked during the build; if it has changed, no index is created. */
async function buildInWrite(deps: IndexDeps, { id, collection: collectionId, spec }: StoredIndex): Promise<void> {
  const { database, definitions, clock } = deps
  await database.write(async (transaction) => {
    const { byId, timeZone } = await definitions.within(transaction)
    const collection = byId.get(collectionId)
    const statement = collection && compileIndex(indexName(id), spec, { collection, timeZone, dialect: 'sqlite' })
    if (!statement) return deleteIndex(transaction, id)
    await runStatement(transaction, statement)
  }, EXCLUSIVE)
  // Runs in a separate write, so that queued writers run first; analyzing adds a tenth of the build time.
  await database.write(async (transaction) => {
    if (await analyzeInside(transaction, id)) await markReady(transaction, id, clock().toISOString())
  }, EXCLUSIVE)
}

async function buildConcurrently(deps: IndexDeps, { id, collection: collectionId, spec }: StoredIndex, run: Run) {
  const { database, definitions, clock } = deps
  const { byId, timeZone } = await definitions.current()
  const collection = byId.get(collectionId)
  const statement = collection && compileIndex(indexName(id), spec, { collection, timeZone, dialect: 'postgres' })
  if (!statement) return database.write((transaction) => deleteIndex(transaction, id))
  await run(textOf(database.read, statement))
  await run(textOf(database.read, analysisOf(collectionId)))
  await database.write((transaction) => markReady(transaction, id, clock().toISOString()))
}

export async function removeIndex({ database }: IndexDeps, id: string, run: Run): Promise<void> {
  if (database.dialect === 'postgres') await run(`drop index concurrently if exists "${indexName(id)}"`)
  await database.write((transaction) => dropIndex(transaction, id))
}

async function dropIndex(transaction: Transaction, id: string): Promise<void> {
  await dropInside(transaction, id)
  await deleteIndex(transaction, id)
}

/** Drops the indexes that were created for lists of a collection. */
export async function dropCollectionIndexes(transaction: Transaction, collection: CollectionId): Promise<void> {
  for (const { id } of await loadIndexes(transaction.db, collection)) await dropIndex(transaction, id)
}

/**
 * Drops the indexes of lists, each in its own write. They are created again on demand. Those that calculations need to find
 * links are kept.
 */
export async function dropListIndexes(database: Database, collection: Collection): Promise<void> {
  for (const { id, spec } of await loadIndexes(database.read, collection.id)) {
    if (!isOfRelation(spec, collection)) await database.write((transaction) => dropIndex(transaction, id))
  }
}

function isOfRelation(spec: IndexSpec, { fields }: Collection): boolean {
  const [only, ...others] = fieldsOfIndex(spec)
  return others.length === 0 && fields.some(({ id, kind }) => id === only && kind === 'relation')
}

/** Drops the indexes that contain a field whose column is about to be deleted, or a formula, which may read it. */
export async function dropFieldIndexes(
  transaction: Transaction,
  collection: CollectionId,
  field: FieldId,
): Promise<void> {
  for (const { id, spec } of await loadIndexes(transaction.db, collection)) {
    if (fieldsOfIndex(spec).some((one) => one === field || isIndexedFormula(one))) await dropIndex(transaction, id)
  }
}
