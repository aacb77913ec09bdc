import { COMMIT_ID, type CommitId, type Transaction } from '#server/platform/database/database.ts'
import { insertStatement } from '#server/platform/database/rows/row-statements.ts'
import type { LoggedChange } from './change-log.ts'

/** Maximum number of rows per insert; both databases limit the parameters of a statement. */
const ROWS_PER_STATEMENT = 500

/** Appends entries to the change log, and returns the commit marker. Entries are never changed or removed. */
export function appendChanges({ dialect, send }: Transaction, changes: readonly LoggedChange[]): () => CommitId | null {
  let mark: CommitId | null = null
  for (let at = 0; at < changes.length; at += ROWS_PER_STATEMENT) {
    const rows = changes.slice(at, at + ROWS_PER_STATEMENT).map(rowOf)
    const insertion = insertStatement<{ mark: string }>(
      dialect,
      'changes',
      rows,
      `returning ${COMMIT_ID[dialect]} as mark`,
    )
    send(insertion, (marks) => {
      // On SQLite, the entries of one write have different numbers; any of them can be used, because a write becomes
      // visible as a whole.
      mark = BigInt(marks.at(-1)?.mark ?? 0)
    })
  }
  return () => mark
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
  change_set_id: change.changeSet,
  record_meta: change.recordMeta === undefined ? null : JSON.stringify(change.recordMeta),
})
