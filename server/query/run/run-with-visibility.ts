import { type RawBuilder, sql } from 'kysely'

import {
  type CollectionRow,
  type CommitSnapshot,
  commitSnapshotColumn,
  parseCommitSnapshot,
} from '#server/platform/database/database.ts'
import type { QueryScope } from './query-scope.ts'

/** Runs a statement together with its visibility, also when it finds nothing. */
export async function runWithSnapshot(
  { reader, dialect }: QueryScope,
  statement: RawBuilder<unknown>,
): Promise<{ readonly rows: readonly CollectionRow[]; readonly view: CommitSnapshot }> {
  const { rows } = await sql<CollectionRow>`select moment.seen, found.*
from (select ${commitSnapshotColumn(dialect)} as seen) as moment
left join (select 1 as is_row, read.* from (${statement}) as read) as found on 1 = 1`.execute(reader)
  return { rows: rows.filter((row) => row['is_row'] !== null), view: parseCommitSnapshot(String(rows[0]?.['seen'])) }
}
