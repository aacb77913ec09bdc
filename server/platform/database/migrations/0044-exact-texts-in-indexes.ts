import { sql } from 'kysely'
import type { Migration } from './migration.ts'

/** On PostgreSQL, indexes of texts now also contain the beginnings of the exact texts; they are created again on demand. */
export const exactTextsInIndexes: Migration = {
  number: 44,
  name: 'exact texts in indexes',
  apply: async ({ db, dialect }) => {
    if (dialect !== 'postgres') return
    const { rows } = await sql<{ id: string }>`select id from indexes where spec like '%"fold"%'`.execute(db)
    for (const { id } of rows) {
      await sql.raw(`drop index if exists "x_${id}"`).execute(db)
      await sql`delete from indexes where id = ${id}`.execute(db)
    }
  },
}
