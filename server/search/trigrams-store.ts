import { sql } from 'kysely'
import type { CollectionId, FieldId } from '#domain/shared/ids.ts'
import type { Reader, Transaction } from '#server/database/database.ts'
import { foldColumnOf, tableOf } from '#server/query/column-of.ts'

/** Whether PostgreSQL has the extension that indexes trigrams. */
export async function hasTrigrams(reader: Reader): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_extension where extname = 'pg_trgm'`.execute(reader)
  return rows.length > 0
}

/** Asks PostgreSQL for the extension; throws where this user may not make it, or where it is not installed. */
export async function createTrigrams({ db }: Transaction): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db)
}

/** The name of the index of trigrams of a field. */
export const trigramIndexOf = (field: FieldId): string => `s_${field}`

/** Fields that have such an index, ready to be asked. */
export async function trigramIndexes(reader: Reader): Promise<Set<FieldId>> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_index as i
    join pg_class as c on c.oid = i.indexrelid join pg_namespace as n on n.oid = c.relnamespace
    where n.nspname = current_schema() and i.indisvalid and c.relname like 's\\_%'`.execute(reader)
  return new Set(rows.map(({ name }) => name.slice(2)))
}

/** Makes the index of trigrams of a field, unless it is there. What waits to be taken in is kept small: searches read it. */
export async function createTrigramIndex({ db }: Transaction, collection: CollectionId, field: FieldId): Promise<void> {
  const options = `using gin (${foldColumnOf(field)} gin_trgm_ops) with (gin_pending_list_limit = 1024)`
  await sql.raw(`create index if not exists ${trigramIndexOf(field)} on ${tableOf(collection)} ${options}`).execute(db)
}
