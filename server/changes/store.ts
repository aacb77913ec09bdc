import type { Transaction } from '#server/database/database.ts'
import type { LoggedChange } from './change-log.ts'

/** Rows a single insert takes at most: both databases bound the parameters of a statement. */
const ROWS_A_STATEMENT = 500

/** Appends entries to the change log. Nothing ever changes or removes one. */
export async function appendChanges(transaction: Transaction, changes: readonly LoggedChange[]): Promise<void> {
  for (let at = 0; at < changes.length; at += ROWS_A_STATEMENT) {
    await transaction.db
      .insertInto('changes')
      .values(changes.slice(at, at + ROWS_A_STATEMENT).map(rowOf))
      .execute()
  }
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
})
