import { describe, expect, test } from 'vitest'
import type { Filter } from '#domain/query/filter/filter.ts'
import { printFilter } from '#domain/query/filter/print-filter.ts'
import { columnCondition, conditionCount, treeOf, withColumnCondition } from './filter-tree.ts'

const tree = (text: string): Filter => {
  const filter = treeOf(text)
  expect(filter).toBeDefined()
  return filter ?? { all: [] }
}

const named = (name: string) => ({ id: `id_${name}`, name })

describe('condition of a column filter', () => {
  test('is the only condition on its field that must hold', () => {
    expect(columnCondition(tree('a = 1 && b ~ "x"'), named('b'))).toEqual({ field: 'b', op: '~', value: 'x' })
    expect(columnCondition(tree('a = 1'), named('a'))).toEqual({ field: 'a', op: '=', value: 1 })
  })

  test('may refer to the field by id', () => {
    expect(columnCondition(tree('id_b ~ "x"'), named('b'))).toEqual({ field: 'id_b', op: '~', value: 'x' })
  })

  test('is not one of several or an alternative', () => {
    expect(columnCondition(tree('a > 1 && a < 9'), named('a'))).toBeUndefined()
    expect(columnCondition(tree('a = 1 || b = 2'), named('a'))).toBeUndefined()
  })

  test("doesn't compare with another field", () => {
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

  test('is added next to alternatives, not inside them', () => {
    const filter = withColumnCondition(tree('a = 1 || b = 2'), named('a'), { field: 'a', op: '=', value: 3 })
    expect(printFilter(filter)).toBe('(a = 1 || b = 2) && a = 3')
  })

  test('leaves an empty filter if it was the only one', () => {
    expect(printFilter(withColumnCondition(tree('a = 1'), named('a'), undefined))).toBe('')
  })
})

test('counts conditions in nested groups', () => {
  expect(conditionCount(tree('a = 1 && (b = 2 || c = 3)'))).toBe(3)
  expect(conditionCount(tree(''))).toBe(0)
})
