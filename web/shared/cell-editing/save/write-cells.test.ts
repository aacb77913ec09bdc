import { describe, expect, test } from 'vitest'
import type { RecordListItem } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import { CallError } from '#web/data/api/call-error.ts'
import { exceedsRequestLimit, compareRecords, countRecords, rejectionOf } from './write-cells.ts'

const about = { required: false, unique: false, default: null, options: {} }
const FIELDS: readonly Field[] = [
  { ...about, id: 'f1', name: 'title', label: 'Title', kind: 'text' },
  { ...about, id: 'f2', name: 'owner', label: 'Owner', kind: 'user', options: { many: false } },
]
const record = (id: string, values: RecordListItem['values']): RecordListItem => ({
  id,
  version: 3,
  createdAt: '',
  createdBy: null,
  updatedAt: '',
  updatedBy: null,
  values,
})
const change = (id: string, field: string, was: unknown, is: unknown) => ({ record: id, field, was, is })
const operation = { changes: [change('r1', 'title', 'a', 'b'), change('r2', 'title', 'a', 'b')], make: [], remove: [] }

describe('a rejection', () => {
  test('an error marks the cell of its record, or otherwise all cells of its field', () => {
    const errors = [{ path: 'title', code: 'required', message: 'Title is required.' }]
    const named = new CallError('values-invalid', 'Nothing was saved.', {
      status: 422,
      errors,
      extra: { record: 'r2' },
    })
    const fault = (id: string) => ({ record: id, field: 'title', message: 'Title is required.' })
    expect(rejectionOf(named, operation)).toMatchObject({
      is: 'refused',
      detail: 'Nothing was saved.',
      faults: [fault('r2')],
    })
    const unnamed = new CallError('values-invalid', 'Nothing was saved.', { status: 422, errors })
    expect(rejectionOf(unnamed, operation)).toMatchObject({ faults: [fault('r1'), fault('r2')] })
    const twice = new CallError('values-invalid', '', {
      status: 422,
      errors: [{ path: 'title', code: 'not-unique', message: 'No.' }],
    })
    expect(rejectionOf(twice, operation)).toMatchObject({ faults: [{ record: 'r2', message: 'No.' }] })
  })

  test('records are read again after a conflict, and a missing response means the server is unreachable', () => {
    expect(rejectionOf(new CallError('version-conflict', '', { status: 409 }), operation)).toEqual({ is: 'overtaken' })
    expect(rejectionOf(new CallError('record-not-found', '', { status: 404 }), operation)).toEqual({ is: 'overtaken' })
    expect(rejectionOf(new CallError('unreachable', ''), operation)).toEqual({ is: 'unreachable' })
    expect(rejectionOf(new CallError('session-changed', ''), operation)).toEqual({ is: 'unreachable' })
    expect(rejectionOf(new CallError('session-expired', ''), operation)).toEqual({ is: 'signed-out' })
    expect(rejectionOf(new CallError('session-ended', '', { status: 401 }), operation)).toEqual({ is: 'signed-out' })
    expect(rejectionOf(new Error('else'), operation)).toMatchObject({ is: 'refused', faults: [] })
  })
})

describe('cells compared with the current records are', () => {
  test('unchanged, already saved, conflicting or deleted', () => {
    const ada = { id: 'u1', name: 'Ada' }
    const [free, already, disputed, gone] = [
      change('r1', 'owner', [ada], []),
      change('r1', 'title', 'a', 'now'),
      change('r2', 'title', 'a', 'b'),
      change('r3', 'title', 'a', 'b'),
    ]
    const now = [record('r1', { title: 'now', owner: { ...ada, name: 'Ada L.' } }), record('r2', { title: 'other' })]
    expect(
      compareRecords(
        FIELDS,
        [free, already, disputed, gone].flatMap((each) => each ?? []),
        now,
      ),
    ).toEqual({
      free: [free],
      already: [already],
      disputed: [disputed],
      gone: [gone],
    })
  })
})

test('counts changed, created and deleted records, up to ten thousand', () => {
  expect(countRecords({ ...operation, make: [{ values: {} }], remove: ['r9'] })).toBe(4)
  const many = Array.from({ length: 10_001 }, () => ({ values: {} }))
  expect(exceedsRequestLimit({ ...operation, changes: [], make: many.slice(1) })).toBe(false)
  expect(exceedsRequestLimit({ ...operation, changes: [], make: many })).toBe(true)
})
