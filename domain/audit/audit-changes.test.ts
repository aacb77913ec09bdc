import { expect, test } from 'vitest'
import type { Policy } from '../access/policy.ts'
import type { Collection } from '../collections/collection.ts'
import { describeAuditChange, collectionChanges, policyChanges, roleChanges } from './audit-changes.ts'

const NAMES = {
  collection: () => 'Tasks',
  extent: ({ where, fields }: Policy['grants'][number]) => ({
    ...(where && { where: 'status = "open"' }),
    ...(fields && 'except' in fields && { except: [...fields.except] }),
  }),
}

const aPolicy = (grants: Policy['grants'], part: Partial<Policy> = {}): Policy => ({
  id: 'p',
  name: 'Work',
  about: '',
  grants,
  examples: [],
  version: 1,
  ...part,
})

test('lists added, removed and changed grants', () => {
  const read = { id: 'g1', permission: 'records:read', collection: 'c' } as const
  const open = { ...read, where: { field: 'f', op: '=', value: 'o' } } as const
  const update = { id: 'g2', permission: 'records:update', collection: 'c', fields: { except: ['Salary'] } } as const
  const words = (before: Policy | null, after: Policy | null) =>
    policyChanges(before, after, NAMES).map(describeAuditChange)
  expect(words(aPolicy([read]), aPolicy([open]))).toEqual(['Can view Tasks: all → where status = "open"'])
  expect(words(aPolicy([read]), aPolicy([read, update]))).toEqual(['Can edit Tasks: none → without Salary'])
  expect(words(aPolicy([read, update]), aPolicy([read]))).toEqual(['Can edit Tasks: without Salary → none'])
  expect(words(aPolicy([read]), aPolicy([read], { name: 'Jobs' }))).toEqual(['Name: Work → Jobs'])
  expect(words(aPolicy([read]), aPolicy([read], { version: 2 }))).toEqual([])
})

test('omits properties that are empty before and after the change', () => {
  expect(policyChanges(null, aPolicy([]), NAMES).map(describeAuditChange)).toEqual(['Name: none → Work'])
})

test('lists the policies of a role by name', () => {
  const role = { id: 'r', name: 'Clerk', about: '', policies: ['p1'], version: 1 }
  const changes = roleChanges(role, { ...role, policies: ['p1', 'p2'], version: 2 }, (id) => id.toUpperCase())
  expect(changes.map(describeAuditChange)).toEqual(['Policies: P1 → P1, P2'])
})

const field = { id: 'f1', name: 'pay', label: 'Pay', kind: 'number', required: false, unique: false } as const
const plain: Collection = {
  id: 'c',
  name: 'people',
  label: 'People',
  titleField: null,
  version: 1,
  fields: [{ ...field, default: null, options: {} }],
}

test('lists definition changes without revealing default values or conditions', () => {
  const then = { field: 'f1', op: '>', value: 4711 } as const
  const after: Collection = {
    ...plain,
    label: 'Staff',
    description: 'Everyone on the payroll',
    fields: [
      { ...field, description: 'Before tax', required: true, default: 4711, options: { min: 1 } },
      { ...field, id: 'f2', label: 'Born', kind: 'date', default: null, options: {} },
    ],
    rules: [{ id: 'r', when: null, then, message: 'Too little', field: null }],
  }
  const words = collectionChanges(plain, after).map(describeAuditChange)
  expect(words).toEqual([
    'Label: People → Staff',
    'Description: none → Everyone on the payroll',
    '“Pay” description: none → Before tax',
    '“Pay” required: no → yes',
    '“Pay” default value: changed',
    '“Pay” settings: changed',
    'Field “Born”: none → date',
    'Validation rule “Too little”: added',
  ])
  expect(JSON.stringify(collectionChanges(plain, after))).not.toContain('4711')
  expect(collectionChanges(after, plain).map(describeAuditChange)).toContain('Field “Born”: date → none')
})

test('truncates long values and long lists', () => {
  const long = collectionChanges(plain, { ...plain, label: 'x'.repeat(5000) })
  expect(long[0]?.after).toHaveLength(201)
  const fields = Array.from({ length: 300 }, (_, at) => ({ ...field, id: `n${at}`, default: null, options: {} }))
  expect(collectionChanges(plain, { ...plain, fields })).toHaveLength(100)
})
