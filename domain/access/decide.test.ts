import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import type { Field } from '../fields/field.ts'
import type { Filter } from '../query/filter/filter.ts'
import type { Actor } from './actor.ts'
import { type Decision, decide } from './decide.ts'
import type { Grant } from './grant.ts'

const FIELDS = ['salary', 'note', 'title'] as const
const STATES = ['open', 'closed', 'spam'] as const
const people = { id: 'people', fields: FIELDS.map((id) => ({ id })) }

const isIn = (state: string): Filter => ({ field: 'status', op: '=', value: state })
const actorWith = (grants: readonly Grant[]): Actor => ({
  type: 'user',
  userId: 'u',
  sessionId: null,
  name: 'U',
  grants,
})
const reads = (rest: Partial<Grant> = {}): Grant => ({ permission: 'records:read', collection: null, ...rest })
const decided = (grants: readonly Grant[]): Decision => decide(actorWith(grants), 'records:read', people)

/** Whether one of the conditions above matches a record with this status. */
function covers(where: Filter | undefined, state: string): boolean {
  if (where === undefined) return true
  if ('any' in where) return where.any.some((part) => covers(part, state))
  return 'value' in where && where.value === state
}

/** Fields that a decision allows in each status, computed without optimizations. */
function opened(decision: Decision): string[] {
  if (!decision.allowed) return []
  return STATES.filter((state) => covers(decision.where, state)).flatMap((state) =>
    FIELDS.filter((field) => !decision.hiddenFields.has(field))
      .filter((field) => covers(decision.partlyHidden?.get(field), state))
      .map((field) => `${state} ${field}`),
  )
}

const fieldSet = fc.oneof(
  fc.record({ except: fc.subarray([...FIELDS]) }),
  fc.record({ only: fc.subarray([...FIELDS]) }),
)
const grant: fc.Arbitrary<Grant> = fc
  .record({ where: fc.constantFrom(...STATES).map(isIn), fields: fieldSet }, { requiredKeys: [] })
  .map((rest) => reads(rest))

describe('grants', () => {
  it('allow exactly the fields of the grants that cover the record', () => {
    fc.assert(
      fc.property(fc.array(grant, { maxLength: 5 }), (grants) => {
        const expected = STATES.flatMap((state) =>
          FIELDS.filter((field) =>
            grants.some(
              ({ where, fields }) =>
                covers(where, state) &&
                (fields === undefined ||
                  ('only' in fields ? fields.only.includes(field) : !fields.except.includes(field))),
            ),
          ).map((field) => `${state} ${field}`),
        )
        expect(opened(decided(grants))).toEqual(expected)
      }),
    )
  })

  it('never allow less when a grant is added', () => {
    fc.assert(
      fc.property(fc.array(grant, { maxLength: 5 }), grant, (grants, another) => {
        expect(opened(decided([...grants, another]))).toEqual(expect.arrayContaining(opened(decided(grants))))
      }),
    )
  })

  it('with the same condition allow a field if any of them includes it', () => {
    const decision = decided([
      reads({ where: isIn('open'), fields: { except: ['salary'] } }),
      reads({ where: isIn('open'), fields: { only: ['salary'] } }),
    ])
    expect(decision).toEqual({ allowed: true, where: isIn('open'), hiddenFields: new Set() })
  })

  it('hide a field only in records where no grant allows it', () => {
    const decision = decided([reads({ fields: { except: ['salary'] } }), reads({ where: isIn('open') })])
    expect(decision).toEqual({
      allowed: true,
      hiddenFields: new Set(),
      partlyHidden: new Map([['salary', isIn('open')]]),
    })
  })

  it('that list allowed fields exclude fields added later', () => {
    expect(decided([reads({ fields: { only: ['title'] } })])).toMatchObject({
      hiddenFields: new Set(['salary', 'note']),
    })
  })

  it('deny all access to a missing collection, even for the system actor', () => {
    expect(decide({ type: 'system', reason: 'test' }, 'records:read', undefined)).toEqual({ allowed: false })
  })
})

describe('a formula', () => {
  const [wage, bonus, gross] = ['w', 'b', 'g'].map((letter) => `01jd9q4z7m3k8w2x5v6c0b1n4${letter}`)
  const bare = { required: false, unique: false, default: null } as const
  const formula = (id = '', text = ''): Field => ({
    ...bare,
    id,
    name: id,
    label: id,
    kind: 'formula',
    options: { formula: text, result: 'number' },
  })
  const staff = {
    id: 'staff',
    fields: [
      { ...bare, id: wage ?? '', name: 'wage', label: 'Wage', kind: 'number', options: {} } as const,
      formula(bonus, `${wage} * 0.1`),
      formula(gross, `${bonus} * 2`),
    ],
  }
  const hiddenBy = (...grants: readonly Grant[]) => {
    const decision = decide(actorWith(grants), 'records:read', staff)
    return decision.allowed ? [...decision.hiddenFields] : []
  }

  it('is readable with all fields', () => {
    expect(hiddenBy(reads())).toEqual([])
  })

  it('is hidden with an input, also through another formula', () => {
    expect(hiddenBy(reads({ fields: { except: [wage ?? ''] } }))).toEqual([wage, bonus, gross])
    expect(hiddenBy(reads({ fields: { except: [bonus ?? ''] } }))).toEqual([bonus, gross])
  })

  it('is readable if a grant names it', () => {
    expect(hiddenBy(reads({ fields: { only: [gross ?? ''] } }))).toEqual([wage, bonus])
    expect(hiddenBy(reads({ fields: { except: [wage ?? ''] } }), reads({ fields: { only: [bonus ?? ''] } }))).toEqual([
      wage,
      gross,
    ])
  })
})
