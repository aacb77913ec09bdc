import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Filter } from '../query/filter/filter.ts'
import {
  type AllowedDecision,
  type Decision,
  forUnfilteredRecords,
  intersectDecisions,
  whereFieldsReadable,
} from './decide.ts'

const FIELDS = ['salary', 'note', 'title'] as const
const STATES = ['open', 'closed', 'spam'] as const

const isIn = (state: string): Filter => ({ field: 'status', op: '=', value: state })
const condition = fc.oneof(
  fc.constantFrom(...STATES).map(isIn),
  fc.subarray([...STATES], { minLength: 1 }).map((states): Filter => ({ any: states.map(isIn) })),
)
const decision: fc.Arbitrary<AllowedDecision> = fc
  .record({
    where: fc.option(condition, { nil: undefined }),
    hidden: fc.subarray([...FIELDS]),
    partly: fc.dictionary(fc.constantFrom(...FIELDS), condition),
  })
  .map(({ where, hidden, partly }) => {
    const partlyHidden = new Map(Object.entries(partly).filter(([field]) => !hidden.some((one) => one === field)))
    return {
      allowed: true,
      hiddenFields: new Set(hidden),
      ...(where && { where }),
      ...(partlyHidden.size > 0 && { partlyHidden }),
    }
  })

/** Whether one of the conditions above matches a record with this status. */
function describes(where: Filter | undefined, state: string): boolean {
  if (where === undefined) return true
  if ('all' in where) return where.all.every((part) => describes(part, state))
  if ('any' in where) return where.any.some((part) => describes(part, state))
  if ('formula' in where) throw new Error('The test has no formulas.')
  return where.value === state
}

const covers = (one: Decision | undefined, state: string): boolean =>
  one?.allowed === true && describes(one.where, state)
const opens = (one: Decision, state: string, field: string): boolean =>
  one.allowed && !one.hiddenFields.has(field) && describes(one.partlyHidden?.get(field), state)

describe('a decision', () => {
  it('limited to certain fields covers only records where all of them are readable', () => {
    fc.assert(
      fc.property(decision, fc.subarray([...FIELDS]), fc.constantFrom(...STATES), (one, fields, state) => {
        const expected = covers(one, state) && fields.every((field) => opens(one, state, field))
        expect(covers(whereFieldsReadable(one, fields), state)).toBe(expected)
      }),
    )
  })

  it('intersected with another decision allows only what both allow', () => {
    fc.assert(
      fc.property(decision, decision, fc.constantFrom(...STATES), (one, other, state) => {
        const both = intersectDecisions(one, other)
        expect(covers(both, state)).toBe(covers(one, state) && covers(other, state))
        for (const field of FIELDS)
          expect(opens(both, state, field)).toBe(opens(one, state, field) && opens(other, state, field))
      }),
    )
  })

  it('applied to unfiltered records hides every field of records that don’t match its condition', () => {
    fc.assert(
      fc.property(decision, fc.constantFrom(...STATES), (one, state) => {
        const any = forUnfilteredRecords(one, { fields: FIELDS.map((id) => ({ id })) })
        for (const field of FIELDS)
          expect(opens(any, state, field)).toBe(covers(one, state) && opens(one, state, field))
      }),
    )
  })

  it('without hidden fields or a condition is returned unchanged', () => {
    const open: AllowedDecision = { allowed: true, hiddenFields: new Set() }
    expect(whereFieldsReadable(open, ['title'])).toBe(open)
    expect(forUnfilteredRecords(open, { fields: [{ id: 'title' }] })).toBe(open)
    expect(intersectDecisions(open, open)).toEqual(open)
  })
})
