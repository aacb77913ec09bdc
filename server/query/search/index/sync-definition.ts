import type { Collection } from '#domain/collections/collection.ts'
import { isRollup } from '#domain/fields/field.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import type { FieldId, IdGenerator } from '#domain/shared/ids.ts'
import { computedAt } from '#domain/query/check/checked-filter.ts'
import { kindOfLeaf } from '#domain/query/filter/read-literal.ts'
import { hasMoreRows } from '#server/query/run/count-rows.ts'
import type { FullTextIndex, SearchedField } from '#server/query/search/full-text-index.ts'
import { idOfSearchedField, type SearchedText, textsIn } from '#server/query/search/searched-texts.ts'
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
import {
  createTrigramIndex,
  dropTrigramIndexes,
  hasTrigrams,
  loadTrigramIndexes,
  planTrigramIndexes,
} from './trigrams-store.ts'

type DefinitionSync = {
  readonly transaction: Transaction
  readonly parts: readonly FullTextIndex[]
  readonly at: string
  readonly newId: IdGenerator
  readonly definitions: { readonly timeZone: string }
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
  const place = { timeZone: following.definitions.timeZone, dialect: transaction.dialect }
  const texts = textsIn(after, place)
  if (transaction.dialect === 'postgres') {
    // A large table would take too long, so missing trigram indexes are created in the background.
    const isLarge = before !== null && (await hasMoreRows(transaction.db, after.id, MAX_SYNC_ROWS))
    if (!isLarge) await indexTrigrams(following, after, texts)
    return
  }

  const carried = carriedTexts(before ? textsIn(before, place) : [], texts, { before, after })
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
  const missing = texts.filter(({ name }) => !covered.has(name))
  if (missing.length > 0) await addIndexes({ ...following, parts: kept }, before, after, { texts, missing })
}

/** The texts that an index of the former definition contains. */
function carriedTexts(
  were: readonly SearchedText[],
  texts: readonly SearchedText[],
  { before, after }: { readonly before: Collection | null; readonly after: Collection },
): ReadonlySet<SearchedField> {
  const kindIn = (collection: Collection | null, name: SearchedField) =>
    collection?.fields.find(({ id }) => id === idOfSearchedField(name))?.kind
  const known = new Set(were.map(({ name }) => name))
  return new Set(
    texts.flatMap(({ name }) => (known.has(name) && kindIn(before, name) === kindIn(after, name) ? name : [])),
  )
}

type MissingTexts = { readonly texts: readonly SearchedText[]; readonly missing: readonly SearchedText[] }

async function addIndexes(
  { transaction, parts, at, newId, restored, definitions: { timeZone } }: DefinitionSync,
  before: Collection | null,
  after: Collection,
  { texts, missing }: MissingTexts,
): Promise<void> {
  const { id: collection } = after
  const isLarge = before !== null && (await hasMoreRows(transaction.db, collection, MAX_SYNC_ROWS))
  const fields = (isLarge ? missing : texts).map(({ name }) => name)
  // Of the fields added by this change, only restored fields, auto numbers and formulas already have values, and those of
  // linked records are about to be calculated.
  const holdsValues = missing.some(({ name, leaf }) => {
    const id = idOfSearchedField(name)
    const isFilled = computedAt(leaf) !== undefined || kindOfLeaf(leaf) === 'auto-number'
    const isLinked = after.fields.some((field) => field.id === id && isRollup(field))
    return (
      isFilled || isLinked || restored?.has(id) === true || before?.fields.some((field) => field.id === id) === true
    )
  })
  const gap = isLarge && holdsValues ? await rowRange(transaction, collection, ALL_ROWS) : null
  const part: FullTextIndex = { id: newId(), collection, fields, gap, discardedAt: null }
  await createFullTextIndex(transaction, part)
  if (isLarge) return
  for (const old of parts) await retireIndex(transaction, old, at)
  await indexRows(transaction, part, { collection: after, timeZone }, ALL_ROWS)
}

/** PostgreSQL updates its own indexes; without the trigram extension, searches scan the rows. */
async function indexTrigrams(
  { transaction, newId }: DefinitionSync,
  { id: collection }: Collection,
  all: readonly SearchedText[],
): Promise<void> {
  const { db } = transaction
  if (!(await hasTrigrams(db))) return
  const { create, drop } = planTrigramIndexes(await loadTrigramIndexes(db, collection), all, 1)
  await dropTrigramIndexes(transaction, drop)
  for (const texts of create) await createTrigramIndex({ collection, texts, newId, isConcurrent: false }).execute(db)
}

/**
 * Drops the trigram indexes before a large import into a small collection. They are created again after it, which takes a
 * fraction of the time in which they would take up each row.
 */
export async function suspendTrigrams(transaction: Transaction, { id }: Collection): Promise<void> {
  const { db, dialect } = transaction
  if (dialect !== 'postgres' || (await hasMoreRows(db, id, MAX_SYNC_ROWS))) return
  await dropTrigramIndexes(transaction, await loadTrigramIndexes(db, id))
}

export async function dropFullTextIndexes(transaction: Transaction, { id }: Collection): Promise<void> {
  for (const part of await indexesOfCollection(transaction, id)) await dropFullTextIndex(transaction, part)
}
