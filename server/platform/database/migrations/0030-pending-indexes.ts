import { sql } from 'kysely'
import type { Transaction } from '#server/platform/database/database.ts'
import { type Migration, runStatements } from './migration.ts'

/**
 * Adds the row numbers of records whose texts changed after they were indexed. Drops the index on `import_id`, which had
 * an entry for every imported record: rows are now found by their IDs.
 */
export const pendingIndexes: Migration = {
  number: 30,
  name: 'pending indexes',
  apply: async (transaction, { text, integer }) => {
    // Only SQLite has full-text indexes of its own.
    if (transaction.dialect === 'sqlite') {
      await runStatements(transaction, [
        `create table search_pending (
          collection_id ${text} not null references collections (id) on delete cascade,
          seq ${integer} not null,
          primary key (collection_id, seq)
        ) without rowid`,
      ])
    }
    await storeFirstIds(transaction)
    const names = (await indexNames(transaction)).filter((name) => /^c_[0-9a-z]{26}_import$/.test(name))
    await runStatements(
      transaction,
      names.map((name) => `drop index ${name}`),
    )
  },
}

/** Imports that were interrupted can still be undone. */
async function storeFirstIds({ db }: Transaction): Promise<void> {
  const { rows } = await sql<{ id: string; collection: string; progress: string }>`
    select i.id, i.collection_id as collection, i.progress from imports as i
    join collections as c on c.id = i.collection_id where i.state in ('running', 'undoing')`.execute(db)
  for (const { id, collection, progress } of rows) {
    const found = await sql<{ first: string | null }>`
      select min(id) as first from ${sql.table(`c_${collection}`)} where import_id = ${id}`.execute(db)
    const after = JSON.stringify({ ...JSON.parse(progress), firstId: found.rows[0]?.first ?? id })
    await sql`update imports set progress = ${after} where id = ${id}`.execute(db)
  }
}

async function indexNames({ db, dialect }: Transaction): Promise<string[]> {
  const { rows } =
    dialect === 'sqlite'
      ? await sql<{ name: string }>`select name from sqlite_schema where type = 'index'`.execute(db)
      : await sql<{ name: string }>`
          select indexname as name from pg_indexes where schemaname = current_schema()`.execute(db)
  return rows.map(({ name }) => name)
}
