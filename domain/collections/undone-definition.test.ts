import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Field, SelectOption } from '../fields/field.ts'
import type { Collection } from './collection.ts'
import { undoneField, undoneFields, undoneOrder, undoneSettings } from './undone-definition.ts'

const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'))
const choices = ids.chain((all) =>
  fc.tuple(
    ...all.map((id) => fc.record({ id: fc.constant(id), name: fc.constantFrom('x', 'y'), color: fc.constant('gray') })),
  ),
) as fc.Arbitrary<SelectOption[]>

const base = { id: 'f', name: 'code', required: false, unique: false, default: null }

const fields = fc.oneof(
  fc.record({
    label: fc.constantFrom('A', 'B'),
    kind: fc.constant('text'),
    options: fc.record({ max: fc.nat(3), min: fc.nat(3) }, { requiredKeys: [] }),
  }),
  fc.record({
    label: fc.constantFrom('A', 'B'),
    description: fc.constantFrom('C', 'D'),
    kind: fc.constantFrom('select', 'multi-select'),
    options: fc.record({ choices }),
  }),
) as fc.Arbitrary<Partial<Field>>

const field = fields.map((parts) => ({ ...base, ...parts }) as Field)

test('a change that wasn’t changed since is undone completely', () => {
  fc.assert(
    fc.property(field, field, (before, after) => {
      expect(undoneField({ current: after, before, after })).toEqual({ value: before, isKept: false })
      expect(undoneField({ current: before, before, after })).toEqual({ value: before, isKept: false })
    }),
  )
  fc.assert(
    fc.property(ids, ids, (before, after) => {
      const kept = new Set<string>(before)
      expect(undoneOrder({ current: after, before, after }).filter((id) => kept.has(id))).toEqual(before)
    }),
  )
})

test('undoing a change twice changes nothing more', () => {
  fc.assert(
    fc.property(field, field, field, (current, before, after) => {
      const { value } = undoneField({ current, before, after })
      expect(undoneField({ current: value, before, after }).value).toEqual(value)
    }),
  )
})

const option = (id: string, name = id): SelectOption => ({ id, name, color: 'gray' })
const select = (...options: readonly SelectOption[]) =>
  ({ ...base, label: 'A', kind: 'select', options: { choices: options } }) as Field<'select'>

test('options that were added or renamed since stay as they are', () => {
  const [before, after] = [select(option('a'), option('b')), select(option('b', 'B'))]
  const current = select(option('new'), option('b', 'Changed'))
  expect(undoneField({ current, before, after })).toEqual({
    value: select(option('a'), option('new'), option('b', 'Changed')),
    isKept: true,
  })
})

test('a type that was changed again stays as it is', () => {
  const [text, number] = (['text', 'number'] as const).map(
    (kind): Field => ({ ...base, label: 'A', kind, options: {} }),
  )
  if (!text || !number) throw new Error('No fields')
  const undone = undoneField({ current: select(option('a')), before: text, after: { ...number, label: 'B' } })
  expect(undone).toEqual({ value: select(option('a')), isKept: true })
})

const collection = (parts: Partial<Collection>): Collection => ({
  id: 'c',
  name: 'cases',
  label: 'Cases',
  fields: [],
  titleField: null,
  version: 1,
  ...parts,
})

test('settings are set back one by one; removed ones are undefined', () => {
  const [before, after] = [collection({ label: 'Old' }), collection({ label: 'New', icon: 'book', name: 'new' })]
  const current = collection({ ...after, name: 'newer' })
  expect(undoneSettings({ current, before, after })).toEqual({ value: { label: 'Old', icon: undefined }, isKept: true })
})

test('added fields are deleted and deleted ones restored, if that hasn’t happened since', () => {
  const named = (id: string) => ({ ...select(), id })
  const [before, after] = [collection({ fields: [named('a'), named('b')] }), collection({ fields: [named('c')] })]
  const undone = undoneFields({ current: collection({ fields: [named('a'), named('c')] }), before, after })
  expect(undone).toMatchObject({ restored: ['b'], deleted: ['c'], changed: [], kept: [] })
})
