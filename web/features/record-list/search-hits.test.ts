import { describe, expect, test } from 'vitest'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { describeHit, hitColumns, nextHit, type SearchStep } from './search-hits.ts'

const field = (name: string) => ({ id: `${name}-id`, name, label: name.toUpperCase(), kind: 'text', options: {} })
const collection = {
  fields: ['title', 'notes', 'place'].map(field),
  titleField: 'title',
} as unknown as TypedCollection

const COLUMNS = ['title-id', 'place-id', 'createdAt']
const row = (ordinal: number, marks: object | undefined, values: object = {}) =>
  ({ ordinal, record: { id: `r${ordinal}`, values: { title: `T${ordinal}`, ...values }, marks } }) as never

describe('the columns with a search match', () => {
  test('are the matching visible columns in order, or the first column if the match is elsewhere', () => {
    expect(hitColumns(collection, row(0, { place: [[0, 1]], title: [[0, 1]] }), COLUMNS)).toEqual(COLUMNS.slice(0, 2))
    expect(hitColumns(collection, row(0, { notes: [[0, 1]] }), COLUMNS)).toEqual(['title-id'])
    expect(hitColumns(collection, row(0, {}), COLUMNS)).toEqual(['title-id'])
    expect(hitColumns(collection, row(0, { title: [[0, 1]] }), [])).toEqual([undefined])
  })

  test('are empty for a record that was changed since the search', () => {
    expect(hitColumns(collection, row(0, undefined), COLUMNS)).toEqual([])
  })
})

describe('the next search match', () => {
  const rows: readonly (readonly string[] | undefined)[] = [['a', 'c'], ['b'], [], ['a'], undefined]
  const list = { span: { first: 0, end: 5 }, columnIds: ['a', 'b', 'c'], hitsIn: (ordinal: number) => rows[ordinal] }
  const after = (ordinal: number, columnId: string | undefined, step: SearchStep = 1, isWholeRow = false) =>
    nextHit(list, { ordinal, columnId, isWholeRow }, step)

  test('is in the same row, or otherwise in the next row with a match', () => {
    expect(after(0, 'a')).toEqual({ ordinal: 0, columnId: 'c' })
    expect(after(0, 'c')).toEqual({ ordinal: 1, columnId: 'b' })
    expect(after(1, 'b')).toEqual({ ordinal: 3, columnId: 'a' })
    expect(after(0, undefined)).toEqual({ ordinal: 0, columnId: 'a' })
  })

  test('can be searched for backward, starting within the row if a whole row is selected', () => {
    expect(after(3, 'a', -1)).toEqual({ ordinal: 1, columnId: 'b' })
    expect(after(0, 'c', -1)).toEqual({ ordinal: 0, columnId: 'a' })
    expect(after(0, 'a', -1)).toBeUndefined()
    expect(after(0, 'c', 1, true)).toEqual({ ordinal: 0, columnId: 'a' })
    expect(after(0, 'a', -1, true)).toEqual({ ordinal: 0, columnId: 'c' })
  })

  test('is pending if the row is not loaded, and missing at the end of the list', () => {
    expect(after(3, 'a')).toEqual({ ordinal: 4, columnId: undefined, isLoading: true })
    expect(nextHit({ ...list, span: { first: 0, end: 4 } }, { ordinal: 3, columnId: 'a', isWholeRow: false }, 1)).toBe(
      undefined,
    )
  })

  test('is the next card in a card layout', () => {
    const cards = { ...list, columnIds: [], hitsIn: () => [undefined] }
    expect(nextHit(cards, { ordinal: 1, columnId: undefined, isWholeRow: false }, 1)).toMatchObject({ ordinal: 2 })
    expect(nextHit(cards, { ordinal: 1, columnId: undefined, isWholeRow: false }, -1)).toMatchObject({ ordinal: 0 })
  })
})

describe('a search match is announced', () => {
  test('with its field, its row and the part of the value near the match', () => {
    const found = row(6, { place: [[0, 4]] }, { place: 'Harbour' })
    expect(describeHit(collection, found, 'place-id')).toBe('PLACE: “Harbour”, row 7')
    expect(describeHit(collection, found)).toBe('PLACE: “Harbour”, row 7')
    const long = `${'Nothing here. '.repeat(20)}Harbour${' and more'.repeat(20)}`
    const said = describeHit(collection, row(0, { notes: [[280, 287]] }, { notes: long }), 'notes-id')
    expect(said).toContain('Harbour')
    expect(said.length).toBeLessThan(110)
  })

  test('with the title, the row and the hidden fields that match, if the server reports those fields', () => {
    expect(describeHit(collection, row(1, { notes: [[0, 1]] }), 'title-id')).toBe('T1, found in NOTES, row 2')
    expect(describeHit(collection, row(1, {}), 'title-id')).toBe('T1, row 2')
  })
})
