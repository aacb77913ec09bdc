import { expect, test } from 'vitest'
import { draftOf, isWholeDraft, OWN_RECORDS, sentenceInputOf, withGrant, withGrantApart } from './grant-draft.ts'
import type { GrantBody } from '#web/features/roles/matrix/matrix.ts'

const ALL: GrantBody = {
  id: 'g1',
  permission: 'records:read',
  collection: null,
  where: null,
  fields: null,
  presets: null,
}
const SOME: GrantBody = { ...ALL, id: 'g2', collection: 'c1', where: OWN_RECORDS, fields: { except: ['f1'] } }

test('converts a grant to a draft and back', () => {
  for (const grant of [ALL, SOME]) {
    const { where, fields, presets } = grant
    expect(sentenceInputOf(draftOf(grant))).toEqual({ where, fields, presets })
  }
  expect(draftOf(SOME).records).toBe('own')
})

test('allows nothing until something is chosen', () => {
  expect(sentenceInputOf(draftOf(undefined))).toBeNull()
})

test('is incomplete without a condition or fields for “some”', () => {
  expect(isWholeDraft({ ...draftOf(ALL), records: 'some' })).toBe(false)
  expect(isWholeDraft({ ...draftOf(ALL), fieldChoice: 'only' })).toBe(false)
  expect(isWholeDraft(draftOf(SOME))).toBe(true)
})

test('updates, adds and removes a grant in place', () => {
  const place = { permission: 'records:read', collection: null } as const
  const own = { where: OWN_RECORDS, fields: null, presets: null }
  expect(withGrant([ALL, SOME], 'g1', place, own).map(({ id, where }) => [id, where])).toEqual([
    ['g1', OWN_RECORDS],
    ['g2', OWN_RECORDS],
  ])
  expect(withGrant([ALL], undefined, place, own)).toHaveLength(2)
  expect(withGrant([ALL, SOME], 'g1', place, null).map(({ id }) => id)).toEqual(['g2'])
})

test('splits a grant for all collections, except for one', () => {
  const grants = withGrantApart([ALL, SOME], ALL, { collections: ['c1', 'c2', 'c3'], apart: 'c2', said: null })
  expect(grants.map(({ collection }) => collection)).toEqual(['c1', 'c1', 'c3'])
  const said = { where: OWN_RECORDS, fields: null, presets: null }
  const kept = withGrantApart([ALL], ALL, { collections: ['c1', 'c2'], apart: 'c2', said })
  expect(kept).toEqual([
    { permission: 'records:read', collection: 'c1', where: null },
    { permission: 'records:read', collection: 'c2', ...said },
  ])
})
