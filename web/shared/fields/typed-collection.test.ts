import { expect, test } from 'vitest'
import type { Field, LinkedValue } from '#domain/fields/field.ts'
import { pastCollection } from './typed-collection.ts'

const field = (name: string, kind: Field['kind'], options: object): Field =>
  // The options fit the kinds.
  ({ id: name, name, label: name, kind, required: false, unique: false, default: null, options }) as unknown as Field

const hours: LinkedValue = {
  id: 'linked',
  kind: 'rollup',
  options: { path: ['tasks'], field: 'hours', function: 'sum', result: 'number' },
}

test('a collection at an earlier time has no values of linked records', () => {
  const fields = [
    field('price', 'number', {}),
    field('spent', 'rollup', hours.options),
    field('rest', 'formula', { formula: 'price - spent', result: 'number' }),
    field('double', 'formula', { formula: 'price * 2', result: 'number' }),
    field('cost', 'formula', { formula: 'sum(tasks.hours)', result: 'number', linked: [hours] }),
    field('margin', 'formula', { formula: 'price - cost', result: 'number' }),
  ]
  const past = pastCollection({
    id: 'c',
    name: 'orders',
    label: 'Orders',
    fields,
    titleField: null,
    version: 1,
    timeZone: 'UTC',
    can: [],
  })
  expect(past.fields.map(({ name }) => name)).toEqual(['price', 'double'])
})
