import { sql } from 'kysely'
import type { DialectTypes, Transaction } from '#server/platform/database/database.ts'

/** One schema change. A released migration is never changed. */
export type Migration = {
  /** Consecutive number; also the first part of the file name. */
  readonly number: number
  readonly name: string
  readonly apply: (transaction: Transaction, types: DialectTypes) => Promise<void>
}

/** Runs schema statements in order; they never contain user input. */
export async function runStatements({ db }: Transaction, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
