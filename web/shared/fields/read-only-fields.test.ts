import { expect, test } from 'vitest'
import type { Field } from '#domain/fields/field.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { readOnlyFieldNames } from './editable-cells.ts'

const field = (name: string): Field => ({
  id: name,
  name,
  label: name,
  kind: 'text',
  required: false,
  unique: false,
  default: null,
  options: {},
})

const people: TypedCollection = {
  id: 'people',
  name: 'people',
  label: 'People',
  fields: ['name', 'team', 'salary'].map(field),
  titleField: 'name',
  version: 1,
  timeZone: 'UTC',
  can: ['records:read', 'records:update'],
}

test('a field is read-only if it is never writable or is hidden in this record', () => {
  const values = { name: 'Ada', team: null }
  expect([...readOnlyFieldNames(people, { ...values, salary: 'x' })]).toEqual([])
  expect([...readOnlyFieldNames(people, values)]).toEqual(['salary'])
  const some = { ...people, closed: { team: { update: 'wholly' }, name: { update: 'partly' } } } as const
  expect([...readOnlyFieldNames(some, values)]).toEqual(['team', 'salary'])
})
