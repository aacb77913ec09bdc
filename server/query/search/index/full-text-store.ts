import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Collection } from '#domain/collections/collection.ts'
import { type CollectionId, type RecordId, seqOf } from '#domain/shared/ids.ts'
import type { Dialect, Reader, Transaction } from '#server/platform/database/database.ts'
import {
  type FullTextIndex,
  type FullTextIndexes,
  fullTextTableOf,
  type IndexGap,
  isPendingIn,
  pendingRows,
  type SearchedField,
  trigramTableOf,
} from '#server/query/search/full-text-index.ts'
import { foldedTextIn, indexColumnOf, textsIn } from '#server/query/search/searched-texts.ts'
import { type ImportRows, tableOf } from '#server/query/sql/sql-context.ts'
import { loadTrigramIndexes } from './trigrams-store.ts'

export async function loadIndexRows(reader: Reader): Promise<FullTextIndex[]> {
  const rows = await reader
    .selectFrom('search_parts')
    .selectAll()
    .where('retired_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(partOf)
}

export async function findIndexRow({ db }: Transaction, id: string): Promise<FullTextIndex | undefined> {
  const query = db.selectFrom('search_parts').selectAll().where('id', '=', id).where('retired_at', 'is', null)
  const row = await query.executeTakeFirst()
  return row && partOf(row)
}

type Row = {
  readonly id: string
  readonly collection_id: CollectionId
  readonly fields: string
  readonly gap_from: string | null
  readonly gap_to: string | null
  readonly discarded_at: string | null
}

const REMOVED_FIELD_PREFIX = '-'

const partOf = ({ id, collection_id: collection, fields, gap_from: from, gap_to: to, ...row }: Row): FullTextIndex => ({
  id,
  collection,
  fields: fields.split(',').filter((field) => !field.startsWith(REMOVED_FIELD_PREFIX)),
  gap: from === null || to === null ? null : { from, to },
  discardedAt: row.discarded_at,
})

/**
 * Writes don't merge segments, because that takes time without limit if most rows were deleted; `mergeIndexPages` does it
 * in the background, sixteen segments at a time. At 1,500 segments, SQLite merges all the same; it allows 2,000.
 */
const MERGING = { automerge: 0, crisismerge: 1500, deletemerge: 0, usermerge: 16 }

/** While nothing else happens, few segments are left; those with at least this percentage of deleted rows are rewritten. */
const THOROUGH = { deletemerge: 40, usermerge: 4 }

export async function createFullTextIndex({ db }: Transaction, part: FullTextIndex): Promise<void> {
  const { id, collection, fields, gap } = part
  await db
    .insertInto('search_parts')
    .values({ id, collection_id: collection, fields: fields.join(','), ...gapCells(gap), retired_at: null })
    .execute()
  const [table, trigrams] = [fullTextTableOf(id), trigramTableOf(id)]
  const columns = fields.map(indexColumnOf).join(', ')
  const statements = [
    `create virtual table ${table} using fts5(${columns}, content='', contentless_delete=1, detail='none', tokenize='trigram case_sensitive 1')`,
    ...Object.entries(MERGING).map(
      ([option, value]) => `insert into ${table} (${table}, rank) values ('${option}', ${value})`,
    ),
    `create virtual table ${trigrams} using fts5vocab(${table}, 'instance')`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}

/** Whether all records of a range are in the gaps of these indexes, as they are in this write. */
export async function areInGaps(
  { db }: Transaction,
  collection: CollectionId,
  parts: readonly FullTextIndex[],
  { first, last }: { readonly first: RecordId; readonly last: RecordId },
): Promise<boolean> {
  const seq = (id: RecordId) => sql`(select r.seq from ${sql.table(tableOf(collection))} as r where r.id = ${id})`
  const { rows } = await sql<{ count: number }>`select count(*) as count from search_parts
    where id in (${sql.join(parts.map(({ id }) => id))})
    and cast(gap_from as integer) <= ${seq(first)} and cast(gap_to as integer) >= ${seq(last)}`.execute(db)
  return rows[0]?.count === parts.length
}

/** Whether the values of all fields of an index are just being calculated. */
export async function areBeingCalculated(reader: Reader, { fields }: FullTextIndex): Promise<boolean> {
  const query = reader
    .selectFrom('rollups')
    .select('field_id')
    .where('field_id', 'in', [...fields])
  const running = query.where('cursor', 'is not', null).where('is_partial', '=', 0).where('is_canceled', '=', 0)
  return fields.length > 0 && (await running.execute()).length === fields.length
}

export async function saveGap({ db }: Transaction, { id }: FullTextIndex, gap: IndexGap | null): Promise<void> {
  await db.updateTable('search_parts').set(gapCells(gap)).where('id', '=', id).execute()
}

export async function removeIndexedFields(
  { db }: Transaction,
  { id }: FullTextIndex,
  gone: readonly SearchedField[],
): Promise<void> {
  const fields = gone.reduce<RawBuilder<string>>(
    (text, field) => sql<string>`replace(${text}, ${field}, ${REMOVED_FIELD_PREFIX + field})`,
    sql<string>`fields`,
  )
  await db.updateTable('search_parts').set({ fields }).where('id', '=', id).execute()
}

const gapCells = (gap: IndexGap | null) => ({ gap_from: gap?.from ?? null, gap_to: gap?.to ?? null })

/** Keeps the entries of deleted records from now on; returns whether there are indexes. */
export async function discardIndexes({ db }: Transaction, collection: CollectionId, at: string): Promise<boolean> {
  const query = db.updateTable('search_parts').set({ discarded_at: at }).where('collection_id', '=', collection)
  return (await query.executeTakeFirst()).numUpdatedRows > 0n
}

/** Stops using an index. Its tables are kept until no running statement can read them. */
export async function retireIndex({ db }: Transaction, { id }: FullTextIndex, at: string): Promise<void> {
  await db
    .updateTable('search_parts')
    .set({ retired_at: at, gap_from: null, gap_to: null })
    .where('id', '=', id)
    .execute()
}

export async function indexesRetiredBefore(reader: Reader, at: string): Promise<string[]> {
  const rows = await reader.selectFrom('search_parts').select('id').where('retired_at', '<', at).execute()
  return rows.map(({ id }) => id)
}

export async function dropFullTextIndex({ db }: Transaction, id: string): Promise<void> {
  await sql.raw(`drop table if exists ${trigramTableOf(id)}`).execute(db)
  await sql.raw(`drop table if exists ${fullTextTableOf(id)}`).execute(db)
  await db.deleteFrom('search_parts').where('id', '=', id).execute()
}

export async function forgetIndexes({ db }: Transaction, ids: readonly string[]): Promise<void> {
  await db
    .deleteFrom('search_parts')
    .where('id', 'in', [...ids])
    .execute()
}

export async function indexesOfCollection({ db }: Transaction, collection: CollectionId): Promise<string[]> {
  const rows = await db.selectFrom('search_parts').select('id').where('collection_id', '=', collection).execute()
  return rows.map(({ id }) => id)
}

type Rows = RawBuilder<unknown>

export const rowsOfIds = (ids: readonly RecordId[]): Rows => sql`r.id in (${sql.join(ids)})`

export const rowsBetween = ({ from, to }: IndexGap): Rows =>
  sql`r.seq between cast(${from} as integer) and cast(${to} as integer)`

export const ALL_ROWS: Rows = sql`1 = 1`

/** What is indexed of a collection, whose formulas depend on the workspace's time zone. */
export type IndexedCollection = { readonly collection: Collection; readonly timeZone: string }

/**
 * Indexes the current texts of some rows, replacing earlier entries. Texts of former formulas aren't calculated any more,
 * so the index is no longer used for them.
 */
export async function indexRows(
  transaction: Transaction,
  part: FullTextIndex,
  { collection, timeZone }: IndexedCollection,
  rows: Rows,
): Promise<void> {
  const { db, dialect } = transaction
  const current = textsIn(collection, { timeZone, dialect })
  const gone = part.fields.filter((name) => !current.some((text) => text.name === name))
  if (gone.length > 0) await removeIndexedFields(transaction, part, gone)
  const fields = current.filter(({ name }) => part.fields.includes(name))
  if (fields.length === 0) return
  const columns = sql.join(fields.map(({ name }) => sql.id(indexColumnOf(name))))
  const texts = sql.join(fields.map(({ leaf }) => sql`${foldedTextIn('r', leaf, dialect)} || char(1, 1)`))
  await sql`insert or replace into ${sql.table(fullTextTableOf(part.id))} (rowid, ${columns})
    select r.seq, ${texts} from ${sql.table(tableOf(collection.id))} as r where ${rows} order by r.seq`.execute(db)
}

/**
 * Marks records to be indexed later, because indexing them one by one takes longer than writing them. `part`: the only
 * index whose texts have changed.
 */
export function markPending(
  { send }: Transaction,
  collection: CollectionId,
  ids: readonly RecordId[],
  part?: FullTextIndex,
): void {
  const statement = `insert into search_pending (collection_id, seq, part_id)
    select ?, r.seq, ? from ${tableOf(collection)} as r where r.id in (select value from json_each(?))
    on conflict (collection_id, seq) do update set part_id = null where part_id is not excluded.part_id`
  send(CompiledQuery.raw(statement, [collection, part?.id ?? null, JSON.stringify(ids)]))
}

/** A collection with marked records. */
export async function findPending(
  reader: Reader,
  except: ReadonlySet<CollectionId> = new Set(),
): Promise<CollectionId | undefined> {
  const row = await reader
    .selectFrom('search_pending')
    .select('collection_id')
    .where(sql<boolean>`collection_id not in (select value from json_each(${JSON.stringify([...except])}))`)
    .limit(1)
    .executeTakeFirst()
  return row?.collection_id
}

/** Indexes up to `count` marked records, and returns their number. */
export async function indexPendingRows(
  transaction: Transaction,
  parts: readonly FullTextIndex[],
  indexed: IndexedCollection,
  count: number,
): Promise<number> {
  const { collection } = indexed
  const rows = sql`(${pendingRows(collection.id)} order by p.seq limit ${sql.lit(count)})`
  for (const part of parts) {
    const changed = sql`(select p.seq from search_pending as p where ${sql.raw(isPendingIn(collection.id))}
      and p.seq in ${rows} and (p.part_id is null or p.part_id = ${part.id}))`
    await indexRows(transaction, part, indexed, sql`r.seq in ${changed}`)
  }
  const removed =
    await sql`delete from search_pending where collection_id = ${collection.id} and seq in ${rows}`.execute(
      transaction.db,
    )
  return Number(removed.numAffectedRows)
}

/** Removes rows from an index; must be called before they are deleted from their table. */
export async function removeRows({ db }: Transaction, part: FullTextIndex, rows: Rows): Promise<void> {
  await sql`delete from ${sql.table(fullTextTableOf(part.id))}
    where rowid in (select r.seq from ${sql.table(tableOf(part.collection))} as r where ${rows})`.execute(db)
}

export type Merging = {
  readonly pages: number
  /** Whether few segments are left, and segments with many deleted rows are rewritten as well. */
  readonly isThorough: boolean
}

/** Merges segments of an index, up to about this many pages; returns whether anything was merged. */
export async function mergeIndexPages(
  { db }: Transaction,
  { id }: FullTextIndex,
  { pages, isThorough }: Merging,
): Promise<boolean> {
  const table = sql.id(fullTextTableOf(id))
  const command = (name: string, value: number) =>
    sql`insert into ${table} (${table}, rank) values (${sql.lit(name)}, ${sql.lit(value)})`.execute(db)
  const configure = async (options: object): Promise<void> => {
    for (const [name, value] of Object.entries(options)) await command(name, value)
  }
  const countChanges = async (): Promise<number> => {
    const { rows } = await sql<{ count: number }>`select total_changes() as count`.execute(db)
    return rows[0]?.count ?? 0
  }
  if (isThorough) await configure(THOROUGH)
  const before = await countChanges()
  await command('merge', pages)
  // The merge statement itself counts as one change.
  const isMerged = (await countChanges()) - before > 1
  // Indexes of earlier versions have other settings.
  if (isThorough) await configure(MERGING)
  return isMerged
}

/** Row number of the list of segments in the data table of an index. */
const SEGMENT_LIST = 10
/** Where the list begins, after a cookie and the mark of indexes that count deleted rows. */
const LIST_START = 8
const NUMBERS_PER_SEGMENT = 8

/** The number of rows in the segments of an index, and how many of them were deleted since (format: SQLite's fts5_index.c). */
export async function countEntries(
  reader: Reader,
  { id }: FullTextIndex,
): Promise<{ readonly entries: number; readonly deleted: number }> {
  const found = await sql<{ block: Uint8Array }>`
    select block from ${sql.table(`${fullTextTableOf(id)}_data`)} where id = ${sql.lit(SEGMENT_LIST)}`.execute(reader)
  const next = numberReader(found.rows[0]?.block ?? new Uint8Array(), LIST_START)
  const levels = next()
  const counts = { entries: 0, deleted: 0 }
  next() // number of segments
  next() // number of written pages
  for (let level = 0; level < levels; level += 1) {
    next() // number of segments that are being merged
    for (let left = next(); left > 0; left -= 1) {
      const numbers = Array.from({ length: NUMBERS_PER_SEGMENT }, next)
      counts.deleted += numbers.at(-2) ?? 0
      counts.entries += numbers.at(-1) ?? 0
    }
  }
  return counts
}

/** Reads SQLite's variable-length integers: seven bits per byte, the highest bit marks that another byte follows. */
function numberReader(bytes: Uint8Array, start: number): () => number {
  let at = start
  return () => {
    let number = 0
    for (let byte = 0x80; byte >= 0x80; ) {
      byte = bytes[at++] ?? 0
      number = number * 0x80 + (byte % 0x80)
    }
    return number
  }
}

export async function rowRange({ db }: Transaction, collection: CollectionId, rows: Rows): Promise<IndexGap | null> {
  const table = sql.table(tableOf(collection))
  const found = await sql<{ from: string | null; to: string | null }>`
    select cast((select r.seq from ${table} as r where ${rows} order by r.seq limit 1) as text) as "from",
      cast((select r.seq from ${table} as r where ${rows} order by r.seq desc limit 1) as text) as "to"`.execute(db)
  const [stretch] = found.rows
  return stretch?.from && stretch.to ? { from: stretch.from, to: stretch.to } : null
}

export const rowsOfImport = ({ importId, firstId }: ImportRows): Rows =>
  sql`r.seq >= cast(${seqOf(firstId)} as integer) and r.import_id = ${importId}`

export function joinedGap(one: IndexGap | null, other: IndexGap | null): IndexGap | null {
  if (!one || !other) return one ?? other
  const isFirst = BigInt(one.from) <= BigInt(other.from)
  const isLast = BigInt(one.to) >= BigInt(other.to)
  return { from: isFirst ? one.from : other.from, to: isLast ? one.to : other.to }
}

export async function splitGap(
  { db }: Transaction,
  collection: CollectionId,
  gap: IndexGap,
  count: number,
): Promise<{ readonly first: IndexGap; readonly rest: IndexGap | null }> {
  const { rows } = await sql<{ at: string }>`
    select cast(r.seq as text) as at from ${sql.table(tableOf(collection))} as r
    where ${rowsBetween(gap)} order by r.seq limit 1 offset ${count}`.execute(db)
  const [next] = rows
  if (!next) return { first: gap, rest: null }
  return { first: { from: gap.from, to: String(BigInt(next.at) - 1n) }, rest: { from: next.at, to: gap.to } }
}

export async function countRows(reader: Reader, collection: CollectionId, where: Rows, limit: number): Promise<number> {
  const table = sql.table(tableOf(collection))
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select 1 from ${table} as r where ${where} limit ${limit})`.execute(reader)
  return Number(rows[0]?.count ?? 0)
}

export async function loadFullTextIndexes(reader: Reader, dialect: Dialect): Promise<FullTextIndexes> {
  const parts = await (dialect === 'sqlite' ? loadIndexRows(reader) : loadTrigramIndexes(reader))
  return Map.groupBy(parts, ({ collection }) => collection)
}
