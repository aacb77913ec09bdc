import { sql } from 'kysely'
import type { CollectionId, FieldId } from '#domain/shared/ids.ts'
import type { Reader, Transaction } from '#server/platform/database/database.ts'
import { foldColumnOf, tableOf } from '#server/query/sql/sql-context.ts'
import type { FullTextIndex } from '#server/query/search/full-text-index.ts'

export async function hasTrigrams(reader: Reader): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_opclass where opcname = 'gin_trgm_ops' and pg_opclass_is_visible(oid)`.execute(reader)
  return rows.length > 0
}

export async function createTrigrams({ db }: Transaction): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db)
}

const trigramIndexOf = (field: FieldId): string => `s_${field}`

export async function loadTrigramIndexes(reader: Reader): Promise<FullTextIndex[]> {
  const { rows } = await sql<{ owner: string; index: string }>`
    select owner.relname as owner, index.relname as index
    from pg_index as i
    join pg_class as index on index.oid = i.indexrelid
    join pg_class as owner on owner.oid = i.indrelid
    where owner.relnamespace = current_schema()::regnamespace and i.indisvalid and index.relname like 's\\_%'`.execute(
    reader,
  )
  const byOwner = Map.groupBy(rows, ({ owner }) => owner)
  return [...byOwner].map(([owner, indexes]) => ({
    id: owner,
    collection: owner.slice(tableOf('').length),
    fields: indexes.map(({ index }) => index.slice(trigramIndexOf('').length)),
    gap: null,
  }))
}

export async function brokenTrigramIndexes(reader: Reader): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select index.relname as name from pg_index as i join pg_class as index on index.oid = i.indexrelid
    where index.relnamespace = current_schema()::regnamespace and not i.indisvalid and index.relname like 's\\_%'`.execute(
    reader,
  )
  return rows.map(({ name }) => name)
}

export const dropTrigramIndex = (name: string): string => `drop index concurrently if exists ${name}`

export async function dropTrigramIndexOf({ db }: Transaction, field: FieldId): Promise<void> {
  await sql.raw(`drop index if exists ${trigramIndexOf(field)}`).execute(db)
}

export const trigramIndexBeside = (collection: CollectionId, field: FieldId): string =>
  `create index concurrently if not exists ${trigramIndex(collection, field)}`

export async function createTrigramIndex({ db }: Transaction, collection: CollectionId, field: FieldId): Promise<void> {
  await sql.raw(`create index if not exists ${trigramIndex(collection, field)}`).execute(db)
}

/** The index's pending list is kept small, because searches scan it. */
const trigramIndex = (collection: CollectionId, field: FieldId): string =>
  `${trigramIndexOf(field)} on ${tableOf(collection)} using gin (${foldColumnOf(field)} gin_trgm_ops)
   with (gin_pending_list_limit = 1024)`
