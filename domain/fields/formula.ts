import { type KindRules, fault } from './field-kind.ts'

/** Values of formulas are computed and never entered; they are printed as values of the result's kind. */
export const formulaRules: KindRules<'formula'> = {
  optionNames: ['formula'],
  checkOptions: ({ formula = '' }, { checkFormula }, field) => checkFormula(formula, field),
  check: () => COMPUTED,
  parse: () => COMPUTED,
  print: () => '',
  canBeUnique: false,
}

const COMPUTED = fault('computed', 'Is calculated and can’t be entered.')
