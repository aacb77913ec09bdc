import { dateFunctions } from './formula-functions/date-functions.ts'
import { numberFunctions } from './formula-functions/number-functions.ts'
import { textFunctions } from './formula-functions/text-functions.ts'
import { type Migration, runStatements } from './migration.ts'

/**
 * Functions to which formulas are compiled on PostgreSQL. Each has the same meaning as the operation in
 * `domain/formulas/operations` that it is named after, and never fails. On SQLite, each connection has the operations
 * themselves.
 */
export const formulaFunctions: Migration = {
  number: 35,
  name: 'formula functions',
  apply: async (transaction) => {
    if (transaction.dialect === 'sqlite') return
    await runStatements(transaction, [...numberFunctions(), ...textFunctions(), ...dateFunctions()])
  },
}
