import { describe, expect, test } from 'vitest'
import type { FieldKind } from '#domain/fields/field.ts'
import { columnFilterOf } from './column-condition.ts'

const read = (kind: FieldKind, typed: string) => columnFilterOf({ kind }).read(typed, 'f')
const again = (kind: FieldKind, typed: string) => {
  const condition = read(kind, typed)
  return condition && columnFilterOf({ kind }).print(condition)
}

describe('column filter', () => {
  test('of text contains the words', () => {
    expect(read('text', ' boston ')).toEqual({ field: 'f', op: '~', value: 'boston' })
    expect(read('rich-text', '  ')).toBeUndefined()
  })

  test('of numbers accepts a value, a comparison and a range', () => {
    expect(read('number', '5')).toEqual({ field: 'f', op: '=', value: 5 })
    expect(read('number', '>= 1,200')).toEqual({ field: 'f', op: '>=', value: 1200 })
    expect(read('number', '5..10')).toEqual({ field: 'f', op: 'between', value: [5, 10] })
    expect(read('number', 'five')).toBeUndefined()
    expect(read('number', '>')).toBeUndefined()
  })

  test('of dates expands a year or month to its days', () => {
    expect(read('date', '2001')).toEqual({ field: 'f', op: 'between', value: ['2001-01-01', '2001-12-31'] })
    expect(read('date', '2000-02')).toEqual({ field: 'f', op: 'between', value: ['2000-02-01', '2000-02-29'] })
    expect(read('date', '<2001-03-05')).toEqual({ field: 'f', op: '<', value: '2001-03-05' })
    expect(read('date', '2001-02-30')).toBeUndefined()
  })

  test('shows what was typed', () => {
    for (const typed of ['5', '>5', '!=5', '5..10']) expect(again('number', typed)).toBe(typed)
    for (const typed of ['2001', '2001-03', '2001-03-05', '>=2001-03-05']) expect(again('date', typed)).toBe(typed)
    expect(again('text', 'boston')).toBe('boston')
    expect(again('checkbox', 'false')).toBe('false')
    expect(again('select', 'Open')).toBe('Open')
  })

  test("is empty for conditions it can't express", () => {
    expect(columnFilterOf({ kind: 'text' }).print({ field: 'f', op: '!~', value: 'x' })).toBe('')
    expect(columnFilterOf({ kind: 'number' }).print({ field: 'f', op: 'is empty' })).toBe('')
    expect(columnFilterOf({ kind: 'select' }).print({ field: 'f', op: 'in', value: ['a', 'b'] })).toBe('')
  })
})
