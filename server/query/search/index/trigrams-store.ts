import { type RawBuilder, sql } from 'kysely'
import type { CollectionId, IdGenerator } from '#domain/shared/ids.ts'
import type { Reader, Transaction } from '#server/platform/database/database.ts'
import { chunkIds } from '#server/platform/database/rows/id-lists.ts'
import { foldIn } from '#server/query/compile/formula/leaf-value.ts'
import type { FullTextIndex, SearchedField } from '#server/query/search/full-text-index.ts'
import { idOfSearchedField, type SearchedText } from '#server/query/search/searched-texts.ts'
import { columnOf, tableOf } from '#server/query/sql/sql-context.ts'

export async function hasTrigrams(reader: Reader): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_opclass where opcname = 'gin_trgm_ops' and pg_opclass_is_visible(oid)`.execute(reader)
  return rows.length > 0
}

export async function createTrigrams({ db }: Transaction): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db)
}

/** Prefix of the names of trigram indexes. */
const PREFIX = 's_'

/** Indexes of stored texts contain their columns; one of a formula is named after it and contains its expression. */
export async function loadTrigramIndexes(reader: Reader, collection?: CollectionId): Promise<FullTextIndex[]> {
  const own = collection === undefined ? sql`` : sql` and owner.relname = ${tableOf(collection)}`
  const { rows } = await sql<{ owner: string; index: string; column: string | null }>`
    select owner.relname as owner, index.relname as index, a.attname as column
    from pg_index as i
    join pg_class as index on index.oid = i.indexrelid
    join pg_class as owner on owner.oid = i.indrelid
    left join pg_attribute as a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
    where owner.relnamespace = current_schema()::regnamespace and i.indisvalid
      and index.relname like 's\\_%'${own}`.execute(reader)
  return [...Map.groupBy(rows, ({ index }) => index)].map(([index, of]) => ({
    id: index,
    collection: of[0]?.owner.slice(tableOf('').length) ?? '',
    fields: of.map(({ column }) => (column === null ? index.slice(PREFIX.length) : idOfColumn(column))),
    gap: null,
    discardedAt: null,
  }))
}

const idOfColumn = (column: string): string => idOfSearchedField(column.slice(columnOf('').length))

export async function brokenTrigramIndexes(reader: Reader): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select index.relname as name from pg_index as i join pg_class as index on index.oid = i.indexrelid
    where index.relnamespace = current_schema()::regnamespace and not i.indisvalid and index.relname like 's\\_%'`.execute(
    reader,
  )
  return rows.map(({ name }) => name)
}

export const dropTrigramIndex = (name: string): string => `drop index concurrently if exists ${name}`

export async function dropTrigramIndexes({ db }: Transaction, indexes: readonly FullTextIndex[]): Promise<void> {
  for (const { id } of indexes) await sql.raw(`drop index if exists ${id}`).execute(db)
}

/** The maximum number of columns of an index on PostgreSQL. */
const MAX_COLUMNS = 32

export type TrigramPlan = {
  readonly create: readonly (readonly SearchedText[])[]
  /** Indexes that are no longer needed once the others exist. */
  readonly drop: readonly FullTextIndex[]
}

/**
 * The missing and superfluous indexes of a collection. Every index of a table adds work to each write, even of other
 * values, so stored texts share one; an index that can't be extended quickly gets up to `most - 1` beside it.
 */
export function planTrigramIndexes(
  indexes: readonly FullTextIndex[],
  texts: readonly SearchedText[],
  most: number,
): TrigramPlan {
  const names = new Set(texts.map(({ name }) => name))
  const current = indexes.filter(({ fields }) => fields.every((name) => names.has(name)))
  const former = indexes.filter((index) => !current.includes(index))
  const covered = new Set(current.flatMap(({ fields }) => fields))
  const missing = texts.filter(({ name }) => !covered.has(name))
  const shared = current.filter(({ fields }) => fields.some(isStoredText))
  const beside = chunkIds(
    missing.filter(({ name }) => isStoredText(name)),
    MAX_COLUMNS,
  )
  const formulas = missing.filter(({ name }) => !isStoredText(name)).map((text) => [text])
  const together = chunkIds(
    texts.filter(({ name }) => isStoredText(name)),
    MAX_COLUMNS,
  )
  const isScattered = shared.length + beside.length > together.length + most - 1
  return isScattered
    ? { create: [...together, ...formulas], drop: [...former, ...shared] }
    : { create: [...beside, ...formulas], drop: former }
}

const isStoredText = (name: SearchedField): boolean => idOfSearchedField(name) === name

type IndexToCreate = {
  readonly collection: CollectionId
  readonly texts: readonly SearchedText[]
  readonly newId: IdGenerator
  /** Created without blocking writes, outside a transaction. */
  readonly isConcurrent: boolean
}

export function createTrigramIndex({ collection, texts, newId, isConcurrent }: IndexToCreate): RawBuilder<unknown> {
  const formula = texts.find(({ name }) => !isStoredText(name))
  const name = `${PREFIX}${formula?.name ?? newId()}`
  const columns = texts.map(
    ({ leaf }) => sql`${foldIn(leaf, { dialect: 'postgres' }, (column) => sql.id(column))} gin_trgm_ops`,
  )
  const concurrently = isConcurrent ? sql` concurrently` : sql``
  return sql`create index${concurrently} if not exists ${sql.id(name)} on ${sql.table(tableOf(collection))}
    using gin (${sql.join(columns)})`
}
