import { describe, expect, test } from 'vitest'
import { expiryOf, availablePermissions, scopesOf, START_DRAFT } from './token-draft.ts'

const ONE = '01hzzzzzzzzzzzzzzzzzzzzzzz'

describe('a token that is being made', () => {
  test('reads records everywhere unless more is asked for', () => {
    expect(scopesOf(START_DRAFT)).toEqual(['records:read'])
  })

  test('binds what it may to the chosen collections, and leaves the workspace as a whole unbound', () => {
    const draft = { ...START_DRAFT, permissions: ['records:read', 'audit:read'] as const, collections: [ONE] }
    expect(scopesOf(draft)).toEqual([`records:read@${ONE}`, 'audit:read'])
  })

  test('is never offered what its user does not hold, nor what is only done by hand', () => {
    expect(availablePermissions(['records:read', 'users:manage', 'roles:manage'])).toEqual(['records:read'])
  })

  test('ends after the chosen days, or never', () => {
    expect(expiryOf({ ...START_DRAFT, days: '30' }, 0)).toBe('1970-01-31T00:00:00.000Z')
    expect(expiryOf({ ...START_DRAFT, days: 'never' }, 0)).toBeNull()
  })
})
