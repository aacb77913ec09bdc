import { describe, expect, test } from 'vitest'
import type { FieldKind } from '#domain/fields/field.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import { printFilter } from '#domain/query/filter/print-filter.ts'
import { columnCondition, columnFilterOf, conditionCount, treeOf, withColumnCondition } from './column-condition.ts'

const read = (kind: FieldKind, typed: string) => columnFilterOf({ kind }).read(typed, 'f')
const again = (kind: FieldKind, typed: string) => {
  const condition = read(kind, typed)
  return condition && columnFilterOf({ kind }).print(condition)
}

describe('a column filter', () => {
  test('for text matches all the words entered', () => {
    expect(read('text', ' boston ')).toEqual({ field: 'f', op: '~', value: 'boston' })
    expect(read('rich-text', '  ')).toBeUndefined()
  })

  test('for numbers accepts a value, a comparison or a range', () => {
    expect(read('number', '5')).toEqual({ field: 'f', op: '=', value: 5 })
    expect(read('number', '>= 1,200')).toEqual({ field: 'f', op: '>=', value: 1200 })
    expect(read('number', '5..10')).toEqual({ field: 'f', op: 'between', value: [5, 10] })
    expect(read('number', 'five')).toBeUndefined()
    expect(read('number', '>')).toBeUndefined()
  })

  test('for dates expands a year or month to a date range', () => {
    expect(read('date', '2001')).toEqual({ field: 'f', op: 'between', value: ['2001-01-01', '2001-12-31'] })
    expect(read('date', '2000-02')).toEqual({ field: 'f', op: 'between', value: ['2000-02-01', '2000-02-29'] })
    expect(read('date', '<2001-03-05')).toEqual({ field: 'f', op: '<', value: '2001-03-05' })
    expect(read('date', '2001-02-30')).toBeUndefined()
  })

  test('shows the text as entered', () => {
    for (const typed of ['5', '>5', '!=5', '5..10']) expect(again('number', typed)).toBe(typed)
    for (const typed of ['2001', '2001-03', '2001-03-05', '>=2001-03-05']) expect(again('date', typed)).toBe(typed)
    expect(again('text', 'boston')).toBe('boston')
    expect(again('checkbox', 'false')).toBe('false')
    expect(again('select', 'Open')).toBe('Open')
  })

  test('is empty if it cannot express the condition', () => {
    expect(columnFilterOf({ kind: 'text' }).print({ field: 'f', op: '!~', value: 'x' })).toBe('')
    expect(columnFilterOf({ kind: 'number' }).print({ field: 'f', op: 'is empty' })).toBe('')
    expect(columnFilterOf({ kind: 'select' }).print({ field: 'f', op: 'in', value: ['a', 'b'] })).toBe('')
  })
})

const tree = (text: string): Filter => {
  const filter = treeOf(text)
  expect(filter).toBeDefined()
  return filter ?? { all: [] }
}

const named = (name: string) => ({ id: `id_${name}`, name })

describe('the condition of a column filter', () => {
  test('is the only condition on its field, and is required', () => {
    expect(columnCondition(tree('a = 1 && b ~ "x"'), named('b'))).toEqual({ field: 'b', op: '~', value: 'x' })
    expect(columnCondition(tree('a = 1'), named('a'))).toEqual({ field: 'a', op: '=', value: 1 })
  })

  test('can refer to the field by ID', () => {
    expect(columnCondition(tree('id_b ~ "x"'), named('b'))).toEqual({ field: 'id_b', op: '~', value: 'x' })
  })

  test('is never an alternative or one of several conditions on its field', () => {
    expect(columnCondition(tree('a > 1 && a < 9'), named('a'))).toBeUndefined()
    expect(columnCondition(tree('a = 1 || b = 2'), named('a'))).toBeUndefined()
  })

  test('is not a comparison with another field', () => {
    expect(columnCondition(tree('a >= b'), named('a'))).toBeUndefined()
    const filter = withColumnCondition(tree('a >= b'), named('a'), { field: 'a', op: '=', value: 1 })
    expect(printFilter(filter)).toBe('a >= b && a = 1')
  })

  test('is changed and removed in place', () => {
    const filter = tree('a = 1 && b ~ "x" && c is empty')
    expect(printFilter(withColumnCondition(filter, named('b'), { field: 'b', op: '~', value: 'y' }))).toBe(
      'a = 1 && b ~ "y" && c is empty',
    )
    expect(printFilter(withColumnCondition(filter, named('b'), undefined))).toBe('a = 1 && c is empty')
  })

  test('is added next to a group of alternatives, not inside it', () => {
    const filter = withColumnCondition(tree('a = 1 || b = 2'), named('a'), { field: 'a', op: '=', value: 3 })
    expect(printFilter(filter)).toBe('(a = 1 || b = 2) && a = 3')
  })

  test('leaves an empty filter when the only condition is removed', () => {
    expect(printFilter(withColumnCondition(tree('a = 1'), named('a'), undefined))).toBe('')
  })
})

test('the filter count includes conditions in nested groups', () => {
  expect(conditionCount(tree('a = 1 && (b = 2 || c = 3)'))).toBe(3)
  expect(conditionCount(tree(''))).toBe(0)
})
