import { type RawBuilder, sql } from 'kysely'
import { type CommitView, readView, viewColumn } from '#server/database/commit-mark.ts'
import type { CollectionRow } from '#server/database/database.ts'
import type { QueryScope } from './query-scope.ts'

/** Runs a statement and tells what it saw, in the same moment: also where it finds nothing. */
export async function runSeeing(
  { reader, dialect }: QueryScope,
  statement: RawBuilder<unknown>,
): Promise<{ readonly rows: readonly CollectionRow[]; readonly view: CommitView }> {
  const { rows } = await sql<CollectionRow>`select moment.seen, found.*
from (select ${viewColumn(dialect)} as seen) as moment
left join (select 1 as is_row, read.* from (${statement}) as read) as found on 1 = 1`.execute(reader)
  return { rows: rows.filter((row) => row['is_row'] !== null), view: readView(String(rows[0]?.['seen'])) }
}
