import { describe, expect, test } from 'vitest'
import { type Field, FIELD_KINDS, type FieldKind } from '#domain/fields/field.ts'
import { checkFilterIn, environmentOfRules } from '#domain/query/check/check-filter.ts'
import { printFilter } from '#domain/query/filter/print-filter.ts'
import { addCondition } from '#web/shared/conditions/add-condition.ts'
import { quickFilters } from './quick-filter.tsx'

const ID = '01m00000000000000000000009'
const choices = ['open', 'done'].map((name, at) => ({ id: `01m0000000000000000000000${at}`, name, color: 'gray' }))
const OPTIONS: { readonly [Kind in FieldKind]?: object } = {
  select: { choices },
  'multi-select': { choices },
  state: { choices },
  relation: { collection: 'c', many: true },
  reverse: { collection: 'c', relation: 'link' },
  user: { many: true },
  formula: { formula: '"words"', result: 'text' },
  lookup: { path: ['link'], field: 'name', function: 'first', result: 'text' },
  count: { path: ['link'], function: 'count', result: 'number' },
  rollup: { path: ['link'], field: 'due', function: 'max', result: 'date' },
}
const field = (kind: FieldKind, required = false): Field =>
  // Contains the options of every field type.
  ({
    id: 'f',
    name: 'f',
    label: 'F',
    required,
    unique: false,
    default: null,
    kind,
    options: OPTIONS[kind] ?? {},
  }) as Field

const LINK: Field = { ...field('relation'), id: 'link', name: 'link' }

const VALUES: { readonly [Kind in FieldKind]: unknown } = {
  text: 'say "hi"',
  'long-text': 'two\nlines',
  'rich-text': 'words',
  number: 1.5,
  checkbox: true,
  date: '2026-03-01',
  'date-time': '2026-03-01T12:00:00.000Z',
  select: 'open',
  'multi-select': ['open', 'done'],
  state: 'done',
  email: 'ana@example.org',
  url: 'https://example.org/',
  phone: '+15550100123',
  relation: [{ id: ID, title: 'Anker' }],
  reverse: { count: 1, records: [{ id: ID, title: 'Anker' }] },
  user: [{ id: ID, name: 'Ana Ito' }],
  files: [{ id: ID, name: 'a.png', bytes: 1 }],
  'auto-number': 7,
  json: { a: 1 },
  formula: 'words',
  lookup: 'words',
  count: 3,
  rollup: '2026-03-01',
}

const texts = (kind: FieldKind, value: unknown = VALUES[kind]) =>
  quickFilters(field(kind), value).map(({ label, condition }) => `${label}: ${printFilter(condition)}`)

describe('a cell', () => {
  test('a cell with a value offers filters for equal, not equal and empty', () => {
    expect(texts('select')).toEqual([
      'Only open: f = "open"',
      'Not open: f != "open"',
      'Only empty: f is empty',
      'Not empty: f is not empty',
    ])
    expect(texts('text')[0]).toBe(String.raw`Only “say "hi"”: f = "say \"hi\""`)
    expect(texts('number')[1]).toBe('Not 1.5: f != 1.5')
    expect(texts('user')[0]).toBe(`Only Ana Ito: f = "${ID}"`)
    expect(texts('date-time')[0]).toContain('f = "2026-03-0')
  })

  test('a cell with several values offers filters for all of them and for none of them', () => {
    expect(texts('multi-select').slice(0, 2)).toEqual([
      'Only open and done: f = "open" && f = "done"',
      'Not open or done: f != "open" && f != "done"',
    ])
  })

  test('an empty cell offers a filter for empty, and a checkbox for true and false', () => {
    expect(texts('date', null)).toEqual(['Only empty: f is empty', 'Not empty: f is not empty'])
    expect(texts('checkbox')).toEqual(['Only yes: f = true', 'Only no: f != true'])
    expect(texts('checkbox', false)).toEqual(['Only no: f != true', 'Only yes: f = true'])
  })

  test('documents, files and JSON offer only filters for empty', () => {
    for (const kind of ['rich-text', 'files', 'json'] as const) expect(texts(kind)).toHaveLength(2)
    expect(texts('long-text', 'x'.repeat(400))).toHaveLength(2)
  })

  test('required fields offer no filter for empty', () => {
    expect(quickFilters(field('text', true), 'x').map(({ label }) => label)).toEqual(['Only “x”', 'Not “x”'])
  })

  test('every field type offers only valid filters', () => {
    for (const kind of FIELD_KINDS) {
      const collection = { id: 'c', name: 'c', label: 'C', fields: [field(kind), LINK], titleField: null, version: 1 }
      const surroundings = environmentOfRules({
        collection,
        collectionOf: () => collection,
        decisionFor: () => ({ allowed: true, hiddenFields: new Set() }),
        now: new Date(0),
        timeZone: 'UTC',
        workspaceTimeZone: 'UTC',
        actorId: null,
      })
      for (const { condition } of quickFilters(field(kind), VALUES[kind]))
        expect(checkFilterIn(surroundings, printFilter(condition))).toMatchObject({ ok: true })
    }
  })
})

const open = { field: 'status', op: '=', value: 'open' } as const
const paid = { field: 'paid', op: '=', value: true } as const

test('a quick filter is added to any filter with “and”', () => {
  expect(addCondition('', open)).toBe('status = "open"')
  expect(addCondition('paid = true', open)).toBe('paid = true && status = "open"')
  expect(addCondition('paid = true || due is empty', open)).toBe('(paid = true || due is empty) && status = "open"')
  expect(addCondition('', { all: [open, paid] })).toBe('status = "open" && paid = true')
  expect(addCondition('paid = true', { any: [open, paid] })).toBe('paid = true && (status = "open" || paid = true)')
})

test('a quick filter skips existing conditions and leaves an invalid filter unchanged', () => {
  expect(addCondition('paid = true  &&  status="open"', open)).toBe('paid = true  &&  status="open"')
  expect(addCondition('paid = true', { all: [open, paid] })).toBe('paid = true && status = "open"')
  expect(addCondition('paid =', open)).toBe('paid =')
})
