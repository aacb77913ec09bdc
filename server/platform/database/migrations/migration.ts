import { sql } from 'kysely'
import type { DialectTypes, Transaction } from '#server/platform/database/database.ts'

/** A schema change. Released migrations must never be edited. */
export type Migration = {
  /** Sequential number; also the prefix of the file name. */
  readonly number: number
  readonly name: string
  readonly apply: (transaction: Transaction, types: DialectTypes) => Promise<void>
}

/** Runs schema statements in order; they must not contain user input. */
export async function runStatements({ db }: Transaction, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
