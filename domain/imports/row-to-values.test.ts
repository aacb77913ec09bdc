import { describe, expect, test } from 'vitest'
import type { Collection } from '../collections/collection.ts'
import type { Field } from '../fields/field.ts'
import { mapColumns } from './map-columns.ts'
import { createRowReader } from './row-to-values.ts'

const PLAIN = { required: false, unique: false, default: null, options: {} } as const
const title: Field = { ...PLAIN, id: 'f1', name: 'title', label: 'Name', kind: 'text', required: true }
const pages: Field = {
  ...PLAIN,
  id: 'f2',
  name: 'pages',
  label: 'Number of pages',
  kind: 'number',
  options: { min: 1 },
}
const lent: Field = { ...PLAIN, id: 'f3', name: 'lent', label: 'Lent', kind: 'checkbox', default: true }
const authors: Field = {
  ...PLAIN,
  id: 'f4',
  name: 'authors',
  label: 'Authors',
  kind: 'relation',
  options: { collection: 'people', many: true },
}
const scans: Field = { ...PLAIN, id: 'f5', name: 'scans', label: 'Scans', kind: 'files' }

const BOOKS: Collection = {
  id: 'books',
  name: 'books',
  label: 'Books',
  fields: [title, pages, lent, authors, scans],
  titleField: 'f1',
  version: 1,
}

describe('columns', () => {
  const mapped = (...headers: readonly string[]) => mapColumns(headers, BOOKS, new Set()).map((field) => field?.id)

  test('match fields by name or label, ignoring case and accents', () => {
    expect(mapped('title', 'Number of pages', ' LENT ', 'áuthors')).toEqual(['f1', 'f2', 'f3', 'f4'])
  })

  test('stay unmapped if no unused field matches', () => {
    expect(mapped('Name', 'title', 'shelf', '')).toEqual([undefined, 'f1', undefined, undefined])
  })

  test('never match files or hidden fields', () => {
    expect(mapped('scans')).toEqual([undefined])
    expect(mapColumns(['pages'], BOOKS, new Set(['f2']))).toEqual([undefined])
  })
})

describe('a row', () => {
  const columns = [
    { at: 0, header: 'title', field: 'f1' },
    { at: 1, header: 'pages', field: 'f2' },
    { at: 2, header: 'authors', field: 'f4' },
  ]
  const reader = createRowReader({ collection: BOOKS, columns, width: 3 })

  test('is converted to one value per mapped field, plus default values', () => {
    expect(reader.fields.map((field) => field.id)).toEqual(['f1', 'f2', 'f4', 'f3'])
    expect(reader.read(["'=A tale", '12', 'Ada; "Hopper; Grace"; Ada'])).toEqual({
      ok: true,
      values: ['=A tale', 12, [], true],
      titles: [['Ada', 'Hopper; Grace']],
      key: null,
      missing: [],
    })
  })

  test('can have missing cells at the end, or extra empty ones', () => {
    expect(reader.read(['A tale'])).toMatchObject({ ok: true, values: ['A tale', null, [], true] })
    expect(reader.read(['A tale', '', '', '', ' '])).toMatchObject({ ok: true })
  })

  test('is rejected with all of its errors', () => {
    const reading = reader.read([' ', 'twelve', '', 'stray'])
    expect(reading.ok || reading.faults).toEqual([
      { at: null, column: '', code: 'extra-cells', text: '', message: expect.stringContaining('4 cells') },
      { at: 0, column: 'title', code: 'required', text: ' ', message: 'This field is required.' },
      { at: 1, column: 'pages', code: 'not-number', text: 'twelve', message: '“twelve” isn’t a number.' },
    ])
  })
})

describe('a column', () => {
  const choices = ['red', 'blue'].map((name) => ({ id: name, name, color: 'gray' as const }))
  const price: Field = { ...PLAIN, id: 'f6', name: 'price', label: 'Price', kind: 'number' }
  const colors: Field = {
    ...PLAIN,
    id: 'f7',
    name: 'colors',
    label: 'Colors',
    kind: 'multi-select',
    options: { choices },
  }
  const collection: Collection = { ...BOOKS, fields: [price, colors] }
  const read = (cells: readonly string[], reading: object) => {
    const columns = [
      { at: 0, header: 'price', field: 'f6', ...reading },
      { at: 1, header: 'colors', field: 'f7', ...reading },
    ]
    const row = createRowReader({ collection, columns, width: 2 }).read(cells)
    return row.ok ? row.values : row.faults.map(({ at, code, text }) => ({ at, code, text }))
  }

  test('is parsed using the format of each column', () => {
    expect(read(['1.234', 'red, blue'], { format: { decimal: ',', separator: ',' } })).toEqual([1234, ['red', 'blue']])
    expect(read(['1.234', 'red; blue'], {})).toEqual([1.234, ['red', 'blue']])
  })

  test('is reported with each rejected value', () => {
    expect(read(['free', 'red; pink; teal'], {})).toEqual([
      { at: 0, code: 'not-number', text: 'free' },
      { at: 1, code: 'not-choice', text: 'pink' },
      { at: 1, code: 'not-choice', text: 'teal' },
    ])
  })

  test('can have a replacement per list entry, or an empty value if a cell can’t be parsed', () => {
    const replace = [
      { from: 'free', to: '0' },
      { from: 'pink', to: 'red' },
      { from: 'teal', to: '' },
    ]
    expect(read([' free ', 'pink; teal; blue'], { replace })).toEqual([0, ['red', 'blue']])
    expect(read(['free', 'red'], { emptyUnreadable: true })).toEqual([null, ['red']])
  })
})
