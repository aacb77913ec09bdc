import { sql } from 'kysely'
import type { Transaction } from '#server/platform/database/database.ts'
import { dateFunctions } from './formula-functions/date-functions.ts'
import { withSchema } from './formula-functions/define-function.ts'
import { numberFunctions } from './formula-functions/number-functions.ts'
import { textFunctions } from './formula-functions/text-functions.ts'
import { type Migration, runStatements } from './migration.ts'

/**
 * Indexes can contain functions of formulas that call others. Only the results of `dossier_encode_url` have changed, so
 * indexes with them are rebuilt.
 */
export const functionsInIndexes: Migration = {
  number: 40,
  name: 'functions in indexes',
  apply: async (transaction) => {
    if (transaction.dialect === 'sqlite') return
    await defineFunctions(transaction, [...numberFunctions(), ...textFunctions(), ...dateFunctions()])
    const outdated = await sql<{ name: string }>`
      select quote_ident(indexname) as name from pg_indexes
      where schemaname = current_schema() and indexdef like '%dossier_encode_url%'`.execute(transaction.db)
    for (const { name } of outdated.rows) await sql`reindex index ${sql.raw(name)}`.execute(transaction.db)
  },
}

/** Defines functions that can call one another while PostgreSQL builds an index. */
export async function defineFunctions(transaction: Transaction, functions: readonly string[]): Promise<void> {
  const { rows } = await sql<{ schema: string }>`select quote_ident(current_schema()) as schema`.execute(transaction.db)
  const schema = rows[0]?.schema ?? 'public'
  await runStatements(
    transaction,
    functions.map((statement) => withSchema(statement, schema)),
  )
}
