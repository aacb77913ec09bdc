import { describe, expect, test } from 'vitest'
import type { Field } from '#domain/fields/field.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import { parseFilter } from '#domain/query/filter/parse-filter.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { describeCondition } from './describe-condition.ts'

const about = (name: string, label: string) => ({
  id: `id-${name}`,
  name,
  label,
  required: false,
  unique: false,
  default: null,
})
const ANA = '01m00000000000000000000009'
const fields: readonly Field[] = [
  { ...about('status', 'Status'), kind: 'select', options: { choices: [] } },
  { ...about('amount', 'Amount'), kind: 'number', options: {} },
  { ...about('due', 'Due'), kind: 'date', options: {} },
  { ...about('finished', 'Finished'), kind: 'date', options: {} },
  { ...about('owner', 'Owner'), kind: 'user', options: { many: false } },
  { ...about('paid', 'Paid'), kind: 'checkbox', options: {} },
  { ...about('parent', 'Parent'), kind: 'relation', options: { collection: 'orders', many: false } },
]
const collection: TypedCollection = {
  id: 'orders',
  name: 'orders',
  label: 'Orders',
  titleField: null,
  version: 1,
  timeZone: 'UTC',
  can: [],
  fields,
}

function said(text: string): string {
  const parsed = parseFilter(text)
  if (!parsed.ok) throw new Error(parsed.fault.message)
  const personOf = (id: string) => (id === ANA ? 'Ana' : undefined)
  return describeCondition(parsed.value.filter, { collection, findCollection: () => collection, personOf })
}

describe('a condition is described in words', () => {
  test.each([
    ['status = "shipped"', 'Status is “shipped”'],
    ['status in ("a", "b") && paid = true', 'Status is one of “a”, “b” and Paid is yes'],
    ['amount between 5 and 1000', 'Amount is between 5 and 1,000'],
    ['due < @today-7d', 'Due is before 7 days ago'],
    ['due >= @today+1w || due = "2026-03-01"', 'Due is on or after 1 week from now or Due is 2026-03-01'],
    ['due = @today', 'Due is today'],
    [`owner = "${ANA}" || owner = @me`, 'Owner is Ana or Owner is me'],
    ['parent.status is empty', 'Parent › Status is empty'],
    ['paid = false && (amount > 1 || owner is empty)', 'Paid is no and (Amount is more than 1 or Owner is empty)'],
    ['gone = "x"', 'gone = “x”'],
    ['due >= finished', 'Due is on or after Finished'],
    ['status != parent.status', 'Status is not Parent › Status'],
    ['due < gone', 'Due is before gone'],
  ])('%s is “%s”', (text, words) => expect(said(text)).toBe(words))

  test('conditions on user attributes are described, including those of the current user', () => {
    const note: Filter = { field: 'status', op: '=', value: { marker: '@me.sales_region' } }
    const world = { collection, findCollection: () => collection }
    expect(describeCondition(note, world)).toBe('Status is my sales region')
    expect(describeCondition(note, { ...world, me: 'the current user' })).toBe('Status is their sales region')
  })
})
