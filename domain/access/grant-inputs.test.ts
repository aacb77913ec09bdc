import { describe, expect, test } from 'vitest'
import type { Collection } from '../collections/collection.ts'
import { FIELD_KINDS, type Field, type FieldKind } from '../fields/field.ts'
import { type Filter, OPERATORS, type Operator } from '../query/filter/filter.ts'
import { OPERATOR_RULES, type OperandKind } from '../query/filter/operators.ts'
import type { Grant } from './grant.ts'
import { effectiveGrant, GRANT_OPERATORS, grantInputFault } from './grant-inputs.ts'

const id = (letter: string) => letter.repeat(26)
const choices = [{ id: id('x'), name: 'Open', color: 'gray' }]

const fieldOf = (kind: FieldKind): Field =>
  ({
    id: `f-${kind}`,
    name: kind.replaceAll('-', '_'),
    label: kind,
    kind,
    required: false,
    unique: false,
    default: null,
    options: kind === 'relation' ? { collection: 'things', many: false } : { choices, many: false },
  }) as unknown as Field

const collection: Collection = {
  id: 'things',
  name: 'things',
  label: 'Things',
  fields: [...FIELD_KINDS.map(fieldOf), { ...fieldOf('select'), id: 'other', name: 'other' }],
  titleField: 'f-text',
  version: 1,
}
const world = { collection, collectionOf: () => collection }
const nameOf = (kind: OperandKind): string => kind.replaceAll('-', '_')
const faultOf = (where: Filter) => grantInputFault(where, world)
const isOpen = (field: string, op: Operator, value: unknown = 'x') =>
  faultOf({ field, op, ...(value !== undefined && { value }) } as Filter) === undefined

describe('what a grant may depend on', () => {
  const listed = (op: Operator) =>
    (Object.keys(GRANT_OPERATORS) as OperandKind[]).filter((kind) => GRANT_OPERATORS[kind].includes(op))

  test('is exactly what is listed here, of all that filters may ask', () => {
    const left = OPERATORS.flatMap((op) =>
      OPERATOR_RULES[op].kinds.filter((kind) => !listed(op).includes(kind)).map((kind) => `${kind} ${op}`),
    )
    const options = ['select', 'multi-select', 'state']
    const byName = ['~', '!~', '^=', '$=']
    const byOrder = ['<', '<=', '>', '>=', 'between']
    const wanted = [
      ...[...options, 'user', 'relation', 'files'].flatMap((kind) => byName.map((op) => `${kind} ${op}`)),
      ...options.flatMap((kind) => byOrder.map((op) => `${kind} ${op}`)),
    ]
    expect(left.toSorted()).toEqual(wanted.toSorted())
  })

  test('is listed for nothing that no filter can ask', () => {
    for (const op of OPERATORS) {
      for (const kind of listed(op)) expect(OPERATOR_RULES[op].kinds, `${kind} ${op}`).toContain(kind)
    }
  })

  test.each(['user', 'createdBy', 'updatedBy', 'relation.user', 'relation.relation.createdBy', 'f-user'])(
    'is not the name of %s',
    (field) => {
      for (const op of ['~', '!~', '^=', '$='] as const) expect(isOpen(field, op), op).toBe(false)
      expect(isOpen(field, '=', { marker: '@me' })).toBe(true)
    },
  )

  test.each(['select', 'multi_select', 'state', 'relation.state'])('is not the order or the names of %s', (field) => {
    for (const op of ['<', '<=', '>', '>=', '~', '!~', '^=', '$='] as const) expect(isOpen(field, op), op).toBe(false)
    expect(isOpen(field, 'between', ['Open', 'Open'])).toBe(false)
    expect(isOpen(field, 'in', ['Open'])).toBe(true)
  })

  test('is not a title or a file name', () => {
    expect(isOpen('relation', '~')).toBe(false)
    expect(isOpen('files', '~')).toBe(false)
    expect(isOpen('relation.text', '~')).toBe(true)
    expect(isOpen('files', 'is empty', undefined)).toBe(true)
  })

  test.each(['@me.email', '@me.name'])('is not %s, in any place', (marker) => {
    for (const op of ['=', '!='] as const) expect(isOpen('text', op, { marker })).toBe(false)
    expect(isOpen('email', 'in', ['a', { marker }])).toBe(false)
    expect(faultOf({ any: [{ all: [{ field: 'text', op: '=', value: { marker } }] }] })?.part).toBe('value')
  })

  test('is an attribute that matches, not one that is missing', () => {
    const value = { marker: '@me.region' }
    expect(isOpen('select', '=', value)).toBe(true)
    expect(isOpen('text', 'in', [value])).toBe(true)
    expect(isOpen('select', '!=', value)).toBe(false)
    expect(isOpen('user', '!=', { marker: '@me' })).toBe(true)
  })

  test('is not an option of another field, which is equal by its name', () => {
    expect(isOpen('select', '=', { field: 'other' })).toBe(false)
    expect(isOpen('select', '=', { field: 'relation.select' })).toBe(true)
    expect(isOpen('select', '<', { field: 'relation.select' })).toBe(false)
    expect(isOpen('number', '<', { field: 'auto_number' })).toBe(true)
    expect(isOpen('user', '=', { field: 'createdBy' })).toBe(true)
  })
})

test('every kind has its list', () => {
  expect(Object.keys(GRANT_OPERATORS).toSorted()).toEqual([...FIELD_KINDS, 'id'].toSorted())
  for (const kind of FIELD_KINDS) expect(isOpen(nameOf(kind), 'is empty', undefined), kind).toBe(true)
})

describe('a grant as it counts', () => {
  const grant = (where: Filter): Grant => ({ permission: 'records:read', collection: 'things', where })
  const bad: Filter = { field: 'user', op: '!~', value: 'Ann' }
  const good: Filter = { field: 'text', op: '=', value: 'x' }

  test.each([
    [good, good],
    [bad, { any: [] }],
    [{ all: [good, bad] }, { all: [good, { any: [] }] }],
    [{ any: [good, { all: [bad] }] }, { any: [good, { all: [{ any: [] }] }] }],
  ] as const)('matches nothing by what is not listed: %j', (where, counted) => {
    expect(effectiveGrant(grant(where), world).where).toEqual(counted)
  })

  test('is the very same where everything counts', () => {
    const whole = grant(good)
    expect(effectiveGrant(whole, world).where).toBe(good)
    expect(effectiveGrant({ permission: 'records:read', collection: null }, world)).toEqual({
      permission: 'records:read',
      collection: null,
    })
  })

  test('matches nothing where new records would start with an email', () => {
    const starts: Grant = {
      permission: 'records:create',
      collection: 'things',
      presets: { f: { marker: '@me.email' } },
    }
    expect(effectiveGrant(starts, world).where).toEqual({ any: [] })
  })
})
