import { expect, test } from 'vitest'
import type { Field } from '#domain/fields/field.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { columnFields, positionBeside } from './column-fields.ts'

const about = { required: false, unique: false, default: null }
const notes: Field = { ...about, id: 'n', name: 'notes', label: 'Notes', kind: 'long-text', options: {} }
const amount: Field = { ...about, id: 'a', name: 'amount', label: 'Amount', kind: 'number', options: {} }
const title: Field = { ...about, id: 't', name: 'title', label: 'Title', kind: 'text', options: {} }
const due: Field = { ...about, id: 'd', name: 'due', label: 'Due', kind: 'date', options: {} }

// Contains only the properties that the code under test reads.
const collection = { fields: [notes, amount, title, due], titleField: 'title' } as unknown as TypedCollection

test('the title column comes first, and long values come last', () => {
  expect(columnFields(collection).map(({ name }) => name)).toEqual(['title', 'amount', 'due', 'notes'])
})

test('a new field is placed next to the selected column, or before the second column when added after the title', () => {
  expect([positionBeside(collection, due, 'before'), positionBeside(collection, due, 'after')]).toEqual([3, 4])
  expect(positionBeside(collection, notes, 'before')).toBe(0)
  expect(positionBeside(collection, title, 'after')).toBe(1)
  expect(positionBeside({ ...collection, fields: [title] }, title, 'after')).toBe(1)
})
