import { sql } from 'kysely'
import type { Transaction } from '#server/platform/database/database.ts'

/** Runs statements of the data definition language one after another; they are our own words, never a person's. */
export async function runStatements({ db }: Transaction, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
