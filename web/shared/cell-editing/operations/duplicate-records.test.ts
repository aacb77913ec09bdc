import { expect, test } from 'vitest'
import type { Field } from '#domain/fields/field.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { groupValues } from './duplicate-records.ts'

const about = { required: false, unique: false, default: null }
const options = { choices: [{ id: 'o', name: 'open', color: 'gray' }] } as const
const status: Field = { ...about, id: 's', name: 'status', label: 'Status', kind: 'select', options }
const owner: Field = { ...about, id: 'w', name: 'owner', label: 'Owner', kind: 'user', options: { many: false } }
const phase: Field = { ...about, id: 'p', name: 'phase', label: 'Phase', kind: 'state', options }
const title: Field = { ...about, id: 't', name: 'title', label: 'Title', kind: 'text', options: {} }

// Contains only the properties that the code under test reads.
const collection = { fields: [title, status, owner, phase] } as unknown as TypedCollection

const values = { title: 'One', status: 'open', owner: { id: 'ada', name: 'Ada' }, phase: 'open' }

test('a new record in a group is created with the values of the group', () => {
  expect(groupValues(collection, ['status', 'owner'], values)).toEqual({
    status: 'open',
    owner: { id: 'ada', name: 'Ada' },
  })
  expect(groupValues(collection, ['status'], { ...values, status: null })).toEqual({})
})

test('no record can be created in a group whose value the user cannot set', () => {
  const workflow = { field: 'p', states: {}, transitions: [] }
  const withWorkflow = { ...collection, workflow } as unknown as TypedCollection
  expect(groupValues(withWorkflow, ['phase'], values)).toBeUndefined()
  const calculated = { ...collection, fields: [{ ...status, defaultFormula: '"open"' }] } as unknown as TypedCollection
  expect(groupValues(calculated, ['status'], { status: null })).toBeUndefined()
  expect(groupValues({ ...collection, closed: { status: { create: 'wholly' } } }, ['status'], values)).toBeUndefined()
  expect(groupValues(collection, ['createdBy'], values)).toBeUndefined()
})
