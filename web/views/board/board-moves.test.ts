import { expect, test } from 'vitest'
import type { Field } from '#domain/fields/field.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { groupsOfField } from './board-columns.ts'
import { cellOf, newValuesIn } from './board-moves.ts'

const choices = [
  { id: 'o', name: 'open', color: 'gray' },
  { id: 'd', name: 'done', color: 'green' },
] as const
const field: Field = {
  id: 's',
  name: 'status',
  label: 'Status',
  kind: 'select',
  required: false,
  unique: false,
  default: null,
  options: { choices },
}
// Contains only the properties that the code under test reads.
const collection = { fields: [field], can: ['records:create'] } as unknown as TypedCollection

/** The values of new records in each column. */
const inColumns = (by: Field, change: Partial<TypedCollection> = {}) =>
  groupsOfField(by, [], true).map((column) =>
    newValuesIn({ collection: { ...collection, ...change }, field: by, lane: undefined }, cellOf(column, undefined)),
  )

test('a record created in a column gets the value of the column, even if the field has a default value', () => {
  expect(inColumns(field)).toEqual([{ status: 'open' }, { status: 'done' }, {}])
  expect(inColumns({ ...field, default: 'o' })).toEqual([{}, { status: 'done' }, { status: null }])
  const calculated = { ...field, defaultFormula: '"done"' }
  expect(inColumns(calculated)).toEqual([{ status: 'open' }, { status: 'done' }, { status: null }])
})

test('no record can be created in a column whose value the user cannot set', () => {
  const closed = { status: { create: 'wholly' } } as const
  expect(inColumns(field, { closed })).toEqual([undefined, undefined, {}])
  const state: Field = { ...field, kind: 'state', required: true }
  const workflow = { field: 's', states: {}, transitions: [] } as unknown as TypedCollection['workflow']
  expect(inColumns(state, { workflow }).slice(0, 2)).toEqual([{}, undefined])
})
