import { describe, expect, test } from 'vitest'
import type { Collection } from '../collections/collection.ts'
import type { Field } from '../fields/field.ts'
import { checkGrants, type GrantDraft } from './check-policy.ts'

const id = (letter: string): string => letter.repeat(26)
const bare = { required: false, unique: false, default: null } as const
const field = (name: string, rest: Pick<Field, 'kind' | 'options'>): Field =>
  ({ id: id(name.charAt(0)), name, label: name, ...bare, ...rest }) as Field

const people: Collection = {
  id: id('p'),
  name: 'people',
  label: 'People',
  fields: [
    field('salary', { kind: 'number', options: {} }),
    field('region', {
      kind: 'select',
      options: { choices: [{ id: id('n'), name: 'North', color: 'red' }] },
    }),
    field('boss', { kind: 'user', options: { many: false } }),
    field('day', { kind: 'date', options: {} }),
    field('kin', { kind: 'relation', options: { collection: id('p'), many: true } }),
  ],
  titleField: null,
  version: 1,
}

let made = 0
const check = (...drafts: readonly Partial<GrantDraft>[]) =>
  checkGrants(
    drafts.map((draft) => ({ permission: 'records:read', collection: 'people', ...draft })),
    {
      find: (name) => (name === people.name || name === people.id ? people : undefined),
      collectionOf: (wanted) => (wanted === people.id ? people : undefined),
      attributeNames: ['email', 'name', 'region'],
      newId: () => `new-${(made += 1)}`,
    },
  )

const faults = (draft: Partial<GrantDraft>) => {
  const checked = check(draft)
  return checked.ok ? [] : checked.fault.map(({ path, code }) => `${path} ${code}`)
}

describe('grants', () => {
  test('store field and option IDs, so they survive renames', () => {
    const checked = check({
      permission: 'records:create',
      where: 'region = "North" && kin.salary > 3 && boss = @me && region in (@me.region)',
      fields: { except: ['salary'] },
      presets: { region: 'North', boss: { marker: '@me' }, day: { marker: '@today+7d' } },
    })
    expect(checked.ok && checked.value[0]).toEqual({
      id: expect.stringMatching(/^new-/),
      permission: 'records:create',
      collection: id('p'),
      where: {
        all: [
          { field: id('r'), op: '=', value: id('n') },
          { field: `${id('k')}.${id('s')}`, op: '>', value: 3 },
          { field: id('b'), op: '=', value: { marker: '@me' } },
          { field: id('r'), op: 'in', value: [{ marker: '@me.region' }] },
        ],
      },
      fields: { except: [id('s')] },
      presets: { [id('r')]: id('n'), [id('b')]: { marker: '@me' }, [id('d')]: { marker: '@today+7d' } },
    })
  })

  test('keep their ID, but a duplicate ID is replaced', () => {
    const checked = check({ id: 'a' }, { id: 'a' })
    expect(checked.ok && checked.value.map((grant) => grant.id)).toEqual(['a', expect.stringMatching(/^new-/)])
  })

  test('for all collections can only use system fields', () => {
    expect(check({ collection: null, where: 'createdBy = @me' }).ok).toBe(true)
    expect(faults({ collection: null, where: 'salary > 3' })).toEqual(['grants.0.where invalid-filter'])
    expect(faults({ collection: null, fields: { only: ['salary'] } })).toEqual(['grants.0.fields out-of-place'])
  })

  test('report the position of an invalid condition', () => {
    const checked = check({ where: 'salary > 3 && wage = 4' })
    expect(checked.ok ? [] : checked.fault).toEqual([
      {
        path: 'grants.0.where',
        code: 'invalid-filter',
        message: expect.stringContaining('At character 15: There is no field “wage”'),
        position: 14,
      },
    ])
    expect(faults({ where: { all: [{ field: 'salary', op: '=', value: 'x' }] } })).toEqual([
      'grants.0.where.all.0 invalid-filter',
    ])
  })

  test.each<[string, Partial<GrantDraft>, string]>([
    ['an unknown collection', { collection: 'pupils' }, 'grants.0.collection unknown-collection'],
    ['a collection of the workspace', { permission: 'audit:read' }, 'grants.0.collection out-of-place'],
    ['an unknown field', { fields: { only: ['wage'] } }, 'grants.0.fields unknown-field'],
    ['fields of a deletion', { permission: 'records:delete', fields: { only: [] } }, 'grants.0.fields out-of-place'],
    ['a condition on an import', { permission: 'records:import', where: 'salary > 1' }, 'grants.0.where out-of-place'],
    ['presets to read', { presets: { salary: 1 } }, 'grants.0.presets out-of-place'],
    ['a choice that is gone', { where: `region != "${id('g')}"` }, 'grants.0.where invalid-filter'],
    ['a name nobody has', { where: 'region = @me.regoin' }, 'grants.0.where invalid-filter'],
    ['people’s own names', { where: 'region = @me.name' }, 'grants.0.where invalid-filter'],
    ['a sign that compares', { where: 'region < @me.region' }, 'grants.0.where invalid-filter'],
    ['a text in a number', { where: 'salary = @me.region' }, 'grants.0.where invalid-filter'],
  ])('are rejected with %s', (_, draft, fault) => {
    expect(faults(draft)).toEqual([fault])
  })

  test.each([
    [{ salary: 'much' }],
    [{ region: 'South' }],
    [{ day: { marker: '@me' } }],
    [{ boss: { marker: '@today' } }],
    [{ day: { marker: '@tomorrow' } }],
    [{ wage: 1 }],
  ])('are rejected if a default value is invalid: %j', (presets) => {
    const [name = ''] = Object.keys(presets)
    expect(faults({ permission: 'records:create', presets })).toEqual([`grants.0.presets.${name} bad-preset`])
  })
})
