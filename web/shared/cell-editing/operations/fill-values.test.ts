import { expect, test } from 'vitest'
import type { Field } from '#domain/fields/field.ts'
import { filledValues } from './cell-operations.ts'

const field = (kind: 'number' | 'date' | 'text' | 'checkbox'): Field => ({
  id: 'f',
  name: 'f',
  label: 'F',
  kind,
  required: false,
  unique: false,
  default: null,
  options: {},
})

test('numbers, dates and text with a number continue in both directions', () => {
  expect(filledValues(field('number'), { given: [1, 2.5], count: 2, how: 'series', isBackwards: false })).toEqual([
    4, 5.5,
  ])
  expect(filledValues(field('number'), { given: [3, 4], count: 2, how: 'series', isBackwards: true })).toEqual([1, 2])
  expect(
    filledValues(field('date'), { given: ['2026-03-09', '2026-03-16'], count: 1, how: 'series', isBackwards: false }),
  ).toEqual(['2026-03-23'])
  expect(
    filledValues(field('text'), { given: ['Box 1', 'Box 2'], count: 1, how: 'series', isBackwards: false }),
  ).toEqual(['Box 3'])
})

test('other values are repeated', () => {
  expect(filledValues(field('number'), { given: [1, 2], count: 3, how: 'copy', isBackwards: false })).toEqual([1, 2, 1])
  expect(filledValues(field('number'), { given: [1, null], count: 2, how: 'series', isBackwards: true })).toEqual([
    1,
    null,
  ])
  expect(filledValues(field('checkbox'), { given: [true, false], count: 3, how: 'series', isBackwards: true })).toEqual(
    [false, true, false],
  )
  expect(filledValues(field('text'), { given: [], count: 3, how: 'copy', isBackwards: false })).toEqual([])
})
