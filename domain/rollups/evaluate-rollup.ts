import { evaluateExpression } from '#domain/formulas/evaluate-formula.ts'
import type { FormulaCalendar } from '#domain/formulas/expression.ts'
import type { FieldValue } from '#domain/fields/field.ts'
import { nodeMatches } from '#domain/query/run/matches.ts'
import { type Lookup, recordsAt } from '#domain/query/run/read-values.ts'
import type { CollectionRecord } from '#domain/records/record.ts'
import type { RollupPlan } from './rollup-plan.ts'
import { summarize } from './summarize.ts'

/** The value of a rollup in memory, with the same meaning as the SQL that the server generates. */
export function evaluateRollup(
  { field, steps, source, where }: RollupPlan,
  record: CollectionRecord,
  lookup: Lookup,
  timeZone: string,
): FieldValue {
  const calendar: FormulaCalendar = { now: new Date(0), timeZone }
  const linked = recordsAt(steps, record, lookup, nodeMatches).filter((one) => nodeMatches(where, one, lookup))
  const values = linked.map((one) => (source === null ? true : evaluateExpression(source, one, calendar)))
  const value = summarize(
    field.options.function,
    values.filter((each) => each !== null).filter((each) => each !== ''),
  )
  // Conditions are never empty.
  return field.options.result === 'checkbox' ? value === true : value
}
