import { describe, expect, test } from 'vitest'
import type { Decision } from '#domain/access/decide.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import { isRuleVisible, isMessageVisible } from './visible-rules.ts'

const about = (name: string) => ({ id: name, name, label: name, required: false, unique: false, default: null })
const FIELDS: readonly Field[] = [
  { ...about('title'), kind: 'text', options: {} },
  { ...about('salary'), kind: 'number', options: {} },
  { ...about('boss'), kind: 'relation', options: { collection: 'bosses', many: false } },
]
const people: Collection = {
  id: 'people',
  name: 'people',
  label: 'People',
  fields: FIELDS,
  titleField: 'title',
  version: 1,
}
const bosses: Collection = { ...people, id: 'bosses' }

type Allowed = Extract<Decision, { allowed: true }>
const ALL: Allowed = { allowed: true, hiddenFields: new Set() }
const SOME: Filter = { field: 'title', op: '=', value: 'x' }

const isReported = (then: Filter, home: Decision = ALL, there: Decision = ALL, field: string | null = null) =>
  isMessageVisible(
    { when: null, then, field },
    {
      collection: people,
      collectionOf: (id) => (id === 'bosses' ? bosses : undefined),
      decisionFor: (id) => (id === 'people' ? home : there),
    },
  )

const PAID: Filter = { field: 'salary', op: '>', value: 1 }
const BOSS_PAID: Filter = { field: 'boss.salary', op: '>', value: 1 }
const BOSS_NAMED: Filter = { field: 'boss', op: '~', value: 'Ann' }
const AS_PAID: Filter = { field: 'title', op: '=', value: { field: 'boss.salary' } }
const BOSS_THERE: Filter = { field: 'boss', op: 'is not empty' }

describe('the message of a rule', () => {
  test('is shown to users who can read all fields and records it depends on', () => {
    for (const then of [PAID, BOSS_PAID, BOSS_NAMED, BOSS_THERE, AS_PAID]) expect(isReported(then)).toBe(true)
    expect(isReported(PAID, { ...ALL, where: SOME })).toBe(true)
  })

  test('is hidden from users who can’t read a field in some or all records', () => {
    const hidden: Decision = { ...ALL, hiddenFields: new Set(['salary']) }
    const partly: Decision = { ...ALL, partlyHidden: new Map([['salary', SOME]]) }
    for (const decision of [hidden, partly, { allowed: false } as const]) {
      expect(isReported(PAID, decision)).toBe(false)
      expect(isReported({ any: [SOME, { all: [PAID] }] }, decision)).toBe(false)
      expect(isReported(BOSS_PAID, ALL, decision)).toBe(false)
    }
    expect(isReported(SOME, hidden, ALL, 'salary')).toBe(false)
  })

  test('is hidden from users who can see only some linked records', () => {
    const bounded: Decision = { ...ALL, where: SOME }
    expect(isReported(BOSS_PAID, ALL, bounded)).toBe(false)
    expect(isReported(BOSS_NAMED, ALL, bounded)).toBe(false)
    expect(isReported(BOSS_NAMED, ALL, { ...ALL, hiddenFields: new Set(['title']) })).toBe(false)
    expect(isReported(BOSS_THERE, ALL, bounded)).toBe(true)
  })
})

describe('a comparison of two fields', () => {
  const reader = (there: Decision) => ({
    collection: people,
    collectionOf: (id: string) => (id === 'bosses' ? bosses : undefined),
    decisionFor: (id: string) => (id === 'people' ? ALL : there),
  })
  const hidden: Decision = { ...ALL, hiddenFields: new Set(['salary']) }
  const isShown = (field: string, right: string, there: Decision) =>
    isRuleVisible({ when: null, then: { field, op: '=', value: { field: right } }, field: null }, reader(there))

  test('is hidden if the field on the right side or the records it belongs to are hidden', () => {
    expect(isReported(AS_PAID, ALL, hidden)).toBe(false)
    expect(isReported(AS_PAID, ALL, { ...ALL, where: SOME })).toBe(false)
    expect(isReported({ field: 'salary', op: '>=', value: { field: 'gone' } })).toBe(false)
  })

  test('is shown to managers who can see both fields, even if one was deleted', () => {
    expect(isShown('salary', 'boss.salary', ALL)).toBe(true)
    expect(isShown('salary', 'boss.salary', hidden)).toBe(false)
    expect(isShown('boss.salary', 'salary', hidden)).toBe(false)
    expect(isShown('boss.salary', 'gone', hidden)).toBe(false)
    expect(isShown('gone', 'boss.salary', hidden)).toBe(false)
  })
})
