import { expect, test } from 'vitest'
import type { Field } from '#domain/fields/field.ts'
import { type BulkEdit, bulkActionsOf, changesBy, updateOf } from '#web/features/bulk/bulk-edit.ts'

const base = { id: 'f', name: 'f', label: 'F', required: false, unique: false, default: null }
const TAGS: Field = {
  ...base,
  kind: 'multi-select',
  options: { choices: ['red', 'blue', 'old'].map((name) => ({ id: name, name, color: 'gray' })) },
}
const CREW: Field = { ...base, kind: 'user', options: { many: true } }
const KEEPER: Field = { ...base, kind: 'user', options: { many: false } }
const TEXT: Field = { ...base, kind: 'text', options: {} }

const person = (id: string) => ({ id, name: id.toUpperCase() })
const before = (value: unknown) => [{ id: 'r', version: 2, values: { f: value } }]
const isAfter = (edit: BulkEdit, was: unknown): unknown => changesBy([edit], before(was))[0]?.is

test('list fields offer adding and removing items, and optional fields offer clearing', () => {
  expect(bulkActionsOf(TAGS)).toEqual(['set', 'add', 'take', 'empty'])
  expect(bulkActionsOf(KEEPER)).toEqual(['set', 'empty'])
  expect(bulkActionsOf({ ...TEXT, required: true })).toEqual(['set'])
})

test('a bulk edit sends IDs for every action', () => {
  expect(updateOf([{ field: TEXT, way: 'set', value: 'new' }])).toEqual({ values: { f: 'new' } })
  expect(updateOf([{ field: TEXT, way: 'empty', value: 'new' }])).toEqual({ values: { f: null } })
  expect(updateOf([{ field: CREW, way: 'add', value: [person('a')] }])).toEqual({ add: { f: ['a'] } })
  expect(updateOf([{ field: TAGS, way: 'take', value: ['red'] }])).toEqual({ take: { f: ['red'] } })
  expect(updateOf([{ field: KEEPER, way: 'set', value: [person('a')] }])).toEqual({ values: { f: 'a' } })
})

test('a bulk edit sends several fields as one update', () => {
  const edits: readonly BulkEdit[] = [
    { field: TEXT, way: 'set', value: 'new' },
    { field: { ...TAGS, name: 'tags' }, way: 'add', value: ['red'] },
    { field: { ...CREW, name: 'crew' }, way: 'add', value: [person('a')] },
  ]
  expect(updateOf(edits)).toEqual({ values: { f: 'new' }, add: { tags: ['red'], crew: ['a'] } })
})

test('a bulk edit predicts the same values that the server computes', () => {
  expect(isAfter({ field: TAGS, way: 'add', value: ['red', 'old'] }, ['old', 'blue'])).toEqual(['old', 'blue', 'red'])
  expect(isAfter({ field: TAGS, way: 'take', value: ['red', 'old'] }, ['old', 'blue'])).toEqual(['blue'])
  expect(isAfter({ field: CREW, way: 'take', value: [person('a')] }, [person('a'), person('b')])).toEqual([person('b')])
  expect(isAfter({ field: TEXT, way: 'empty', value: null }, 'old')).toBe(null)
})

test('undoing a bulk edit omits cells that were not loaded', () => {
  expect(changesBy([{ field: TEXT, way: 'set', value: 'x' }], [{ id: 'r', version: 2, values: {} }])).toEqual([])
})
