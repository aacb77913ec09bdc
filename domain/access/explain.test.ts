import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Field } from '../fields/field.ts'
import type { Filter } from '../query/filter/filter.ts'
import { type Decision, decide } from './decide.ts'
import { explain, type Explanation } from './explain.ts'
import { type Grant, type Scope, narrowGrants } from './grant.ts'
import { type AccessRules, OWNER, type Policy, type Role, grantsOfRoles } from './policy.ts'

const FIELDS = ['salary', 'note', 'title'] as const
const STATES = ['open', 'closed', 'spam'] as const
const PERMISSIONS = ['records:read', 'records:update'] as const
const elsewhere = 'e'.repeat(26)
/** The reverse side of a relation that is a field of another collection. */
const BACK: Field<'reverse'> = {
  id: 'back',
  name: 'back',
  label: 'Back',
  kind: 'reverse',
  required: false,
  unique: false,
  default: null,
  options: { collection: elsewhere, relation: 'note' },
}
const people = { id: 'p'.repeat(26), fields: [...FIELDS.map((id) => ({ id })), BACK] }

const isIn = (state: string): Filter => ({ field: 'status', op: '=', value: state })

/** Whether one of the conditions above matches a record with this status. */
function covers(where: Filter | undefined, state: string): boolean {
  if (where === undefined) return true
  if ('any' in where) return where.any.some((part) => covers(part, state))
  return 'value' in where && where.value === state
}

const grant: fc.Arbitrary<Grant> = fc.record(
  {
    permission: fc.constantFrom(...PERMISSIONS),
    collection: fc.constantFrom(null, people.id, elsewhere),
    where: fc.constantFrom(...STATES).map(isIn),
    fields: fc.oneof(fc.record({ except: fc.subarray([...FIELDS]) }), fc.record({ only: fc.subarray([...FIELDS]) })),
  },
  { requiredKeys: ['permission', 'collection'] },
)

const rules: fc.Arbitrary<AccessRules> = fc
  .tuple(
    fc.array(fc.array(grant, { maxLength: 3 }), { minLength: 3, maxLength: 3 }),
    fc.array(fc.subarray(['0', '1', '2']), { minLength: 2, maxLength: 2 }),
  )
  .map(([policies, roles]) => ({
    policies: new Map(policies.map((grants, at) => [String(at), policyOf(String(at), grants)])),
    roles: new Map(roles.map((held, at) => [`role-${at}`, roleOf(`role-${at}`, held)])),
  }))

const policyOf = (id: string, grants: readonly Grant[]): Policy => ({
  id,
  name: id,
  about: '',
  grants: grants.map((one, at) => ({ ...one, id: `${id}-${at}` })),
  examples: [],
  version: 1,
})
const roleOf = (id: string, policies: readonly string[]): Role => ({ id, name: id, about: '', policies, version: 1 })

const scopes: fc.Arbitrary<readonly Scope[] | undefined> = fc.option(
  fc.array(fc.record({ permission: fc.constantFrom(...PERMISSIONS), collection: fc.constantFrom(null, people.id) }), {
    maxLength: 2,
  }),
  { nil: undefined },
)

const requested = fc.record({
  rules,
  roles: fc.subarray(['role-0', 'role-1', 'gone']),
  isOwner: fc.integer({ min: 0, max: 9 }).map((drawn) => drawn === 0),
  scopes,
  permission: fc.constantFrom(...PERMISSIONS),
  field: fc.constantFrom(undefined, ...FIELDS, BACK.id),
  state: fc.constantFrom(undefined, ...STATES),
})

/** Statuses in which a decision allows access to a record or field. */
function openStates(decision: Decision, field: string | undefined): readonly string[] {
  if (!decision.allowed || (field !== undefined && decision.hiddenFields.has(field))) return []
  const where = field === undefined ? undefined : decision.partlyHidden?.get(field)
  return STATES.filter((state) => covers(decision.where, state) && covers(where, state))
}

function explainedStates(explanation: Explanation): readonly string[] {
  if (explanation.may === 'no') return []
  return STATES.filter((state) => explanation.may === 'yes' || covers(explanation.where, state))
}

describe('an access explanation', () => {
  it('matches the access decision for all records and for a single record', () => {
    fc.assert(
      fc.property(requested, ({ rules: all, roles, isOwner, scopes: left, permission, field, state }) => {
        const held = isOwner ? [...roles, OWNER] : roles
        const grants = grantsOfRoles(all, held)
        const actor = {
          type: 'user',
          userId: 'u',
          sessionId: null,
          name: 'U',
          grants: left ? narrowGrants(grants, left) : grants,
        } as const
        const open = openStates(decide(actor, permission, people), field)
        const holder = { roles: held, scopes: left }
        const request = { permission, collection: people, field }
        expect(explainedStates(explain(all, holder, request))).toEqual(open)
        if (state === undefined) return
        const ofOne = explain(all, holder, { ...request, covers: (where) => covers(where, state) })
        expect(ofOne.may).toBe(open.includes(state) ? 'yes' : 'no')
      }),
      { numRuns: 500 },
    )
  })

  const all: AccessRules = {
    policies: new Map([
      ['own', policyOf('own', [{ permission: 'records:read', collection: people.id, where: isIn('open') }])],
      [
        'public',
        policyOf('public', [
          { permission: 'records:read', collection: null, where: isIn('closed'), fields: { except: ['salary'] } },
        ]),
      ],
    ]),
    roles: new Map([
      ['worker', roleOf('worker', ['own', 'public'])],
      ['guest', roleOf('guest', ['public'])],
    ]),
  }
  const read = (roles: readonly string[], rest: object = {}) =>
    explain(all, { roles }, { permission: 'records:read', collection: people, ...rest })
  const inState = (state: string) => ({ covers: (where: Filter) => covers(where, state) })

  it('names the deciding grant, policy and role', () => {
    expect(read(['worker'], { field: 'salary', ...inState('open') })).toEqual({
      may: 'yes',
      by: [{ role: 'worker', policy: 'own', grant: 'own-0', where: isIn('open') }],
    })
  })

  it('includes the condition if access depends on the record', () => {
    expect(read(['worker'])).toMatchObject({ may: 'some', where: { any: [isIn('open'), isIn('closed')] } })
    expect(read(['worker'], { field: 'salary' })).toMatchObject({ may: 'some', where: isIn('open') })
  })

  it('names the missing permission or condition', () => {
    expect(read([])).toEqual({ may: 'no', because: 'no-grant', nearest: [] })
    expect(read(['guest'], { field: 'salary' })).toMatchObject({ because: 'field', nearest: [{ policy: 'public' }] })
    expect(read(['worker'], { field: 'salary', ...inState('closed') })).toMatchObject({
      because: 'condition',
      nearest: [{ policy: 'own' }],
    })
    expect(
      explain(all, { roles: ['worker'], scopes: [] }, { permission: 'records:read', collection: people }),
    ).toMatchObject({ because: 'token' })
  })

  it('names no policy for an owner', () => {
    expect(read([OWNER], { field: 'salary' })).toEqual({
      may: 'yes',
      by: [{ role: OWNER, policy: null, grant: null }],
    })
  })
})
