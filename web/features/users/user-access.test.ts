import { expect, test } from 'vitest'
import { changedRights } from './user-access.ts'

const before = { roles: ['viewer', 'editor'], profile: { region: 'North', teams: ['a', 'b'] } }

test('nothing is changed where the same roles and notes stand, in whatever order', () => {
  expect(changedRights(before, before)).toBeUndefined()
  expect(changedRights(before, { ...before, roles: ['editor', 'viewer'] })).toBeUndefined()
  expect(changedRights({ roles: [], profile: {} }, { roles: [], profile: { region: '', teams: [] } })).toBeUndefined()
})

test('only what was changed is sent, and what was emptied as empty', () => {
  expect(changedRights(before, { ...before, roles: ['editor'] })).toEqual({ roles: ['editor'] })
  const profile = { region: '', teams: ['a', 'b'], office: 'Graz' }
  expect(changedRights(before, { ...before, profile })).toEqual({ profile: { region: '', office: 'Graz' } })
  expect(changedRights(before, { ...before, profile: { region: 'North' } })).toEqual({ profile: { teams: '' } })
})

test('the way back leads exactly to where it was', () => {
  const after = { roles: ['editor'], profile: { office: 'Graz' } }
  expect(changedRights(after, before)).toEqual({
    roles: ['viewer', 'editor'],
    profile: { office: '', region: 'North', teams: ['a', 'b'] },
  })
})
