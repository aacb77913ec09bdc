import { sql } from 'kysely'
import { dateFunctions } from './formula-functions/date-functions.ts'
import { numberFunctions } from './formula-functions/number-functions.ts'
import { textFunctions } from './formula-functions/text-functions.ts'
import { type Migration, runStatements } from './migration.ts'

/** Replaces the functions of formulas with ones that indexes can contain. */
export const formulaIndexes: Migration = {
  number: 37,
  name: 'formula indexes',
  apply: async (transaction) => {
    if (transaction.dialect === 'sqlite') return
    await runStatements(transaction, [...numberFunctions(), ...textFunctions(), ...dateFunctions()])
    await sql`drop function if exists dossier_to_places(double precision, double precision, text)`.execute(
      transaction.db,
    )
  },
}
