import { describe, expect, test } from 'vitest'
import type { Collection } from '../collections/collection.ts'
import type { Field } from '../fields/field.ts'
import { checkRules, faultInRule, type RuleDraft } from './check-rules.ts'
import { MAX_RULES, MAX_RULE_MESSAGE, type Rule } from './rule.ts'

const about = (name: string) => ({ id: `id-${name}`, name, label: name, required: false, unique: false, default: null })
const SHIPPED = '01m00000000000000000000002'
const choices = [
  { id: '01m00000000000000000000001', name: 'open', color: 'blue' },
  { id: SHIPPED, name: 'shipped', color: 'green' },
] as const
const FIELDS: readonly Field[] = [
  { ...about('status'), kind: 'select', options: { choices } },
  { ...about('tracking'), kind: 'text', options: {} },
  { ...about('owner'), kind: 'user', options: { many: false } },
  { ...about('customer'), kind: 'relation', options: { collection: 'customers', many: false } },
]
const orders: Collection = {
  id: 'orders',
  name: 'orders',
  label: 'Orders',
  fields: FIELDS,
  titleField: null,
  version: 1,
}
const customers: Collection = {
  ...orders,
  id: 'customers',
  label: 'Customers',
  fields: [{ ...about('country'), kind: 'text', options: {} }],
}

const world = {
  collection: orders,
  collectionOf: (id: string) => (id === 'customers' ? customers : undefined),
  now: new Date('2026-11-20T09:00:00.000Z'),
  workspaceTimeZone: 'UTC',
  decisionFor: () => ({ allowed: true, hiddenFields: new Set<string>() }) as const,
}

const TRACKED: RuleDraft = { when: 'status = "shipped"', then: 'tracking is not empty', message: 'It has a number.' }

function check(drafts: readonly RuleDraft[], known: readonly Rule[] = []) {
  let count = 0
  return checkRules(drafts, { ...world, known, newId: () => `new-${(count += 1)}` })
}

const faults = (...drafts: readonly RuleDraft[]) => {
  const checked = check(drafts)
  return checked.ok ? [] : checked.fault
}

const kept = (draft: RuleDraft): Rule => {
  const checked = check([draft])
  const [rule] = checked.ok ? checked.value : []
  if (!rule) throw new Error('refused')
  return rule
}

describe('a rule submitted for saving', () => {
  test('stores field and option IDs', () => {
    const rule: Rule = {
      id: 'new-1',
      when: { field: 'id-status', op: '=', value: SHIPPED },
      then: { field: 'id-tracking', op: 'is not empty' },
      message: 'It has a number.',
      field: 'id-tracking',
    }
    expect(check([{ ...TRACKED, field: 'tracking' }])).toEqual({ ok: true, value: [rule] })
    const { id: _, ...byId } = rule
    expect(check([byId])).toEqual({ ok: true, value: [rule] })
    expect(kept({ then: 'customer.country = "AT"', message: 'm' }).then).toMatchObject({
      field: 'id-customer.id-country',
    })
  })

  test('keeps its ID, which must be unique', () => {
    const known = [kept(TRACKED)]
    expect(check([{ ...TRACKED, id: 'new-1' }], known)).toMatchObject({ ok: true, value: [{ id: 'new-1' }] })
    const twice = check(
      [
        { ...TRACKED, id: 'new-1' },
        { ...TRACKED, id: 'new-1' },
      ],
      known,
    )
    expect(twice).toMatchObject({ ok: false, fault: [{ path: 'rules.1.id', code: 'unknown-rule' }] })
    expect(faults({ ...TRACKED, id: 'other' })).toMatchObject([{ path: 'rules.0.id' }])
  })

  test('applies to every record if `when` is empty', () => {
    for (const when of [null, '', { all: [] }, undefined]) expect(kept({ ...TRACKED, when }).when).toBeNull()
  })

  test('requires a `then` condition and a message', () => {
    expect(faults({ then: ' ', message: '' })).toMatchObject([
      { path: 'rules.0.message', code: 'required' },
      { path: 'rules.0.then', code: 'required' },
    ])
    expect(faults({ ...TRACKED, message: 'x'.repeat(MAX_RULE_MESSAGE + 1) })).toMatchObject([{ code: 'too-long' }])
    expect(faults({ ...TRACKED, message: '😀'.repeat(MAX_RULE_MESSAGE) })).toEqual([])
  })

  test('is validated against its collection’s fields and options; errors include the position', () => {
    expect(faults({ then: 'status = "lost"', message: 'm' })).toMatchObject([{ path: 'rules.0.then', position: 9 }])
    expect(faults({ then: 'customer.size > 2', message: 'm', field: 'size' })).toMatchObject([
      { path: 'rules.0.field' },
      { path: 'rules.0.then', message: expect.stringContaining('Customers') },
    ])
  })

  test('can’t depend on the current user', () => {
    for (const then of ['owner = @me', 'createdBy != @me', { field: 'owner', op: '=', value: '@me' } as const]) {
      expect(faults({ then, message: 'm' })).toMatchObject([{ message: expect.stringContaining('@me') }])
    }
    expect(faults({ then: 'createdAt > @today-1y', message: 'm' })).toEqual([])
  })

  test('counts toward a limit on rules and values', () => {
    expect(faults(...Array.from({ length: MAX_RULES }, () => TRACKED))).toEqual([])
    expect(faults(...Array.from({ length: MAX_RULES + 1 }, () => TRACKED))).toMatchObject([{ code: 'too-many' }])
    const long: RuleDraft = { then: { field: 'tracking', op: 'in', value: Array(1500).fill('a') }, message: 'm' }
    expect(faults(long, long, long)).toEqual([])
    expect(faults(long, long, long, long)).toMatchObject([{ path: 'rules', code: 'too-many' }])
  })
})

describe('a rule saved by a user with restricted access', () => {
  const blind = (hidden: string, where?: object) =>
    ({
      ...world,
      known: [kept({ ...TRACKED, then: 'customer.country = "AT"' })],
      newId: () => 'new',
      decisionFor: (id: string) => ({
        allowed: true,
        hiddenFields: new Set([hidden]),
        ...(where && id === 'customers' && { where: { field: 'country', op: '=', value: 'AT' } as const }),
      }),
    }) as const

  test('can’t use hidden fields, which are reported as unknown', () => {
    const hidden = checkRules([{ then: 'customer.country = "AT"', message: 'm' }], blind('id-country'))
    const absent = checkRules([{ then: 'customer.county = "AT"', message: 'm' }], blind('id-country'))
    expect(hidden.ok || absent.ok).toBe(false)
    if (hidden.ok || absent.ok) return
    expect(hidden.fault[0]?.message.replace('country', 'county')).toBe(absent.fault[0]?.message)
    expect(checkRules([{ then: 'tracking = "x"', message: 'm' }], blind('id-tracking')).ok).toBe(false)
  })

  test('can’t use fields of linked records that are only partly visible', () => {
    const draft: RuleDraft = { then: 'customer.country = "AT"', message: 'm' }
    expect(checkRules([draft], blind('', {}))).toMatchObject({ ok: false, fault: [{ path: 'rules.0.then' }] })
    expect(checkRules([{ then: 'customer is not empty', message: 'm' }], blind('', {})).ok).toBe(true)
  })

  test('keeps conditions that other users wrote and that didn’t change', () => {
    const around = blind('id-country')
    const [rule] = around.known
    const again = checkRules([{ ...rule, message: 'Other words.' }], around)
    expect(again).toMatchObject({ ok: true, value: [{ ...rule, message: 'Other words.' }] })
  })
})

describe('a stored rule', () => {
  test('becomes invalid if a field or option it uses is deleted', () => {
    const rule = kept(TRACKED)
    const [status, ...others] = FIELDS
    expect(faultInRule(rule, world)).toBeUndefined()
    expect(faultInRule(rule, { ...world, collection: { ...orders, fields: others } })).toBeDefined()
    if (status?.kind !== 'select') throw new Error('it is a select')
    const without = { ...status, options: { choices: choices.slice(0, 1) } }
    expect(faultInRule(rule, { ...world, collection: { ...orders, fields: [without, ...others] } })).toBeDefined()
  })
})
