import { describe, expect, test } from 'vitest'
import type { Collection } from '#domain/collections/collection.ts'
import type { Field } from '#domain/fields/field.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import { addedAccess } from './added-access.ts'
import { FIRST_POLICIES, FIRST_ROLES } from './built-in-roles.ts'
import type { Grant } from './grant.ts'
import { PERMISSIONS } from './permission.ts'

const text = (id: string): Field<'text'> => ({
  id,
  name: id,
  label: id,
  kind: 'text',
  required: false,
  unique: false,
  default: null,
  options: {},
})

const collectionOf = (id: string, more: Partial<Collection> = {}): Collection => ({
  id,
  name: id,
  label: id,
  fields: [text('title'), text('salary')],
  titleField: null,
  version: 1,
  ...more,
})

const OWN: Filter = { field: 'createdBy', op: '=', value: { marker: '@me' } }

const read = (more: Partial<Grant> = {}): Grant => ({ permission: 'records:read', collection: 'staff', ...more })

/** The permissions that role `b` adds to role `a`. */
function added(a: readonly Grant[], b: readonly Grant[], collections = [collectionOf('staff'), collectionOf('cases')]) {
  const policy = (id: string, grants: readonly Grant[]) =>
    [
      id,
      {
        id,
        name: id,
        about: '',
        examples: [],
        version: 1,
        grants: grants.map((grant, at) => ({ ...grant, id: `${id}${at}` })),
      },
    ] as const
  const role = (id: string) => [id, { id, name: id, about: '', policies: [id], version: 1 }] as const
  const rules = { roles: new Map([role('a'), role('b')]), policies: new Map([policy('a', a), policy('b', b)]) }
  return addedAccess({ rules, collections }, ['a'], 'b')
}

describe('a second role', () => {
  test('adds nothing that the first role already allows, even if expressed differently', () => {
    expect(added([read({ collection: null })], [read({ where: OWN })])).toEqual([])
    expect(added([read({ where: OWN })], [read({ where: OWN })])).toEqual([])
    expect(added([read({ fields: { except: ['salary'] } })], [read({ fields: { only: ['title'] } })])).toEqual([])
  })

  test.each([
    ['a permission', [], [read()], 'permission'],
    ['more records', [read({ where: OWN })], [read()], 'records'],
    ['other records', [read({ where: OWN })], [read({ where: { field: 'title', op: '=', value: 'x' } })], 'records'],
    ['a field', [read({ fields: { except: ['salary'] } })], [read()], 'fields'],
    ['a field of some records', [read({ fields: { except: ['salary'] } })], [read({ where: OWN })], 'fields'],
    [
      'default values',
      [{ permission: 'records:create', collection: 'staff' }],
      [{ permission: 'records:create', collection: 'staff', presets: { title: 'x' } }],
      'presets',
    ],
  ] as const)('adds %s', (_, a, b, adds) => {
    expect(added(a, b)).toMatchObject([{ collection: 'staff', adds }])
  })

  test('adds a transition that is restricted to the second role', () => {
    const transition = { id: 't', name: 'Approve', from: 'x', to: 'y', when: null, note: 'none' } as const
    const workflow = { field: 'state', states: {}, transitions: [{ ...transition, roles: ['b'] }] }
    const moving: Grant = { permission: 'records:transition', collection: null }
    const staff = collectionOf('staff', { workflow })
    expect(added([moving], [], [staff])).toEqual([
      { permission: 'records:transition', collection: 'staff', adds: 'transitions' },
    ])
    expect(added([], [], [staff])).toEqual([])
  })

  test('with a grant for all collections adds one general entry, plus one per collection that differs', () => {
    expect(added([], [read({ collection: null })])).toEqual([
      { permission: 'records:read', collection: null, adds: 'permission' },
    ])
    expect(added([read({ where: OWN })], [read({ collection: null })])).toEqual([
      { permission: 'records:read', collection: null, adds: 'permission' },
      { permission: 'records:read', collection: 'staff', adds: 'records' },
    ])
  })
})

test('the owner role adds every permission to a role that has none', () => {
  const rules = {
    roles: new Map(FIRST_ROLES.map((role) => [role.id, role])),
    policies: new Map(FIRST_POLICIES.map((policy) => [policy.id, policy])),
  }
  const all = addedAccess({ rules, collections: [collectionOf('staff')] }, ['viewer'], 'owner')
  expect(all.map(({ permission }) => permission)).toEqual(PERMISSIONS.filter((one) => one !== 'records:read'))
  expect(addedAccess({ rules, collections: [collectionOf('staff')] }, ['owner'], 'viewer')).toEqual([])
})
