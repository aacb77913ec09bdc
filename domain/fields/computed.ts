import type { RollupKind } from './field.ts'
import { type KindRules, fault } from './field-kind.ts'

/** Values of formulas are computed and never entered; they are printed as values of the result's kind. */
export const formulaRules: KindRules<'formula'> = {
  optionNames: ['formula'],
  checkOptions: ({ formula = '' }, { checkFormula }, field) => checkFormula(formula, field),
  check: () => FORMULA_ENTERED,
  parse: () => FORMULA_ENTERED,
  print: () => '',
  canBeUnique: false,
}

const FORMULA_ENTERED = fault('computed', 'Is calculated and can’t be entered.')

/** Values are calculated from linked records and never entered. */
const rulesOf = (kind: RollupKind, optionNames: KindRules<RollupKind>['optionNames']): KindRules<RollupKind> => ({
  optionNames,
  checkOptions: (draft, { checkRollup }, field) => checkRollup(kind, draft, field),
  check: () => ROLLUP_ENTERED,
  parse: () => ROLLUP_ENTERED,
  print: () => '',
  canBeUnique: false,
})

const ROLLUP_ENTERED = fault('computed', 'Is calculated from linked records and can’t be entered.')

/** The function of lookups and counts is inferred; it is accepted so that programs can send what they have read. */
export const lookupRules = rulesOf('lookup', ['path', 'field', 'function', 'filter'])
export const countRules = rulesOf('count', ['path', 'function', 'filter'])
export const rollupRules = rulesOf('rollup', ['path', 'field', 'function', 'filter'])
