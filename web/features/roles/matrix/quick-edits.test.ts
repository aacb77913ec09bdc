import { describe, expect, test } from 'vitest'
import type { PolicyBody, RoleBody } from '#api/roles.ts'
import type { Field } from '#domain/fields/field.ts'
import { isThem } from '#web/features/roles/grants/grant-draft.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { EVERY_COLLECTION, type GrantBody, type Subject } from './matrix.ts'
import { cellEdit, copiedRow, rowEdit, rowPresets } from './quick-edits.ts'

const plain = { required: false, unique: false, default: null } as const

const person = (id: string, name: string): Field => ({
  ...plain,
  id,
  name,
  label: 'Inspector',
  kind: 'user',
  options: { many: false },
})

const text = (id: string, name: string): Field => ({ ...plain, id, name, label: name, kind: 'text', options: {} })

const SITES: TypedCollection = {
  ...EVERY_COLLECTION,
  id: 'sites',
  label: 'Sites',
  fields: [person('f1', 'inspector'), text('f2', 'salary')],
}
const CASES: TypedCollection = { ...SITES, id: 'cases', label: 'Cases', fields: [person('f3', 'inspector')] }

const grant = (part: Partial<GrantBody>): GrantBody => ({
  id: 'g',
  permission: 'records:read',
  collection: 'sites',
  where: null,
  fields: null,
  presets: null,
  ...part,
})

const policyOf = (id: string, roles: readonly string[], ...grants: readonly GrantBody[]): PolicyBody => ({
  id,
  name: id,
  about: '',
  grants: [...grants],
  examples: [],
  roles: [...roles],
  version: 1,
})

function subject(...policies: readonly PolicyBody[]): Subject {
  const role: RoleBody = {
    id: 'inspector',
    name: 'Inspector',
    about: '',
    policies: policies.map(({ id }) => id),
    isFixed: false,
    users: 0,
    version: 1,
  }
  return { who: 'Inspector', role, policies }
}

const own = (...grants: readonly GrantBody[]) => subject(policyOf('own', ['inspector'], ...grants))

const READING = { permission: 'records:read', collection: 'sites' } as const

const set = (who: Subject, records: 'all' | 'none') =>
  cellEdit(who, READING, { part: { records }, collection: SITES })?.grants

describe('a cell', () => {
  test("is granted in the role's own policy, or in a new one", () => {
    expect(set(own(), 'all')).toEqual([{ ...READING, where: null, fields: null, presets: null }])
    expect(cellEdit(subject(), READING, { part: { records: 'all' }, collection: SITES })?.policy).toBeUndefined()
  })

  test('excluded fields are kept when the record selection changes, and the grant is removed if no records are selected', () => {
    const limited = grant({ where: isThem('f1'), fields: { except: ['f2'] } })
    expect(set(own(limited), 'all')).toMatchObject([{ id: 'g', where: null, fields: { except: ['f2'] } }])
    expect(set(own(limited), 'none')).toEqual([])
  })

  test.each([
    ['inherited from all collections', own(grant({ collection: null }))],
    ['shared with another role', subject(policyOf('shared', ['inspector', 'viewer'], grant({})))],
    ['the sum of two grants', own(grant({ where: isThem('f1') }), grant({ id: 'h', where: isThem('createdBy') }))],
  ])('needs the form if it is %s', (_, who) => {
    expect(set(who, 'none')).toBeUndefined()
  })
})

describe('a row', () => {
  const preset = (label: string) => {
    const found = rowPresets(SITES).find((one) => one.label === label)
    if (!found) throw new Error(`No preset “${label}”`)
    return found
  }
  const granted = (who: Subject, label: string) =>
    rowEdit(who, SITES, preset(label))?.grants.map(({ permission, collection }) => `${permission}@${collection}`)

  test('an access level is applied immediately and replaces the existing grants of the role for that collection', () => {
    const others = grant({ id: 'h', collection: 'cases' })
    const deleting = grant({ id: 'd', permission: 'records:delete' })
    expect(granted(own(others, deleting), 'View only')).toEqual(['records:read@cases', 'records:read@sites'])
    expect(granted(own(others, deleting), 'No access')).toEqual(['records:read@cases'])
  })

  test('records in which a user field contains the current user are offered', () => {
    const edit = rowEdit(own(), SITES, preset('Edit records where Inspector is the user'))
    expect(edit?.grants.map(({ where }) => where)).toEqual([isThem('f1'), isThem('f1'), isThem('f1')])
  })

  test('excluded fields are never shown', () => {
    const limited = grant({ fields: { except: ['f2'] } })
    expect(rowEdit(own(limited), SITES, preset('Full access'))?.grants[0]).toMatchObject({ fields: { except: ['f2'] } })
  })

  test('access levels below inherited access are not offered', () => {
    const inherited = own(grant({ collection: null }))
    expect(granted(inherited, 'No access')).toBeUndefined()
    expect(granted(inherited, 'Create and edit own records')).toBeUndefined()
    expect(granted(inherited, 'View only')).toEqual(['records:read@null', 'records:read@sites'])
  })
})

describe('a copied row of permissions', () => {
  const context = {
    collectionOf: () => undefined,
    attributeNames: [],
  }
  const copied = (...grants: readonly GrantBody[]) => copiedRow(own(...grants), { from: SITES, to: [CASES] }, context)

  test('matches fields by name and replaces existing grants for the target collection', () => {
    const { grants, left } = copied(grant({ where: isThem('f1') }), grant({ id: 'old', collection: 'cases' }))
    expect(left).toEqual([])
    expect(grants).toMatchObject([
      { id: 'g', collection: 'sites' },
      { collection: 'cases', where: { field: 'inspector', op: '=', value: { marker: '@me' } } },
    ])
  })

  test("omits references to fields that don't exist in the target collection", () => {
    const { grants, left } = copied(grant({ fields: { except: ['f2'] } }))
    expect(grants).toHaveLength(1)
    expect(left).toEqual([{ permission: 'records:read', collection: 'cases' }])
  })
})
