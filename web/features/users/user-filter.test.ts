import { expect, test } from 'vitest'
import type { UserBody } from '#api/users.ts'
import { EVERYBODY, isLookedFor, type UserFilter } from './user-filter.ts'

const aUser = (part: Partial<UserBody>): UserBody => ({
  id: 'u1',
  email: 'rene@example.org',
  name: 'René Müller',
  roles: [{ id: 'editor', name: 'Editor' }],
  profile: {},
  createdAt: '2026-11-20T08:00:00.000Z',
  isDisabled: false,
  hasSecondFactor: false,
  isInvited: false,
  lastSeenAt: null,
  ...part,
})

const finds = (part: Partial<UserFilter>, user: Partial<UserBody> = {}) =>
  isLookedFor(aUser(user), { ...EVERYBODY, ...part })

test('people are found by parts of their name or address, however they are written', () => {
  expect(finds({})).toBe(true)
  expect(finds({ words: 'mull rene' })).toBe(true)
  expect(finds({ words: 'EXAMPLE.org' })).toBe(true)
  expect(finds({ words: 'rene smith' })).toBe(false)
})

test('people are found by any of their roles', () => {
  const roles = [
    { id: 'viewer', name: 'Viewer' },
    { id: 'editor', name: 'Editor' },
  ]
  expect(finds({ role: 'editor' }, { roles })).toBe(true)
  expect(finds({ role: 'owner' }, { roles })).toBe(false)
})

test('people are found by how they stand; whoever is locked out stands as nothing else', () => {
  expect(finds({ standing: 'here' })).toBe(true)
  expect(finds({ standing: 'here' }, { isInvited: true })).toBe(false)
  expect(finds({ standing: 'invited' }, { isInvited: true })).toBe(true)
  expect(finds({ standing: 'invited' }, { isInvited: true, isDisabled: true })).toBe(false)
  expect(finds({ standing: 'locked-out' }, { isInvited: true, isDisabled: true })).toBe(true)
  expect(finds({ standing: 'no-factor' }, { hasSecondFactor: true })).toBe(false)
  expect(finds({ standing: 'no-factor' })).toBe(true)
})
