import { describe, expect, test } from 'vitest'
import {
  arrangeFields,
  checkRecordLayout,
  keepDeletedFields,
  type RecordLayout,
  type RecordSection,
  renamedRecordLayout,
} from './record-layout.ts'

const section = (title: string, ...fields: string[]): RecordSection => ({ title, fieldsPerLine: 1, fields })
const layout = (sections: readonly RecordSection[], ...hiddenWhenEmpty: string[]): RecordLayout => ({
  sections,
  hiddenWhenEmpty,
})
const arranged = (sections: readonly RecordSection[], ...fields: string[]) =>
  arrangeFields(sections, fields, (field) => field)

describe('the fields of a record', () => {
  const sections = [section('Ship', 'a', 'b'), section('Owner', 'c')]

  test('are in the sections and order of the layout', () => {
    expect(arranged(sections, 'c', 'b', 'a')).toEqual(sections)
  })

  test('that the layout doesn’t contain come last', () => {
    expect(arranged(sections, 'new', 'a', 'b', 'c')).toEqual([section('Ship', 'a', 'b'), section('Owner', 'c', 'new')])
  })

  test('that are hidden or deleted leave no empty section', () => {
    expect(arranged(sections, 'c')).toEqual([section('Owner', 'c')])
    expect(arranged(sections, 'a')).toEqual([section('Ship', 'a')])
    expect(arranged(sections)).toEqual([])
  })

  test('are in one section without a layout', () => {
    expect(arranged([], 'a', 'b')).toEqual([section('', 'a', 'b')])
  })
})

describe('a saved layout', () => {
  const ids: { readonly [name: string]: string } = { a: '1', b: '2', 1: '1', 2: '2' }
  const check = (draft: RecordLayout) => checkRecordLayout(draft, (field) => ids[field])

  test('contains field IDs and no empty sections', () => {
    expect(check(layout([section('', 'a'), section('None'), section('More', '2')], 'b'))).toEqual({
      ok: true,
      value: layout([section('', '1'), section('More', '2')], '2'),
    })
  })

  test('can’t contain unknown fields, or a field twice', () => {
    expect(check(layout([section('', 'a', 'x'), section('', '1')], 'y'))).toMatchObject({
      ok: false,
      fault: [
        { path: 'layout.sections.0.fields', code: 'unknown-field' },
        { path: 'layout.sections.1.fields', code: 'duplicate-field' },
        { path: 'layout.hiddenWhenEmpty', code: 'unknown-field' },
      ],
    })
  })
})

test('a layout is shown without fields that the reader can’t see, and without sections that contain only those', () => {
  const whole = layout([section('Ship', 'a', 'b'), section('Salary', 'c')], 'b', 'c')
  expect(renamedRecordLayout(whole, (field) => (field === 'c' ? undefined : field.toUpperCase()))).toEqual(
    layout([section('Ship', 'A', 'B')], 'B'),
  )
})

describe('deleted fields keep their place in a layout: they', () => {
  const before = layout([section('Ship', 'x', 'a', 'y', 'z'), section('Owner', 'b', 'w')], 'a', 'y')
  const fields = ['a', 'b', 'c'].map((id) => ({ id }))
  const keep = (saved: RecordLayout) => keepDeletedFields(saved, { layout: before, fields })

  test('follow the same field as before', () => {
    expect(keep(layout([section('All', 'b', 'a')], 'b'))).toEqual(
      layout([section('All', 'x', 'b', 'w', 'a', 'y', 'z')], 'b', 'y'),
    )
  })

  test('move with that field to another section', () => {
    expect(keep(layout([section('One', 'c'), section('Two', 'a', 'b')]))).toEqual(
      layout([section('One', 'x', 'c'), section('Two', 'a', 'y', 'z', 'b', 'w')], 'y'),
    )
  })

  test('are added once if the layout is saved unchanged', () => {
    expect(keep(renamedRecordLayout(before, (field) => ('abc'.includes(field) ? field : undefined)))).toEqual(
      layout([section('Ship', 'x', 'a', 'y', 'z'), section('Owner', 'b', 'w')], 'a', 'y'),
    )
  })
})
