import type { RuleBody } from '#api/rules.ts'
import type { Filter } from '#domain/query/filter.ts'
import { printFilter } from '#domain/query/print-filter.ts'
import { comparisonsOf, type PathWorld } from '#domain/query/saved-filter.ts'
import { negateFilter } from '#domain/query/negate-filter.ts'

/** A rule as its dialog asks for it. */
export type RuleDraft = {
  readonly when: Filter | null
  readonly then: Filter | null
  readonly message: string
  /** The name of the field beside which a form says it; `undefined` as long as nobody chose: the first that must hold. */
  readonly field: string | null | undefined
}

/** A rule nobody has said anything about yet. */
export const NEW_RULE: RuleDraft = { when: null, then: null, message: '', field: undefined }

/** The field a rule is shown beside: the chosen one, else the first its demand names. */
export function shownField({ field, then }: RuleDraft, names: readonly string[]): string | null {
  if (field !== undefined) return field
  const [first] = then === null ? [] : comparisonsOf(then)
  const own = first?.field.split('.')[0]
  return own !== undefined && names.includes(own) ? own : null
}

/** A rule in one line, in the language of filters. */
export const ruleText = ({ when, then }: Pick<RuleBody, 'when' | 'then'>): string =>
  when === null ? printFilter(then) : `when ${printFilter(when)} then ${printFilter(then)}`

/** The filter of the records that break a rule, as an address has it; undefined where only the server can tell them. */
export function brokenFilter({ when, then }: Pick<RuleBody, 'when' | 'then'>, world: PathWorld): string | undefined {
  const negated = negateFilter(then, world)
  if (negated === undefined) return undefined
  return printFilter(when === null ? negated : { all: [when, negated] })
}
