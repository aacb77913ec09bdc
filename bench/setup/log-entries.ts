import { sql } from 'kysely'
import { idLowerBound } from '#domain/shared/ids.ts'
import { openDatabase } from '#server/platform/database/open-database.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { secret } from '#server/platform/config/setting-readers.ts'
import type { EnvironmentPaths } from './environment-paths.ts'

const RECORDS_PER_CHANGE_SET = 500

const LIMIT_MS = 10 * 60 * 1000

/** Adds edits of every measured record to the change log. The server must be stopped. */
export async function addEdits({ dataFolder, databaseUrl }: EnvironmentPaths, edits: number): Promise<void> {
  const address = databaseUrl === undefined ? undefined : secret(databaseUrl)
  const database = await openDatabase({ dataFolder, databaseUrl: address }, { openedBy: 'command-line' })
  try {
    const field = await database.read
      .selectFrom('fields as field')
      .innerJoin('collections as collection', 'collection.id', 'field.collection_id')
      .select(['field.id', 'collection.id as collection'])
      .where('collection.name', '=', 'items')
      .where('field.name', '=', 'amount')
      .executeTakeFirstOrThrow()
    for (let left = edits - 1; left >= 0; left -= 1)
      await database.write((transaction) => addEdit(transaction, field, left), { isLong: true, limitMs: LIMIT_MS })
  } finally {
    await database.close()
  }
}

/** One edit of every record; `left` follow later. An entry has the random part of its record's ID. */
async function addEdit(
  { db, dialect }: Transaction,
  { id, collection }: { readonly id: string; readonly collection: string },
  left: number,
): Promise<void> {
  if (dialect === 'postgres') await sql`set local statement_timeout = 0`.execute(db)
  const now = Date.now()
  const [prefix, at] = [sql.lit(idLowerBound(now)), sql.lit(new Date(now).toISOString())]
  const amount = (less: number) =>
    dialect === 'sqlite'
      ? sql`json_object(${sql.lit(id)}, ${sql.ref(`f_${id}`)} - ${sql.lit(less)})`
      : sql`cast(json_build_object(${sql.lit(id)}, ${sql.ref(`f_${id}`)} - ${sql.lit(less)}) as text)`
  await sql`
    insert into changes (id, at, user_id, kind, collection_id, record_id, before, after, change_set_id)
    select ${prefix} || substr(id, 11), ${at}, created_by, 'record-changed', ${sql.lit(collection)}, id,
      ${amount(left + 1)}, ${amount(left)},
      ${prefix} || cast(1000000000000000 + row_number() over (order by id) / ${sql.lit(RECORDS_PER_CHANGE_SET)} as text)
    from ${sql.table(`c_${collection}`)}`.execute(db)
  await sql`
    insert into change_sets (id, at, user_id, via, is_deletion, entry_count)
    select change_set_id, min(at), min(user_id), 'web', 0, count(*) from changes where id >= ${prefix}
    group by change_set_id
  `.execute(db)
}
