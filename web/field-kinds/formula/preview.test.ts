import { expect, test } from 'vitest'
import type { RecordListItem } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { formulaText } from './formula-text.ts'
import { previewValue } from './preview.ts'

const bare = { required: false, unique: false, default: null } as const
const choices = [{ id: 'o1', name: 'Open', color: 'gray' as const }]

const fields: readonly Field[] = [
  { ...bare, id: 'f1', name: 'price', label: 'Price', kind: 'number', options: {} },
  { ...bare, id: 'f2', name: 'stage', label: 'Stage', kind: 'select', options: { choices } },
  { ...bare, id: 'f3', name: 'due', label: 'Due', kind: 'date', options: {} },
]
const collection = { id: 'c', name: 'orders', label: 'Orders', fields, titleField: null, version: 1, can: [] }

const record: RecordListItem = {
  id: 'r1',
  version: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  createdBy: null,
  updatedAt: '2026-01-01T00:00:00.000Z',
  updatedBy: null,
  values: { price: 2, stage: 'o1', due: '2026-03-31' },
}

function preview(formula: string, result: Field<'formula'>['options']['result']): string {
  const field: Field<'formula'> = {
    ...bare,
    id: 'new',
    name: 'new',
    label: 'New',
    kind: 'formula',
    options: { formula, result },
  }
  const calendar = { now: new Date('2026-04-01T00:00:00Z'), timeZone: 'UTC' }
  return formulaText(field, previewValue(collection satisfies TypedCollection, field, { record, calendar }))
}

test('the preview shows the value of a formula in a record, in the form of its result', () => {
  expect(preview('price * 1000', 'number')).toBe('2,000')
  expect(preview('stage & "!"', 'text')).toBe('Open!')
  expect(preview('due < today()', 'checkbox')).toBe('Yes')
  expect(preview('1 / 0', 'number')).toBe('')
  expect(preview('price *', 'number')).toBe('')
})
