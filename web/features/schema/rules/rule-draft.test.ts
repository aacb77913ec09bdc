import { expect, test } from 'vitest'
import type { Field } from '#domain/fields/field.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { comparedWhileEmpty, newRule, onlyWhereFilled, ruleMessage, withCustomMessage } from './rule-draft.ts'

const about = { required: false, unique: false, default: null }
const fields: readonly Field[] = [
  { ...about, id: 'f1', name: 'tracking', label: 'Tracking', kind: 'text', options: {} },
  { ...about, id: 'f2', name: 'amount', label: 'Amount', kind: 'number', options: {} },
  { ...about, id: 'f3', name: 'paid', label: 'Paid', kind: 'number', options: {} },
]
const collection: TypedCollection = {
  id: 'c1',
  name: 'orders',
  label: 'Orders',
  titleField: null,
  version: 1,
  timeZone: 'UTC',
  can: [],
  fields,
}

const said = (when: Filter | null, then: Filter) =>
  ruleMessage({ when, then }, { collection, findCollection: () => undefined })

const PRESENT: Filter = { field: 'tracking', op: 'is not empty' }
const POSITIVE: Filter = { field: 'amount', op: '>', value: 0 }

test('a required value has a default message', () => {
  expect(said(null, PRESENT)).toBe('Tracking must not be empty.')
  expect(said(POSITIVE, PRESENT)).toBe('When Amount is more than 0, Tracking must not be empty.')
})

test('a condition has a default message', () => {
  expect(said(null, POSITIVE)).toBe('Make sure that Amount is more than 0.')
  expect(said(PRESENT, POSITIVE)).toBe('When Tracking is not empty, make sure that Amount is more than 0.')
})

test('default messages follow changes to the rule, custom messages do not', () => {
  const world = { collection, findCollection: () => undefined }
  const stored = { id: 'r1', when: null, then: PRESENT, field: null }
  expect(withCustomMessage({ ...stored, message: 'Tracking must not be empty.' }, world).message).toBe('')
  expect(withCustomMessage({ ...stored, message: 'Write down the number.' }, world).message).toBe(
    'Write down the number.',
  )
})

test('a new rule starts with a required field', () => {
  expect(newRule(collection).then).toEqual(PRESENT)
  expect(newRule({ ...collection, fields: [] }).then).toBeNull()
})

const PAID: Filter = { field: 'paid', op: '<=', value: { field: 'amount' } }

test('comparisons of fields that can be empty are detected', () => {
  const names = (when: Filter | null, then: Filter, among = collection) =>
    comparedWhileEmpty({ when, then }, among).map(({ name }) => name)
  expect(names(null, PAID)).toEqual(['amount', 'paid'])
  expect(names({ field: 'paid', op: 'is not empty' }, PAID)).toEqual(['amount'])
  expect(names(null, { all: [PAID, { field: 'amount', op: 'is not empty' }] })).toEqual(['paid'])
  expect(names(null, { any: [PAID, { field: 'paid', op: 'is empty' }] })).toEqual([])
  expect(names(null, { ...PAID, op: '!=' })).toEqual([])
  expect(names(null, POSITIVE)).toEqual([])
  expect(names(null, PAID, { ...collection, fields: fields.map((field) => ({ ...field, required: true })) })).toEqual(
    [],
  )
})

test('a rule can exclude records with empty fields', () => {
  const empty = comparedWhileEmpty({ when: PRESENT, then: PAID }, collection)
  const when = onlyWhereFilled({ when: PRESENT }, empty)
  expect(when).toEqual({
    all: [PRESENT, { field: 'amount', op: 'is not empty' }, { field: 'paid', op: 'is not empty' }],
  })
  expect(comparedWhileEmpty({ when, then: PAID }, collection)).toEqual([])
})
