import { describe, expect, test } from 'vitest'
import type { RuleBody } from '#api/rules.ts'
import type { Field } from '#domain/fields/field.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { violationAt, violationsIn } from './rule-violations.ts'
import { createRuleChecker } from './rule-checker.ts'

const about = (name: string) => ({ id: `id-${name}`, name, label: name, required: false, unique: false, default: null })
const choices = [
  { id: '01m00000000000000000000001', name: 'open', color: 'blue' },
  { id: '01m00000000000000000000002', name: 'shipped', color: 'green' },
] as const
const FIELDS: readonly Field[] = [
  { ...about('title'), kind: 'text', options: {} },
  { ...about('status'), kind: 'select', options: { choices } },
  { ...about('tracking'), kind: 'text', options: {} },
  { ...about('amount'), kind: 'number', options: {} },
  { ...about('paid'), kind: 'number', options: {} },
  { ...about('customer'), kind: 'relation', options: { collection: 'customers', many: false } },
]

const TRACKED: RuleBody = {
  id: 'r1',
  when: { field: 'status', op: '=', value: 'shipped' },
  then: { field: 'tracking', op: 'is not empty' },
  message: 'Shipped orders need a tracking number.',
  field: 'tracking',
}
const PAID: RuleBody = {
  id: 'r2',
  when: { field: 'status', op: '=', value: 'open' },
  then: { field: 'amount', op: '<', value: 10 },
  message: 'Only small amounts stay open.',
  field: null,
}
const KNOWN: RuleBody = {
  id: 'r3',
  when: null,
  then: { field: 'customer.country', op: 'is not empty' },
  message: 'The customer has a country.',
  field: null,
}

const orders = (...rules: RuleBody[]): TypedCollection => ({
  id: 'orders',
  name: 'orders',
  label: 'Orders',
  titleField: 'title',
  version: 1,
  timeZone: 'UTC',
  can: [],
  fields: FIELDS,
  rules,
})

const OPEN = { title: 'a', status: 'open', tracking: null, amount: 1 }

describe('the rule checker', () => {
  test('holds back an edit that violates a rule and reports the violation on its field', () => {
    const checker = createRuleChecker(orders(TRACKED))
    expect(checker(OPEN, { status: 'shipped', title: 'b' })).toEqual({
      breaches: [{ path: 'tracking', message: TRACKED.message, fields: ['status', 'tracking'] }],
      withheld: ['status'],
    })
    expect(checker(OPEN, { status: 'shipped', tracking: 'T1' })).toEqual({ breaches: [], withheld: [] })
  })

  test('ignores violations that already existed', () => {
    const checker = createRuleChecker(orders(TRACKED))
    expect(checker({ ...OPEN, status: 'shipped' }, { title: 'b' })).toEqual({ breaches: [], withheld: [] })
    expect(checker({ ...OPEN, status: 'shipped' }, { tracking: '' }).withheld).toEqual(['tracking'])
  })

  test('holds back edits that depend on another held edit, without reporting an error for them', () => {
    // A large amount requires the shipped status, which requires a tracking number.
    expect(createRuleChecker(orders(TRACKED, PAID))(OPEN, { status: 'shipped', amount: 50 })).toEqual({
      breaches: [expect.objectContaining({ message: TRACKED.message })],
      withheld: ['status', 'amount'],
    })
  })

  test('holds back and reports both fields of a violated comparison', () => {
    const settled: RuleBody = {
      id: 'r4',
      when: null,
      then: { field: 'paid', op: '<=', value: { field: 'amount' } },
      message: 'Nobody pays more than the amount.',
      field: 'paid',
    }
    const checker = createRuleChecker(orders(settled))
    const before = { ...OPEN, amount: 5, paid: 5 }
    for (const edit of [{ paid: 6 }, { amount: 4 }]) {
      const { breaches, withheld } = checker(before, edit)
      expect(withheld).toEqual(Object.keys(edit))
      expect(['paid', 'amount', 'title'].map((field) => violationAt(breaches, field))).toEqual([
        settled.message,
        settled.message,
        undefined,
      ])
    }
    expect(checker(before, { amount: 6, paid: 6 })).toEqual({ breaches: [], withheld: [] })
    const problem = { path: 'paid', code: 'rule-broken', message: settled.message }
    expect(violationAt(violationsIn([problem], [settled], ['amount']), 'amount')).toBe(settled.message)
  })

  test('leaves rules about other records to the server', () => {
    expect(createRuleChecker(orders(KNOWN))(OPEN, { customer: [] })).toEqual({ breaches: [], withheld: [] })
  })

  test('checks only valid values', () => {
    expect(createRuleChecker(orders(PAID))(OPEN, { amount: 'much' })).toEqual({ breaches: [], withheld: [] })
  })
})

describe('a rule violation reported by the server', () => {
  test('holds back the fields it names, or all sent fields if the named ones are hidden', () => {
    const problem = { path: '', code: 'rule-broken', message: KNOWN.message }
    expect(violationsIn([problem], [TRACKED, KNOWN], ['customer', 'title'])[0]?.fields).toEqual(['customer'])
    const secret = { ...problem, message: 'A rule you cannot see.' }
    expect(violationsIn([secret], [TRACKED, KNOWN], ['customer', 'title'])[0]?.fields).toEqual(['customer', 'title'])
  })
})
