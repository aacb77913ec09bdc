import { expect, test } from 'vitest'
import {
  draftOf,
  isThem,
  isWholeDraft,
  OWN_RECORDS,
  sentenceInputOf,
  withGrant,
  withGrantApart,
} from './grant-draft.ts'
import type { Permission } from '#domain/access/permission.ts'
import { EVERY_COLLECTION, type GrantBody } from '#web/features/roles/matrix/matrix.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { isChosen, recordScopes } from './record-scopes.ts'

const STAFF: TypedCollection = {
  ...EVERY_COLLECTION,
  id: 'c1',
  fields: [
    {
      id: 'inspector',
      name: 'inspector',
      label: 'Inspector',
      kind: 'user',
      required: false,
      unique: false,
      default: null,
      options: { many: false },
    },
  ],
}

const ALL: GrantBody = {
  id: 'g1',
  permission: 'records:read',
  collection: null,
  where: null,
  fields: null,
  presets: null,
}
const SOME: GrantBody = { ...ALL, id: 'g2', collection: 'c1', where: OWN_RECORDS, fields: { except: ['f1'] } }

test('a grant converts to a draft and back', () => {
  for (const grant of [ALL, SOME]) {
    const { where, fields, presets } = grant
    expect(sentenceInputOf(draftOf(grant, STAFF))).toEqual({ where, fields, presets })
  }
  expect(draftOf(SOME, STAFF).records).toBe('own')
})

const INSPECTOR = { ...SOME, where: isThem('inspector') }

test('one option selects records in which a user field contains the current user', () => {
  const [chosen] = recordScopes('records:read', STAFF).filter(({ part }) => isChosen(part, draftOf(INSPECTOR, STAFF)))
  expect(chosen?.label).toBe('Records where Inspector is the user')
  expect(sentenceInputOf({ ...draftOf(undefined, STAFF), ...chosen?.part })?.where).toEqual(INSPECTOR.where)
  expect(draftOf({ ...SOME, where: isThem('updatedBy') }, STAFF).records).toBe('some')
})

test('own records are not offered for creating records, and conditions are offered only for permissions that support them', () => {
  const offered = (permission: Permission) => recordScopes(permission, STAFF).map(({ value }) => value)
  expect(offered('records:read')).toEqual(['none', 'all', 'own', 'named-inspector', 'some'])
  expect(offered('records:create')).toEqual(['none', 'all', 'named-inspector', 'some'])
  expect(offered('records:import')).toEqual(['none', 'all'])
})

test('nothing is granted until something is selected', () => {
  expect(sentenceInputOf(draftOf(undefined, STAFF))).toBeNull()
})

test('“some” is incomplete without a condition or fields', () => {
  expect(isWholeDraft({ ...draftOf(ALL, STAFF), records: 'some' })).toBe(false)
  expect(isWholeDraft({ ...draftOf(ALL, STAFF), fieldChoice: 'only' })).toBe(false)
  expect(isWholeDraft(draftOf(SOME, STAFF))).toBe(true)
})

test('grants are updated, added and removed in place', () => {
  const place = { permission: 'records:read', collection: null } as const
  const own = { where: OWN_RECORDS, fields: null, presets: null }
  expect(withGrant([ALL, SOME], 'g1', place, own).map(({ id, where }) => [id, where])).toEqual([
    ['g1', OWN_RECORDS],
    ['g2', OWN_RECORDS],
  ])
  expect(withGrant([ALL], undefined, place, own)).toHaveLength(2)
  expect(withGrant([ALL, SOME], 'g1', place, null).map(({ id }) => id)).toEqual(['g2'])
})

test('a grant for all collections is split when one collection is changed', () => {
  const grants = withGrantApart([ALL, SOME], ALL, { collections: ['c1', 'c2', 'c3'], apart: 'c2', said: null })
  expect(grants.map(({ collection }) => collection)).toEqual(['c1', 'c1', 'c3'])
  const said = { where: OWN_RECORDS, fields: null, presets: null }
  const kept = withGrantApart([ALL], ALL, { collections: ['c1', 'c2'], apart: 'c2', said })
  expect(kept).toEqual([
    { permission: 'records:read', collection: 'c1', where: null },
    { permission: 'records:read', collection: 'c2', ...said },
  ])
})
