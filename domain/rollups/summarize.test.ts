import { expect, test } from 'vitest'
import { resultOf, rollupCell, summarize } from './summarize.ts'

test('sums don’t depend on the order, and have the digits of decimals', () => {
  expect(summarize('sum', [0.1, 0.2])).toBe(0.3)
  expect(summarize('sum', [1e15, 0.5, -1e15])).toBe(0.5)
  expect(summarize('sum', [0.5, 1e15, -1e15])).toBe(0.5)
  expect(summarize('avg', [0.1, 0.2, 0.3])).toBe(0.2)
  expect(summarize('sum', [9e99, 9e99])).toBeNull()
})

test('functions of no values are empty, 0 or false', () => {
  expect(summarize('sum', [])).toBe(0)
  expect(summarize('count', [])).toBe(0)
  expect(summarize('avg', [])).toBeNull()
  expect(summarize('min', [])).toBeNull()
  expect(summarize('first', [])).toBeNull()
  expect(summarize('join', [])).toBeNull()
  expect(summarize('any', [])).toBe(false)
  expect(summarize('all', [])).toBe(false)
})

test('values keep the order of the path', () => {
  expect(summarize('first', ['b', 'a'])).toBe('b')
  expect(summarize('last', ['b', 'a'])).toBe('a')
  expect(summarize('join', ['b', 'a', 'b'])).toBe('b, a, b')
  expect(summarize('countDistinct', ['b', 'a', 'b'])).toBe(2)
})

test('minimum and maximum compare numbers and dates', () => {
  expect(summarize('min', [10, 9])).toBe(9)
  expect(summarize('max', [10, 9])).toBe(10)
  expect(summarize('max', ['2026-03-01', '2026-11-01'])).toBe('2026-11-01')
})

test('cells are summarized without empty ones', () => {
  expect(rollupCell('sum', '[1, null, 2.5]')).toBe(3.5)
  expect(rollupCell('any', '[0, 1]')).toBe(1)
  expect(rollupCell('all', '[0, 1]')).toBe(0)
})

test('a joined text that is too long is empty', () => {
  expect(summarize('join', ['x'.repeat(60_000), 'y'.repeat(60_000)])).toBeNull()
})

test('functions apply to the kinds of values that they can summarize', () => {
  expect(resultOf('sum', 'text')).toBeUndefined()
  expect(resultOf('max', 'date')).toBe('date')
  expect(resultOf('min', 'text')).toBeUndefined()
  expect(resultOf('join', 'number')).toBe('text')
  expect(resultOf('any', 'number')).toBeUndefined()
  expect(resultOf('first', 'checkbox')).toBe('checkbox')
})
