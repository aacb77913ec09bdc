import { describe, expect, test } from 'vitest'
import type { Collection } from '../collections/collection.ts'
import { FIELD_KINDS, type Field, type FieldKind, KIND_FACTS } from '../fields/field.ts'
import { type Filter, OPERATORS, type Operator } from '../query/filter/filter.ts'
import { takesKind, type OperandKind } from '../query/filter/operators.ts'
import type { Grant } from './grant.ts'
import { effectiveGrant, grantInputFault, grantOperators } from './grant-inputs.ts'

/** Formulas are tested like their results. */
const TESTED_KINDS = FIELD_KINDS.filter((kind) => KIND_FACTS[kind].shape !== 'formula')

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
  fields: [...TESTED_KINDS.map(fieldOf), { ...fieldOf('select'), id: 'other', name: 'other' }],
  titleField: 'f-text',
  version: 1,
}
const world = { collection, collectionOf: () => collection }
const KINDS: readonly OperandKind[] = [...TESTED_KINDS, 'id']
const nameOf = (kind: OperandKind): string => kind.replaceAll('-', '_')
const faultOf = (where: Filter) => grantInputFault(where, world)
const isOpen = (field: string, op: Operator, value: unknown = 'x') =>
  faultOf({ field, op, ...(value !== undefined && { value }) } as Filter) === undefined

describe('the conditions of a grant', () => {
  const listed = (op: Operator) => KINDS.filter((kind) => grantOperators(kind).includes(op))

  test('support exactly the listed operators', () => {
    const left = OPERATORS.flatMap((op) =>
      KINDS.filter((kind) => takesKind(op, kind) && !listed(op).includes(kind)).map((kind) => `${kind} ${op}`),
    )
    const options = ['select', 'multi-select', 'state']
    const byName = ['~', '!~', '^=', '$=']
    const byOrder = ['<', '<=', '>', '>=', 'between']
    const wanted = [
      ...[...options, 'user', 'relation', 'reverse', 'files'].flatMap((kind) => byName.map((op) => `${kind} ${op}`)),
      ...options.flatMap((kind) => byOrder.map((op) => `${kind} ${op}`)),
    ]
    expect(left.toSorted()).toEqual(wanted.toSorted())
  })

  test('list only operators that filters support', () => {
    for (const op of OPERATORS) {
      for (const kind of listed(op)) expect(takesKind(op, kind), `${kind} ${op}`).toBe(true)
    }
  })

  test.each(['user', 'createdBy', 'updatedBy', 'relation.user', 'relation.relation.createdBy', 'f-user'])(
    'can’t match %s by name',
    (field) => {
      for (const op of ['~', '!~', '^=', '$='] as const) expect(isOpen(field, op), op).toBe(false)
      expect(isOpen(field, '=', { marker: '@me' })).toBe(true)
    },
  )

  test.each(['select', 'multi_select', 'state', 'relation.state'])(
    'can’t compare %s by order or match part of its name',
    (field) => {
      for (const op of ['<', '<=', '>', '>=', '~', '!~', '^=', '$='] as const) expect(isOpen(field, op), op).toBe(false)
      expect(isOpen(field, 'between', ['Open', 'Open'])).toBe(false)
      expect(isOpen(field, 'in', ['Open'])).toBe(true)
    },
  )

  test('can’t match record titles or file names', () => {
    expect(isOpen('relation', '~')).toBe(false)
    expect(isOpen('files', '~')).toBe(false)
    expect(isOpen('relation.text', '~')).toBe(true)
    expect(isOpen('files', 'is empty', undefined)).toBe(true)
  })

  test.each(['@me.email', '@me.name'])('can’t use the marker %s', (marker) => {
    for (const op of ['=', '!='] as const) expect(isOpen('text', op, { marker })).toBe(false)
    expect(isOpen('email', 'in', ['a', { marker }])).toBe(false)
    expect(faultOf({ any: [{ all: [{ field: 'text', op: '=', value: { marker } }] }] })?.part).toBe('value')
  })

  test('can require a user attribute to match, but not to differ', () => {
    const value = { marker: '@me.region' }
    expect(isOpen('select', '=', value)).toBe(true)
    expect(isOpen('text', 'in', [value])).toBe(true)
    expect(isOpen('select', '!=', value)).toBe(false)
    expect(isOpen('user', '!=', { marker: '@me' })).toBe(true)
  })

  test('can’t compare the options of two fields, because options are matched by name', () => {
    expect(isOpen('select', '=', { field: 'other' })).toBe(false)
    expect(isOpen('select', '=', { field: 'relation.select' })).toBe(true)
    expect(isOpen('select', '<', { field: 'relation.select' })).toBe(false)
    expect(isOpen('number', '<', { field: 'auto_number' })).toBe(true)
    expect(isOpen('user', '=', { field: 'createdBy' })).toBe(true)
  })
})

test('support “is empty” for every field type', () => {
  for (const kind of FIELD_KINDS) expect(isOpen(nameOf(kind), 'is empty', undefined), kind).toBe(true)
})

describe('an effective grant', () => {
  const grant = (where: Filter): Grant => ({ permission: 'records:read', collection: 'things', where })
  const bad: Filter = { field: 'user', op: '!~', value: 'Ann' }
  const good: Filter = { field: 'text', op: '=', value: 'x' }

  test.each([
    [good, good],
    [bad, { any: [] }],
    [{ all: [good, bad] }, { all: [good, { any: [] }] }],
    [{ any: [good, { all: [bad] }] }, { any: [good, { all: [{ any: [] }] }] }],
  ] as const)('matches nothing for an unsupported condition: %j', (where, counted) => {
    expect(effectiveGrant(grant(where), world).where).toEqual(counted)
  })

  test('is returned unchanged if all its conditions are supported', () => {
    const whole = grant(good)
    expect(effectiveGrant(whole, world).where).toBe(good)
    expect(effectiveGrant({ permission: 'records:read', collection: null }, world)).toEqual({
      permission: 'records:read',
      collection: null,
    })
  })

  test('matches nothing if a default value is the user’s email', () => {
    const starts: Grant = {
      permission: 'records:create',
      collection: 'things',
      presets: { f: { marker: '@me.email' } },
    }
    expect(effectiveGrant(starts, world).where).toEqual({ any: [] })
  })
})
