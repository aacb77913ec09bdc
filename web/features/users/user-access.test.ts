import { expect, test } from 'vitest'
import { changedRights } from './user-access.ts'

const before = { roles: ['viewer', 'editor'], profile: { region: 'North', teams: ['a', 'b'] } }

test("the same roles and attributes in a different order don't count as a change", () => {
  expect(changedRights(before, before)).toBeUndefined()
  expect(changedRights(before, { ...before, roles: ['editor', 'viewer'] })).toBeUndefined()
  expect(changedRights({ roles: [], profile: {} }, { roles: [], profile: { region: '', teams: [] } })).toBeUndefined()
})

test('only changes are sent, with cleared attributes as empty values', () => {
  expect(changedRights(before, { ...before, roles: ['editor'] })).toEqual({ roles: ['editor'] })
  const profile = { region: '', teams: ['a', 'b'], office: 'Graz' }
  expect(changedRights(before, { ...before, profile })).toEqual({ profile: { region: '', office: 'Graz' } })
  expect(changedRights(before, { ...before, profile: { region: 'North' } })).toEqual({ profile: { teams: '' } })
})

test('undo restores the previous user access exactly', () => {
  const after = { roles: ['editor'], profile: { office: 'Graz' } }
  expect(changedRights(after, before)).toEqual({
    roles: ['viewer', 'editor'],
    profile: { office: '', region: 'North', teams: ['a', 'b'] },
  })
})
