import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decide } from './decide.ts'
import type { Grant } from './grant.ts'
import { isGrantCovered } from './grant-coverage.ts'

const FIELDS = ['salary', 'note', 'title']
const people = { id: 'people', fields: FIELDS.map((id) => ({ id })) }

const grant: fc.Arbitrary<Grant> = fc
  .record(
    {
      collection: fc.constantFrom(null, 'people'),
      where: fc.constantFrom('open', 'closed').map((value) => ({ field: 'status', op: '=' as const, value })),
      fields: fc.oneof(fc.record({ except: fc.subarray(FIELDS) }), fc.record({ only: fc.subarray(FIELDS) })),
    },
    { requiredKeys: ['collection'] },
  )
  .map((rest) => ({ permission: 'records:read', ...rest }))

const decided = (grants: readonly Grant[]) =>
  decide({ type: 'user', userId: 'u', sessionId: null, name: 'U', grants }, 'records:read', people)

describe('a covered grant', () => {
  test('allows nothing beyond the grants that cover it', () => {
    fc.assert(
      fc.property(fc.array(grant, { maxLength: 3 }), grant, (own, another) => {
        fc.pre(isGrantCovered(another, own))
        expect(closedBy(decided([...own, another]))).toEqual(closedBy(decided(own)))
      }),
    )
  })

  test.each([
    [{ field: 'createdBy', op: '=', value: { marker: '@me' } }],
    [{ field: 'owner', op: '=', value: '@me' }],
    [{ any: [{ all: [{ field: 'region', op: 'in', value: ['North', { marker: '@me.region' }] }] }] }],
  ] as const)('has no condition that depends on the current user: %j', (where) => {
    const one: Grant = { permission: 'records:read', collection: null, where }
    expect(isGrantCovered(one, [one])).toBe(false)
    expect(isGrantCovered(one, [{ permission: 'records:read', collection: null }])).toBe(true)
  })

  test('covers itself if its condition doesn’t depend on the current user', () => {
    fc.assert(
      fc.property(grant, (one) => {
        expect(isGrantCovered(one, [one])).toBe(true)
      }),
    )
  })
})

/** What a decision denies, with conditions in a stable order. */
function closedBy(decision: ReturnType<typeof decided>) {
  if (!decision.allowed) return 'everything'
  const conditions = (where: unknown): string[] =>
    typeof where === 'object' && where !== null && 'any' in where && Array.isArray(where.any)
      ? where.any.map((part) => JSON.stringify(part)).toSorted()
      : [JSON.stringify(where)]
  return {
    where: conditions(decision.where),
    hidden: [...decision.hiddenFields].toSorted(),
    partly: [...(decision.partlyHidden ?? [])]
      .map(([field, where]) => [field, conditions(where)] as const)
      .toSorted(([left], [right]) => (left < right ? -1 : 1)),
  }
}
