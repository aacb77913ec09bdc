import { sql } from 'kysely'
import type { CollectionId, FieldId } from '#domain/shared/ids.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { listTableOf, tableOf } from '#server/query/sql/sql-context.ts'
import { type FullTextIndex, fullTextTableOf, pendingRows } from '#server/query/search/full-text-index.ts'
import { foldedTextIn, type SearchedText } from '#server/query/search/searched-texts.ts'

export async function brokenReferences(read: Reader): Promise<{ table: string; parent: string; count: number }[]> {
  const { rows } = await sql<{ table: string; parent: string; count: number }>`
    select "table", "parent", count(*) as count from pragma_foreign_key_check group by 1, 2 order by 1, 2`.execute(read)
  return rows
}

export async function recordTables({ read, dialect }: { read: Reader; dialect: string }): Promise<Set<string>> {
  const { rows } =
    dialect === 'sqlite'
      ? await sql<{ name: string }>`select name from sqlite_schema where type = 'table'`.execute(read)
      : await sql<{
          name: string
        }>`select tablename as name from pg_tables where schemaname = current_schema()`.execute(read)
  return new Set(rows.map(({ name }) => name).filter((name) => /^[cl]_[0-9a-z]{26}$/.test(name)))
}

export async function columnsIn(
  { read, dialect }: { read: Reader; dialect: string },
  table: string,
): Promise<Map<string, string>> {
  const { rows } =
    dialect === 'sqlite'
      ? await sql<{
          name: string
          type: string
        }>`select name, lower(type) as type from pragma_table_info(${table})`.execute(read)
      : await sql<{ name: string; type: string }>`
          select attname as name, format_type(atttypid, atttypmod) as type
          from pg_attribute where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped`.execute(read)
  return new Map(rows.map(({ name, type }) => [name, type]))
}

export async function listOrphans(read: Reader, collection: CollectionId, field: FieldId): Promise<number> {
  const [list, owner] = [sql.table(listTableOf(field)), sql.table(tableOf(collection))]
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${list} as l where not exists (select 1 from ${owner} as c where c.id = l.record_id)`.execute(
    read,
  )
  return rows[0]?.count ?? 0
}

export async function wrongVersions(read: Reader, collection: CollectionId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(tableOf(collection))} where version < 1 or version <> round(version)`.execute(
    read,
  )
  return rows[0]?.count ?? 0
}

/** SQLite only: records whose row numbers are out of ID order. */
export async function misnumbered(read: Reader, collection: CollectionId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select id, lag(id) over (order by seq) as before from ${sql.table(tableOf(collection))}
    ) as numbered where before >= id`.execute(read)
  return rows[0]?.count ?? 0
}

export async function changesAfter(read: Reader, instant: string): Promise<number> {
  const row = await read
    .selectFrom('changes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('at', '>', instant)
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

export const latestChanges = (read: Reader, collection: CollectionId, count: number) =>
  read
    .selectFrom('changes')
    .select(['record_id', 'kind'])
    .where('collection_id', '=', collection)
    .where('record_id', 'is not', null)
    .orderBy('id', 'desc')
    .limit(count)
    .execute()

export async function existing(read: Reader, collection: CollectionId, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(tableOf(collection))} where id in (${sql.join([...ids])})`.execute(read)
  return new Set(rows.map(({ id }) => id))
}

export const unfinishedImports = (read: Reader) =>
  read.selectFrom('imports').select(['id', 'file_name', 'state']).where('state', 'in', ['running', 'undoing']).execute()

export const assetsAfter = (read: Reader, id: string, count: number) =>
  read
    .selectFrom('assets')
    .select(['id', 'name', 'hash', 'bytes'])
    .where('id', '>', id)
    .orderBy('id')
    .limit(count)
    .execute()

/**
 * Counts records missing from a full-text index, and deleted records still in it; ignores records that are still to be
 * indexed.
 */
export async function indexFaults(
  read: Reader,
  { id, collection }: FullTextIndex,
  texts: readonly SearchedText[],
): Promise<{ lacking: number; gone: number }> {
  const [records, sizes] = [sql.table(tableOf(collection)), sql.table(`${fullTextTableOf(id)}_docsize`)]
  const isFilled = texts.map(({ leaf }) => sql`${foldedTextIn('c', leaf, 'sqlite')} is not null`)
  const hasText = isFilled.length === 0 ? sql`1 = 0` : sql.join(isFilled, sql` or `)
  const { rows } = await sql<{ lacking: number; gone: number }>`
    select
      (select count(*) from search_parts as p join ${records} as c on (${hasText})
        and coalesce(c.seq not between cast(p.gap_from as integer) and cast(p.gap_to as integer), 1)
        where p.id = ${id} and p.retired_at is null
        and (c.import_id is null or c.import_id not in (select i.id from imports as i where i.state in ('running', 'undoing')))
        and c.seq not in (${pendingRows(collection)})
        and not exists (select 1 from ${sizes} as s where s.id = c.seq)) as lacking,
      (select count(*) from search_parts as p join ${sizes} as s
        on not exists (select 1 from ${records} as c where c.seq = s.id)
        where p.id = ${id} and p.discarded_at is null) as gone`.execute(read)
  return rows[0] ?? { lacking: 0, gone: 0 }
}
