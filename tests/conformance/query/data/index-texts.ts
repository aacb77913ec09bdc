import { sql } from 'kysely'
import type { Collection } from '#domain/collections/collection.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { tableOf } from '#server/query/sql/sql-context.ts'
import { type FullTextIndex, type FullTextIndexes, fullTextTableOf } from '#server/query/search/full-text-index.ts'
import { foldedTextIn, indexColumnOf, textsIn } from '#server/query/search/searched-texts.ts'
import { syncFullTextIndexes } from '#server/query/search/index/sync-definition.ts'
import {
  ALL_ROWS,
  createFullTextIndex,
  indexRows,
  loadFullTextIndexes,
  rowRange,
} from '#server/query/search/index/full-text-store.ts'
import { createTrigrams } from '#server/query/search/index/trigrams-store.ts'

/**
 * The contents of the full-text indexes: nothing, all texts, all texts except those of some records, earlier texts of
 * some records, or one index per field. PostgreSQL maintains its indexes itself, so it supports only the first two.
 */
export type Indexed = 'nothing' | 'whole' | 'but a stretch' | 'outdated in part' | 'field by field'

/** Builds full-text indexes for a library that already has records. */
export async function indexTexts(
  transaction: Transaction,
  library: readonly Collection[],
  indexed: Indexed,
): Promise<FullTextIndexes> {
  if (indexed === 'nothing') return new Map()
  if (transaction.dialect === 'postgres') await createTrigrams(transaction)
  for (const collection of library) {
    await addDefinition(transaction, collection)
    if (indexed === 'field by field' && transaction.dialect === 'sqlite') await indexFields(transaction, collection)
    else await indexWhole(transaction, collection)
  }
  const parts = await loadFullTextIndexes(transaction.db, transaction.dialect)
  if (indexed === 'outdated in part') {
    for (const collection of library)
      for (const part of parts.get(collection.id) ?? []) await replaceEntries(transaction, part, collection)
  }
  if (indexed !== 'but a stretch' || transaction.dialect === 'postgres') return parts
  const all = [...parts.values()].flat()
  return Map.groupBy(await Promise.all(all.map((part) => withGap(transaction, part))), ({ collection }) => collection)
}

async function addDefinition({ db }: Transaction, { id, name, label }: Collection): Promise<void> {
  const row = { id, name, label, position: 0, title_field: null, version: 1 }
  await db.insertInto('collections').values(row).execute()
}

/** The time zone of the queries. */
const TIME_ZONE = 'Europe/Vienna'
const TEXTS = { timeZone: TIME_ZONE, dialect: 'sqlite' } as const

const newId = (collection: Collection, place: number): string => `${collection.id.slice(0, -1)}${'pqrstvwxyz'[place]}`

async function indexWhole(transaction: Transaction, collection: Collection): Promise<void> {
  const at = '2026-01-01T00:00:00.000Z'
  const following = {
    transaction,
    parts: [],
    at,
    newId: () => newId(collection, 0),
    definitions: { timeZone: TIME_ZONE },
  }
  await syncFullTextIndexes(following, null, collection)
  for (const part of (await loadFullTextIndexes(transaction.db, transaction.dialect)).get(collection.id) ?? []) {
    if (transaction.dialect === 'sqlite')
      await indexRows(transaction, part, { collection, timeZone: TIME_ZONE }, ALL_ROWS)
  }
}

async function indexFields(transaction: Transaction, collection: Collection): Promise<void> {
  for (const [place, { name }] of textsIn(collection, TEXTS).entries()) {
    const part: FullTextIndex = {
      id: newId(collection, place),
      collection: collection.id,
      fields: [name],
      gap: null,
      discardedAt: null,
    }
    await createFullTextIndex(transaction, part)
    await indexRows(transaction, part, { collection, timeZone: TIME_ZONE }, ALL_ROWS)
  }
}

/** Indexes every third record with the texts of its neighbor, and marks these records. */
async function replaceEntries(
  { db, dialect }: Transaction,
  { id, fields }: FullTextIndex,
  collection: Collection,
): Promise<void> {
  const table = sql.table(tableOf(collection.id))
  const indexed = textsIn(collection, TEXTS).filter(({ name }) => fields.includes(name))
  const columns = sql.join(indexed.map(({ name }) => sql.id(indexColumnOf(name))))
  const texts = indexed.map(
    ({ name, leaf }) =>
      sql`lag(${foldedTextIn('r', leaf, dialect)}) over (order by seq) || char(1, 1) as ${sql.id(indexColumnOf(name))}`,
  )
  const third = sql`from (select seq, row_number() over (order by seq) as place, ${sql.join(texts)} from ${table} as r)
    where place % 3 = 0`
  await sql`insert or replace into ${sql.table(fullTextTableOf(id))} (rowid, ${columns})
    select seq, ${columns} ${third}`.execute(db)
  await sql`insert into search_pending (collection_id, seq) select ${collection.id}, seq ${third}`.execute(db)
}

/** Removes the middle third of the records from an index. */
async function withGap(transaction: Transaction, part: FullTextIndex): Promise<FullTextIndex> {
  const table = sql.table(tableOf(part.collection))
  const third = sql`(select count(*) / 3 from ${table})`
  const middle = sql`r.seq in (select m.seq from ${table} as m order by m.seq limit ${third} offset ${third})`
  const gap = await rowRange(transaction, part.collection, middle)
  if (gap === null) return part
  await sql`delete from ${sql.table(fullTextTableOf(part.id))}
    where rowid between cast(${gap.from} as integer) and cast(${gap.to} as integer)`.execute(transaction.db)
  return { ...part, gap }
}
