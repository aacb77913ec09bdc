import type { Field } from '#domain/fields/field.ts'
import { checkFormula } from '#domain/formulas/check-formula.ts'
import type { Expression } from '#domain/formulas/expression.ts'
import { expressionOf, formulaScope, namesInFormula } from '#domain/formulas/formula-fields.ts'
import { type Result, fail, ok } from '#domain/shared/result.ts'
import type { FormulaCondition } from '../filter/filter.ts'
import { parseFilter } from '../filter/parse-filter.ts'
import {
  type CheckedComparison,
  type CheckedNode,
  type ComputedValue,
  CONDITION_ID,
  readableAt,
} from './checked-filter.ts'
import { calendarFor, findLeaf, type VisibleCollection } from './query-context.ts'
import { bothHold } from './resolve-path.ts'

type CheckedFormula = CheckedComparison & { readonly leaf: { readonly computed: ComputedValue } }

type FormulaConditionFault = { readonly message: string; readonly position: number }

/**
 * Checks a formula that is used as a condition. It is tested like a checkbox whose value is computed, but has no value
 * in records in which a field that it reads isn't readable.
 */
export function checkFormulaCondition(
  { formula }: FormulaCondition,
  home: VisibleCollection,
): Result<CheckedFormula, FormulaConditionFault> {
  const { collection, hiddenFields } = home
  const scope = formulaScope(
    collection,
    (field) => ok(expressionOf(collection, field)),
    (field) => !hiddenFields.has(field.id),
  )
  const checked = checkFormula(formula, scope)
  if (!checked.ok) return checked
  if (checked.value.type !== 'boolean')
    return fail({
      message: 'The result must be true or false. Compare it with a value, such as len(title) > 3.',
      position: 0,
    })
  // Otherwise, printing and parsing the condition would change its meaning.
  const parsed = parseFilter(formula)
  if (!parsed.ok || !('formula' in parsed.value.filter))
    return fail({ message: 'Only conditions with functions or arithmetic can be formulas.', position: 0 })
  return ok(formulaNode(checked.value, home, formula))
}

function formulaNode(expression: Expression, home: VisibleCollection, formula: string): CheckedFormula {
  const readable = namesInFormula(formula).reduce<CheckedNode | null>((all, name) => {
    const leaf = findLeaf(home, name)
    return leaf ? bothHold(all, readableAt(leaf)) : all
  }, null)
  const computed = { expression, calendar: calendarFor(expression, home) }
  const leaf = { type: 'field', field: RESULT, readable, computed } as const
  return { type: 'compare', steps: [], leaf, test: { is: 'oneOf', values: [true] }, isNegated: false }
}

const RESULT: Field<'checkbox'> = {
  id: CONDITION_ID,
  name: '',
  label: '',
  kind: 'checkbox',
  required: false,
  unique: false,
  default: null,
  options: {},
}
