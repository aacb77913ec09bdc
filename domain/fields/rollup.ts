import type { RollupKind } from './field.ts'
import { type KindRules, fault } from './field-kind.ts'

/** Values are calculated from linked records and never entered. */
const rulesOf = (kind: RollupKind, optionNames: KindRules<RollupKind>['optionNames']): KindRules<RollupKind> => ({
  optionNames,
  checkOptions: (draft, { checkRollup }, field) => checkRollup(kind, draft, field),
  check: () => COMPUTED,
  parse: () => COMPUTED,
  print: () => '',
  canBeUnique: false,
})

const COMPUTED = fault('computed', 'Is calculated from linked records and can’t be entered.')

/** The function of lookups and counts is inferred; it is accepted so that programs can send what they have read. */
export const lookupRules = rulesOf('lookup', ['path', 'field', 'function', 'filter'])
export const countRules = rulesOf('count', ['path', 'function', 'filter'])
export const rollupRules = rulesOf('rollup', ['path', 'field', 'function', 'filter'])
