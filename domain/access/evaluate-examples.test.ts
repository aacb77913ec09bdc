import { describe, expect, test } from 'vitest'
import type { Filter } from '#domain/query/filter/filter.ts'
import type { Example, Policy } from './policy.ts'
import { brokenExamples, type ExampleContext, evaluateExample } from './explain.ts'

const people = { id: 'people', fields: [{ id: 'salary' }, { id: 'title' }] }
const own: Filter = { field: 'createdBy', op: '=', value: { marker: '@me' } }

const example = (rest: Partial<Example>): Example => ({
  id: 'e',
  who: { user: 'ana' },
  may: false,
  permission: 'records:read',
  collection: 'people',
  field: 'salary',
  record: null,
  ...rest,
})

const policy = (examples: readonly Example[]): Policy => ({
  id: 'own',
  name: 'Own',
  about: '',
  grants: [{ id: 'g', permission: 'records:read', collection: 'people', where: own, fields: { except: ['salary'] } }],
  examples,
  version: 1,
})

/** Ana can access her own record but not the other one. */
const ground = (...examples: readonly Example[]): ExampleContext => ({
  rules: {
    roles: new Map([['worker', { id: 'worker', name: 'Worker', about: '', policies: ['own'], version: 1 }]]),
    policies: new Map([['own', policy(examples)]]),
  },
  holderOf: (who) => ('role' in who || who.user === 'ana' ? { roles: ['worker'] } : undefined),
  collectionOf: (id) => (id === 'people' ? people : undefined),
  coversOf: ({ record }) => (record === 'gone' ? undefined : () => record === 'hers'),
})

const result = (rest: Partial<Example>) => evaluateExample(example(rest), ground()).type

describe('a policy example', () => {
  test('passes if the grants match its expectation', () => {
    expect(result({})).toBe('holds')
    expect(result({ field: 'title', may: true })).toBe('holds')
    expect(result({ field: null, may: true, record: 'hers' })).toBe('holds')
    expect(result({ field: null, may: false, record: 'other' })).toBe('holds')
    expect(result({ who: { role: 'worker' }, permission: 'records:delete' })).toBe('holds')
  })

  test('without a record passes if access to at least one record is allowed (if negated, to none)', () => {
    expect(result({ field: null, may: true })).toBe('holds')
    expect(result({ field: null, may: false })).toBe('broken')
  })

  test('fails if the grants don’t match its expectation', () => {
    expect(result({ may: true })).toBe('broken')
    expect(result({ field: 'title', may: false })).toBe('broken')
    expect(result({ field: null, may: true, record: 'other' })).toBe('broken')
  })

  test.each([{ who: { user: 'bob' } }, { collection: 'pupils' }, { field: 'wage' }, { record: 'gone' }])(
    'is stale if an object it refers to was deleted: %j',
    (rest) => {
      expect(result({ ...rest, may: true })).toBe('stale')
      expect(result({ ...rest, may: false })).toBe('stale')
    },
  )

  test('is returned with its policy if it fails', () => {
    const broken = brokenExamples(ground(example({}), example({ id: 'other', may: true })))
    expect(broken.map((one) => [one.policy.id, one.example.id, one.explanation.may])).toEqual([['own', 'other', 'no']])
  })
})
