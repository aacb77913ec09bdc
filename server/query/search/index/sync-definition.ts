import type { Collection } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import { isSearchedText } from '#domain/query/list/search.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import type { FieldId, IdGenerator } from '#domain/shared/ids.ts'
import { hasMoreRows } from '#server/query/run/count-rows.ts'
import type { FullTextIndex } from '#server/query/search/full-text-index.ts'
import {
  ALL_ROWS,
  createFullTextIndex,
  dropFullTextIndex,
  removeIndexedFields,
  indexesOfCollection,
  indexRows,
  retireIndex,
  rowRange,
} from './full-text-store.ts'
import { createTrigramIndex, dropTrigramIndexOf, hasTrigrams } from './trigrams-store.ts'

type DefinitionSync = {
  readonly transaction: Transaction
  readonly parts: readonly FullTextIndex[]
  readonly at: string
  readonly newId: IdGenerator
  /** Added fields that already have values. */
  readonly restored?: ReadonlySet<FieldId>
}

/** A collection with more records than this is indexed in the background, field by field; a smaller one immediately. */
export const MAX_SYNC_ROWS = 2_000

/** Updates the full-text indexes for a changed definition, in the same write. */
export async function syncFullTextIndexes(
  following: DefinitionSync,
  before: Collection | null,
  after: Collection,
): Promise<void> {
  const { transaction } = following
  const carried = new Set(before?.fields.filter((field) => isCarried(field, after)).map(({ id }) => id))
  if (transaction.dialect === 'postgres') {
    // A large table would take too long, so missing trigram indexes are created in the background.
    const isLarge = before !== null && (await hasMoreRows(transaction.db, after.id, MAX_SYNC_ROWS))
    if (!isLarge) await indexTrigrams(transaction, after, carried)
    return
  }

  const kept: FullTextIndex[] = []
  for (const part of following.parts) {
    const fields = part.fields.filter((id) => carried.has(id))
    if (fields.length === 0) await retireIndex(transaction, part, following.at)
    else {
      const gone = part.fields.filter((id) => !carried.has(id))
      if (gone.length > 0) await removeIndexedFields(transaction, part, gone)
      kept.push({ ...part, fields })
    }
  }
  const covered = new Set(kept.flatMap(({ fields }) => fields))
  const missing = after.fields.filter((field) => isSearchedText(field) && !covered.has(field.id))
  if (missing.length > 0) await addIndexes({ ...following, parts: kept }, before, after, missing)
}

function isCarried(field: Field, after: Collection): boolean {
  const now = after.fields.find(({ id }) => id === field.id)
  return now?.kind === field.kind && isSearchedText(field)
}

async function addIndexes(
  { transaction, parts, at, newId, restored }: DefinitionSync,
  before: Collection | null,
  after: Collection,
  missing: readonly Field[],
): Promise<void> {
  const { id: collection } = after
  const isLarge = before !== null && (await hasMoreRows(transaction.db, collection, MAX_SYNC_ROWS))
  const covers = isLarge ? missing : after.fields.filter(isSearchedText)
  const fields = covers.map(({ id }) => id)
  // Of the fields added by this change, only restored fields and auto numbers already have values.
  const holdsValues = missing.some(
    ({ id, kind }) =>
      kind === 'auto-number' || restored?.has(id) === true || before?.fields.some((field) => field.id === id) === true,
  )
  const gap = isLarge && holdsValues ? await rowRange(transaction, collection, ALL_ROWS) : null
  const part: FullTextIndex = { id: newId(), collection, fields, gap }
  await createFullTextIndex(transaction, part)
  if (isLarge) return
  for (const old of parts) await retireIndex(transaction, old, at)
  await indexRows(transaction, part, after, ALL_ROWS)
}

/** PostgreSQL updates its own indexes; without the trigram extension, searches scan the rows. */
async function indexTrigrams(transaction: Transaction, after: Collection, carried: ReadonlySet<string>): Promise<void> {
  const fields = after.fields.filter((field) => isSearchedText(field) && !carried.has(field.id))
  if (fields.length === 0 || !(await hasTrigrams(transaction.db))) return
  for (const { id } of fields) await createTrigramIndex(transaction, after.id, id)
}

/** Drops the index of a field on PostgreSQL; on SQLite, it is part of the collection's index. */
export async function dropTrigrams(transaction: Transaction, { id }: Field): Promise<void> {
  if (transaction.dialect === 'postgres') await dropTrigramIndexOf(transaction, id)
}

export async function dropFullTextIndexes(transaction: Transaction, { id }: Collection): Promise<void> {
  for (const part of await indexesOfCollection(transaction, id)) await dropFullTextIndex(transaction, part)
}
