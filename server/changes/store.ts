import { type CommitMark, markColumn } from '#server/database/commit-mark.ts'
import type { Transaction } from '#server/database/database.ts'
import type { LoggedChange } from './change-log.ts'

/** Rows a single insert takes at most: both databases bound the parameters of a statement. */
const ROWS_A_STATEMENT = 500

/** Appends entries to the change log and answers the mark of the write; null when there is none. Nothing ever changes or removes one. */
export async function appendChanges(
  { db, dialect }: Transaction,
  changes: readonly LoggedChange[],
): Promise<CommitMark | null> {
  let mark: CommitMark | null = null
  for (let at = 0; at < changes.length; at += ROWS_A_STATEMENT) {
    const rows = await db
      .insertInto('changes')
      .values(changes.slice(at, at + ROWS_A_STATEMENT).map(rowOf))
      .returning(markColumn(dialect).as('mark'))
      .execute()
    // On SQLite the entries of one write have several numbers; it is seen whole or not at all, so any would do.
    mark = BigInt(rows.at(-1)?.mark ?? 0)
  }
  return mark
}

const rowOf = (change: LoggedChange) => ({
  id: change.id,
  at: change.at,
  user_id: change.userId,
  kind: change.kind,
  collection_id: change.collection,
  record_id: change.record,
  before: change.before === null ? null : JSON.stringify(change.before),
  after: change.after === null ? null : JSON.stringify(change.after),
  note: change.note ?? null,
})
