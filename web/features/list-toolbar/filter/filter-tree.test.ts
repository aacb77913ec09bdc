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

describe('the condition below a column', () => {
  test('is the one condition on its field that must hold beside all others', () => {
    expect(columnCondition(tree('a = 1 && b ~ "x"'), named('b'))).toEqual({ field: 'b', op: '~', value: 'x' })
    expect(columnCondition(tree('a = 1'), named('a'))).toEqual({ field: 'a', op: '=', value: 1 })
  })

  test('may name its field by its id', () => {
    expect(columnCondition(tree('id_b ~ "x"'), named('b'))).toEqual({ field: 'id_b', op: '~', value: 'x' })
  })

  test('is not one of several, nor one among alternatives', () => {
    expect(columnCondition(tree('a > 1 && a < 9'), named('a'))).toBeUndefined()
    expect(columnCondition(tree('a = 1 || b = 2'), named('a'))).toBeUndefined()
  })

  test('is none that compares it with another field', () => {
    expect(columnCondition(tree('a >= b'), named('a'))).toBeUndefined()
    const filter = withColumnCondition(tree('a >= b'), named('a'), { field: 'a', op: '=', value: 1 })
    expect(printFilter(filter)).toBe('a >= b && a = 1')
  })

  test('changes and goes in its place', () => {
    const filter = tree('a = 1 && b ~ "x" && c is empty')
    expect(printFilter(withColumnCondition(filter, named('b'), { field: 'b', op: '~', value: 'y' }))).toBe(
      'a = 1 && b ~ "y" && c is empty',
    )
    expect(printFilter(withColumnCondition(filter, named('b'), undefined))).toBe('a = 1 && c is empty')
  })

  test('comes beside alternatives as a whole, never into them', () => {
    const filter = withColumnCondition(tree('a = 1 || b = 2'), named('a'), { field: 'a', op: '=', value: 3 })
    expect(printFilter(filter)).toBe('(a = 1 || b = 2) && a = 3')
  })

  test('leaves an empty filter behind when it was the only one', () => {
    expect(printFilter(withColumnCondition(tree('a = 1'), named('a'), undefined))).toBe('')
  })
})

test('conditions are counted through all groups', () => {
  expect(conditionCount(tree('a = 1 && (b = 2 || c = 3)'))).toBe(3)
  expect(conditionCount(tree(''))).toBe(0)
})
