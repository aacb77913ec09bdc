import { foldText } from '#domain/shared/text.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import type { Migration } from './migration.ts'
import { runStatements } from './run-statements.ts'

/** People are found and sorted by their folded names, as records are; and some fields count up. */
export const namesAndNumbers: Migration = {
  number: 10,
  name: 'names-and-numbers',
  apply: async (transaction, { text, integer }) => {
    await runStatements(transaction, [
      `alter table users add column name_fold ${text} not null default ''`,
      `create table auto_numbers (field_id ${text} primary key not null, last ${integer} not null)`,
    ])
    await foldNames(transaction)
  },
}

async function foldNames({ db }: Transaction): Promise<void> {
  for (const { id, name } of await db.selectFrom('users').select(['id', 'name']).execute()) {
    await db
      .updateTable('users')
      .set({ name_fold: foldText(name) })
      .where('id', '=', id)
      .execute()
  }
}
