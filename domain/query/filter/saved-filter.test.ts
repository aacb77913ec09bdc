import { describe, expect, test } from 'vitest'
import type { Collection } from '../../collections/collection.ts'
import type { Field } from '../../fields/field.ts'
import { parseFilter } from './parse-filter.ts'
import { printFilter } from './print-filter.ts'
import { filterById, filterByName, negateFilter } from './saved-filter.ts'

const about = (id: string, name: string) => ({ id, name, label: name, required: false, unique: false, default: null })
const choices = [{ id: '01m00000000000000000000001', name: 'open', color: 'blue' }] as const
const FIELDS: readonly Field[] = [
  { ...about('f1', 'status'), kind: 'select', options: { choices } },
  { ...about('f2', 'parent'), kind: 'relation', options: { collection: 'c1', many: true } },
]
const cases: Collection = { id: 'c1', name: 'cases', label: 'Cases', fields: FIELDS, titleField: null, version: 1 }
const world = { collection: cases, collectionOf: () => undefined }

const renamed: Collection = {
  ...cases,
  fields: FIELDS.map((field) =>
    field.kind === 'select'
      ? { ...field, name: 'state', options: { choices: [{ ...choices[0], name: 'begun' }] } }
      : field,
  ),
}

function parsed(text: string) {
  const filter = parseFilter(text)
  if (!filter.ok) throw new Error(filter.fault.message)
  return filter.value.filter
}

describe('a saved filter', () => {
  test('stores IDs and is shown with current names', () => {
    const filter = filterById(parsed('status in ("open") && (parent.status != "open" || createdBy = @me)'), world)
    expect(filter).toEqual({
      all: [
        { field: 'f1', op: 'in', value: [choices[0].id] },
        {
          any: [
            { field: 'f2.f1', op: '!=', value: choices[0].id },
            { field: 'createdBy', op: '=', value: { marker: '@me' } },
          ],
        },
      ],
    })
    expect(printFilter(filterByName(filter, { ...world, collection: renamed }))).toBe(
      'state in ("begun") && (parent.state != "begun" || createdBy = @me)',
    )
  })

  test('stores field IDs on both sides of a comparison', () => {
    const filter = filterById(parsed('status = parent.status && gone != status && status = gone'), world)
    expect(filter).toEqual({
      all: [
        { field: 'f1', op: '=', value: { field: 'f2.f1' } },
        { field: 'gone', op: '!=', value: { field: 'f1' } },
        { field: 'f1', op: '=', value: { field: 'gone' } },
      ],
    })
    expect(printFilter(filterByName(filter, { ...world, collection: renamed }))).toBe(
      'state = parent.state && gone != state && state = gone',
    )
  })

  test('keeps text searches and unknown names unchanged', () => {
    const said = parsed('status ~ "open" || gone.field = "open" || status = "lost"')
    expect(filterById(said, world)).toEqual({
      any: [
        { field: 'f1', op: '~', value: 'open' },
        { field: 'gone.field', op: '=', value: 'open' },
        { field: 'f1', op: '=', value: 'lost' },
      ],
    })
  })
})

describe('a negated filter', () => {
  const amount: Field = { ...about('f3', 'amount'), kind: 'number', options: {} }
  const counted = { ...world, collection: { ...cases, fields: [amount] } }

  test('merges nested groups that have the same operator', () => {
    const negated = negateFilter(parsed('amount > 1 && (amount < 2 || amount is empty)'), counted)
    expect(negated && printFilter(negated)).toBe(
      'amount <= 1 || amount is empty || ((amount >= 2 || amount is empty) && amount is not empty)',
    )
  })

  test('is rejected if it would be nested too deeply', () => {
    const deep = (levels: number): string =>
      levels === 0 ? 'amount > 1' : `(amount = 5 ${levels % 2 ? '||' : '&&'} ${deep(levels - 1)})`
    expect(negateFilter(parsed(deep(7)), counted)).toBeDefined()
    expect(negateFilter(parsed(deep(8)), counted)).toBeUndefined()
  })
})
