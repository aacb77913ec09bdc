import { expect, test } from 'vitest'
import { grantOperators } from '#domain/access/grant-inputs.ts'
import type { Field } from '#domain/fields/field.ts'
import { OPERATORS } from '#domain/query/filter/filter.ts'
import { takesKind } from '#domain/query/filter/operators.ts'
import {
  conditionOf,
  draftOf,
  furtherOperators,
  newCondition,
  operatorsFor,
  operatorWords,
  switchedOperator,
  withField,
  withOperator,
  withOther,
  withValues,
} from './condition-tree.ts'

const base = { id: 'f', name: 'f', label: 'F', required: false, unique: false, default: null }
const text: Field = { ...base, kind: 'text', options: {} }
const date: Field = { ...base, kind: 'date', options: {} }
const select: Field = { ...base, kind: 'select', options: { choices: [] } }
const relation: Field = { ...base, kind: 'relation', options: { collection: 'c', many: false } }

test('a condition without a value is incomplete', () => {
  const line = newCondition(1, text)
  expect(line.op).toBe('~')
  expect(conditionOf(line)).toBeUndefined()
  expect(conditionOf({ ...line, values: ['x'] })).toEqual({ field: 'f', op: '~', value: 'x' })
})

test('a new condition on a checkbox defaults to “yes”', () => {
  const checkbox: Field = { ...base, kind: 'checkbox', options: {} }
  expect(conditionOf(newCondition(1, checkbox))).toEqual({ field: 'f', op: '=', value: true })
})

test('a range needs both ends, a list needs an entry, and “is empty” needs no value', () => {
  expect(conditionOf({ key: 1, field: 'f', op: 'between', values: [1, undefined] })).toBeUndefined()
  expect(conditionOf({ key: 1, field: 'f', op: 'in', values: [] })).toBeUndefined()
  expect(conditionOf({ key: 1, field: 'f', op: 'is empty', values: [] })).toEqual({ field: 'f', op: 'is empty' })
})

test('a valid value is kept when the operator changes', () => {
  const line = { key: 1, field: 'f', op: '=', values: [5] } as const
  expect(withOperator(line, 'between').values).toEqual([5, undefined])
  expect(withOperator(withOperator(line, 'in'), '=').values).toEqual([5])
  expect(withOperator(line, 'is empty').values).toEqual([])
})

test('switching a condition to a field comparison and back restores its value', () => {
  const line = { key: 1, field: 'f', op: '<=', values: [5] } as const
  expect(conditionOf(withOther(line, ''))).toBeUndefined()
  const beside = withOther(line, 'g')
  expect(conditionOf(beside)).toEqual({ field: 'f', op: '<=', value: { field: 'g' } })
  expect(conditionOf(withOperator(beside, '='))).toEqual({ field: 'f', op: '=', value: { field: 'g' } })
  expect(conditionOf(withOperator(beside, 'is empty'))).toEqual({ field: 'f', op: 'is empty' })
  expect(conditionOf(withOperator(beside, 'in'))).toEqual({ field: 'f', op: 'in', value: [5] })
  expect(withValues(beside)).toEqual(line)
})

test('selecting another field keeps “is empty” and resets other operators', () => {
  const kept = withField({ key: 1, field: 'f', op: 'is not empty', values: [] }, { ...date, name: 'due' })
  expect(kept).toEqual({ key: 1, field: 'due', op: 'is not empty', values: [] })
  const anew = withField({ key: 1, field: 'f', op: '~', values: ['x'] }, { ...select, name: 'state' })
  expect(anew).toEqual(newCondition(1, { ...select, name: 'state' }))
})

test('every comparison supported by the builder round-trips', () => {
  const comparisons = [
    { field: 'f', op: 'is not empty' },
    { field: 'f', op: 'between', value: [1, 9] },
    { field: 'f', op: 'in', value: ['a', 'b'] },
    { field: 'f', op: '=', value: false },
    { field: 'f', op: '>=', value: { field: 'g' } },
  ] as const
  expect(comparisons.map((comparison, at) => conditionOf(draftOf(comparison, at)))).toEqual(comparisons)
})

test('every operator of a field type is offered once, common ones first', () => {
  for (const field of [text, date, select, relation]) {
    const offered = [...operatorsFor(field), ...furtherOperators(field)]
    expect(offered.toSorted()).toEqual(OPERATORS.filter((op) => takesKind(op, field.kind)).toSorted())
  }
  expect(operatorsFor(select)).toEqual(['=', '!=', 'in', 'is empty', 'is not empty'])
  expect(operatorsFor(date)).toContain('between')
})

test.each([text, date, select, relation, { ...base, kind: 'files', options: {} } as const])(
  'only operators accepted by the server are offered for grants ($kind)',
  (field) => {
    const offered = [...operatorsFor(field, true), ...furtherOperators(field, true)]
    expect(offered.length).toBeGreaterThan(1)
    expect(offered.filter((op) => !grantOperators(field.kind).includes(op))).toEqual([])
    expect(offered).toContain(newCondition(1, field, true).op)
    expect(offered).toContain(withField({ key: 1, field: 'g', op: '~', values: [] }, field, true).op)
  },
)

test('files can only be matched by name', () => {
  const files: Field = { ...base, kind: 'files', options: {} }
  expect([...operatorsFor(files), ...furtherOperators(files)]).not.toContain('=')
})

test('switching between matching by name and by record clears the value', () => {
  const line = { key: 1, field: 'f', op: '=', values: ['01m00000000000000000000001'] } as const
  expect(switchedOperator(line, '!=', relation).values).toEqual(line.values)
  expect(switchedOperator(line, '~', relation).values).toEqual([undefined])
  expect(switchedOperator({ ...line, op: '~', values: ['x'] }, '=', text).values).toEqual(['x'])
})

test('dates use “before” and “after” instead of “less” and “greater”', () => {
  expect(operatorWords('<', date)).toBe('is before')
  expect(operatorWords('<', text)).toBe('is less than')
})
