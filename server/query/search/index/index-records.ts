import type { Collection } from '#domain/collections/collection.ts'
import type { CollectionId, FieldId, RecordId } from '#domain/shared/ids.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { type DefinitionsCache, notifySearchIndexChanged } from '#server/query/definitions/definitions-cache.ts'
import type { FullTextIndex, FullTextIndexes } from '#server/query/search/full-text-index.ts'
import { isTextAffected, textsIn } from '#server/query/search/searched-texts.ts'
import type { ImportRows } from '#server/query/sql/sql-context.ts'
import { chunkIds } from '#server/platform/database/rows/id-lists.ts'
import {
  areInGaps,
  countRows,
  discardIndexes,
  indexRows,
  joinedGap,
  markPending,
  removeRows,
  rowRange,
  rowsOfIds,
  rowsOfImport,
  saveGap,
} from './full-text-store.ts'
import { MAX_SYNC_ROWS } from './sync-definition.ts'

type IndexContext = {
  readonly transaction: Transaction
  readonly definitions: { readonly searchParts: FullTextIndexes; readonly timeZone: string }
}

/** The full-text indexes that a write must update; none on PostgreSQL, which updates its own. */
const indexesToUpdate = ({ transaction, definitions }: IndexContext, { id }: Collection): readonly FullTextIndex[] =>
  transaction.dialect === 'sqlite' ? (definitions.searchParts.get(id) ?? []) : []

/**
 * Marks records for indexing in the same write; must be called after every insertion and every change to texts.
 * `changed` names the changed fields; default: all.
 */
export function indexRecords(
  indexing: IndexContext,
  collection: Collection,
  ids: readonly RecordId[],
  changed?: ReadonlySet<FieldId>,
): void {
  const { transaction } = indexing
  const parts = indexesToUpdate(indexing, collection)
  if (parts.length === 0) return
  if (!changed) return markPending(transaction, collection.id, ids)
  const affected = affectedTexts(indexing, collection, changed)
  if (affected.length === 0) return
  const only = parts.find(({ fields }) => affected.every(({ name }) => fields.includes(name)))
  markPending(transaction, collection.id, ids, only)
}

/** The texts that contain these fields or are computed from them. */
const affectedTexts = (
  { transaction: { dialect }, definitions: { timeZone } }: IndexContext,
  collection: Collection,
  changed: ReadonlySet<FieldId>,
) => textsIn(collection, { timeZone, dialect }).filter(({ leaf }) => isTextAffected(leaf, changed))

export type RecordRange = { readonly first: RecordId; readonly last: RecordId }

/**
 * Whether records of a range must be marked for indexing when these fields have changed. Those in the gaps of the indexes
 * needn't: they are indexed later with the texts that they have by then.
 */
export async function mustMark(
  indexing: IndexContext,
  collection: Collection,
  changed: ReadonlySet<FieldId>,
  range: RecordRange,
): Promise<boolean> {
  const affected = affectedTexts(indexing, collection, changed)
  const parts = indexesToUpdate(indexing, collection).filter(({ fields }) =>
    affected.some(({ name }) => fields.includes(name)),
  )
  return parts.length > 0 && !(await areInGaps(indexing.transaction, collection.id, parts, range))
}

/** Removes records from the full-text indexes; must be called before they are deleted from their table. */
export async function unindexRecords(
  indexing: IndexContext,
  collection: Collection,
  ids: readonly RecordId[],
): Promise<void> {
  for (const part of indexesToUpdate(indexing, collection)) {
    if (part.discardedAt !== null) continue
    for (const some of chunkIds(ids)) await removeRows(indexing.transaction, part, rowsOfIds(some))
  }
}

/** From now on, keeps the entries of deleted records of a collection, whose indexes are replaced afterwards. */
export async function discardFullTextIndexes(
  transaction: Transaction,
  definitions: DefinitionsCache,
  { collection, at }: { readonly collection: CollectionId; readonly at: string },
): Promise<void> {
  if (await discardIndexes(transaction, collection, at)) await publishIndexChange(transaction, definitions)
}

/** Lets this and other processes read the list of indexes again. */
export async function publishIndexChange(transaction: Transaction, definitions: DefinitionsCache): Promise<void> {
  await notifySearchIndexChanged(transaction)
  transaction.afterCommit(() => definitions.drop())
}

/**
 * Adds an import's records to the full-text indexes, in the write that makes them visible. If there are many, only
 * stores their range, which the search indexer then processes in the background.
 */
export async function indexImport(indexing: IndexContext, collection: Collection, imported: ImportRows): Promise<void> {
  const { transaction } = indexing
  const rows = rowsOfImport(imported)
  for (const part of indexesToUpdate(indexing, collection)) {
    const stretch = await rowRange(transaction, collection.id, rows)
    if (stretch === null) continue
    const count = await countRows(transaction.db, collection.id, rows, MAX_SYNC_ROWS + 1)
    const { timeZone } = indexing.definitions
    if (count <= MAX_SYNC_ROWS) await indexRows(transaction, part, { collection, timeZone }, rows)
    else await saveGap(transaction, part, joinedGap(part.gap, stretch))
  }
}
