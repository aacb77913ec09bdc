import { type RawBuilder, sql } from 'kysely'
import type { CollectionId } from '#domain/shared/ids.ts'
import type { Reader, Transaction } from '#server/platform/database/database.ts'
import { foldIn } from '#server/query/compile/formula/leaf-value.ts'
import type { FullTextIndex, SearchedField } from '#server/query/search/full-text-index.ts'
import type { SearchedText } from '#server/query/search/searched-texts.ts'
import { tableOf } from '#server/query/sql/sql-context.ts'

export async function hasTrigrams(reader: Reader): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_opclass where opcname = 'gin_trgm_ops' and pg_opclass_is_visible(oid)`.execute(reader)
  return rows.length > 0
}

export async function createTrigrams({ db }: Transaction): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db)
}

export const trigramIndexOf = (name: SearchedField): string => `s_${name}`

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
    discardedAt: null,
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

export async function dropTrigramIndexOf({ db }: Transaction, name: SearchedField): Promise<void> {
  await sql.raw(`drop index if exists ${trigramIndexOf(name)}`).execute(db)
}

export const trigramIndexBeside = ({ collection, text }: MissingIndex): RawBuilder<unknown> =>
  sql`create index concurrently if not exists ${trigramIndex(collection, text)}`

type MissingIndex = { readonly collection: CollectionId; readonly text: SearchedText }

export async function createTrigramIndex(
  { db }: Transaction,
  collection: CollectionId,
  text: SearchedText,
): Promise<void> {
  await sql`create index if not exists ${trigramIndex(collection, text)}`.execute(db)
}

const trigramIndex = (collection: CollectionId, { name, leaf }: SearchedText): RawBuilder<unknown> =>
  sql`${sql.id(trigramIndexOf(name))} on ${sql.table(tableOf(collection))}
    using gin (${foldIn(leaf, { dialect: 'postgres' }, (column) => sql.id(column))} gin_trgm_ops)`
