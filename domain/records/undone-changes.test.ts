import { expect, test } from 'vitest'
import { undoableFields, undoStepFor } from './undone-changes.ts'

const created = { kind: 'created', before: null, after: { a: 'x' } } as const
const deleted = { kind: 'deleted', before: { a: 'x' }, after: null } as const
const changed = (before: string | null, after: string | null) =>
  ({ kind: 'changed', before: { a: before }, after: { a: after } }) as const

test('a created record is deleted, a deleted one restored, and a record created and deleted left alone', () => {
  expect(undoStepFor([created, changed('x', 'y')])).toEqual({ does: 'delete', values: { a: 'y' } })
  expect(undoStepFor([changed('x', 'y'), deleted])).toEqual({ does: 'restore' })
  expect(undoStepFor([created, deleted])).toEqual({ does: 'nothing' })
})

test('several changes of a field are undone as one', () => {
  const step = undoStepFor([changed('x', 'y'), changed('y', 'z')])
  expect(step).toEqual({ does: 'change', before: { a: 'x' }, after: { a: 'z' } })
})

test('a field that was changed since is kept', () => {
  const step = { before: { a: 'x', b: null, c: 'same' }, after: { a: 'y', b: 'z', c: 'other' } }
  expect(undoableFields({ a: 'y', b: 'newer', c: 'same' }, step)).toEqual({ back: ['a'], changedSince: ['b'] })
})
