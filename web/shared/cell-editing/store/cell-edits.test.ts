import { describe, expect, test } from 'vitest'
import type { RecordListItem } from '#api/records.ts'
import { createCellEdits } from './cell-edits.ts'

const record = (values: { readonly [field: string]: unknown }, version = 1): RecordListItem => ({
  id: 'r1',
  version,
  createdAt: '2026-01-01T00:00:00.000Z',
  createdBy: null,
  updatedAt: '2026-01-01T00:00:00.000Z',
  updatedBy: null,
  values,
})
const change = (was: unknown, is: unknown, field = 'a') => ({ record: 'r1', field, was, is })
const at = '2026-02-02T00:00:00.000Z'

describe('the overlay of unsaved edits', () => {
  test('shows edits immediately, and otherwise changes nothing', () => {
    const edits = createCellEdits()
    const first = record({ a: 1, b: 2 })
    expect(edits.over(first)).toBeUndefined()
    edits.begin(1, [change(1, 5)])
    expect(edits.over(first)?.record.values).toEqual({ a: 5, b: 2 })
    expect(edits.over(first)).toBe(edits.over(first))
    expect(edits.waiting()).toBe(1)
  })

  test('hides outdated page data until newer data is loaded', () => {
    const edits = createCellEdits()
    edits.begin(1, [change(1, 5)])
    edits.stored(1, [change(1, 5)], { versions: new Map([['r1', 1]]), at })
    expect(edits.over(record({ a: 1 }))?.record).toMatchObject({ values: { a: 5 }, version: 2, updatedAt: at })
    expect(edits.over(record({ a: 5, b: 9 }, 2))?.record.values).toEqual({ a: 5, b: 9 })
    expect(edits.over(record({ a: 7 }, 3))?.record.values).toEqual({ a: 7 })
    expect(edits.versionOf('r1')).toBe(2)
    expect(edits.waiting()).toBe(0)
  })

  test('keeps a second edit if the first one is rejected', () => {
    const edits = createCellEdits()
    edits.begin(1, [change(1, 5)])
    edits.begin(2, [change(5, 6)])
    edits.giveBack(1, [change(1, 5)])
    expect(edits.over(record({ a: 1 }))?.record.values).toEqual({ a: 6 })
    edits.giveBack(2, [change(5, 6)], [{ record: 'r1', field: 'a', message: 'No.' }])
    expect(edits.over(record({ a: 1 }))).toMatchObject({
      record: { values: { a: 1 } },
      faults: { a: { message: 'No.', refused: 6 } },
    })
  })

  test('reverts only the specified cells', () => {
    const edits = createCellEdits()
    edits.begin(1, [change(1, 5), change(2, 6, 'b')])
    edits.giveBack(1, [change(2, 6, 'b')])
    expect(edits.over(record({ a: 1, b: 2 }))?.record.values).toEqual({ a: 5, b: 2 })
  })

  test('clears errors when the cell changes or on request', () => {
    const edits = createCellEdits()
    edits.mark([
      { record: 'r1', field: 'a', message: 'No.' },
      { record: 'r1', field: 'b', message: 'No.' },
    ])
    edits.begin(1, [change(1, 5)])
    expect(edits.over(record({ a: 1 }))?.faults).toEqual({ b: { message: 'No.' } })
    edits.unmark()
    expect(edits.over(record({ a: 1 }))?.faults).toEqual({})
  })

  test('shows newer values loaded elsewhere', () => {
    const edits = createCellEdits()
    edits.learn([record({ a: 9 }, 4)])
    expect(edits.over(record({ a: 1 }))?.record).toMatchObject({ version: 4, values: { a: 9 } })
    expect(edits.over(record({ a: 10 }, 5))?.record).toMatchObject({ version: 5, values: { a: 10 } })
    edits.begin(1, [change(9, 11)])
    edits.stored(1, [change(9, 11)], { versions: new Map([['r1', 4]]), at })
    expect(edits.over(record({ a: 1 }))?.record).toMatchObject({ version: 5, values: { a: 11 } })
  })

  test('hides search matches in edited values', () => {
    const edits = createCellEdits()
    edits.begin(1, [change('x', 'y')])
    const found = { ...record({ a: 'x', b: 'x' }), marks: { a: [[0, 1]], b: [[0, 1]] } }
    expect(edits.over(found)?.record.marks).toEqual({ b: [[0, 1]] })
  })

  test('lists created records until the list is reloaded', () => {
    const edits = createCellEdits()
    edits.addMade([record({ a: 1 })])
    expect(edits.get().made.map(({ id }) => id)).toEqual(['r1'])
    edits.dropMade()
    expect(edits.get().made).toEqual([])
  })
})
