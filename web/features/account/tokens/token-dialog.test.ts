import { describe, expect, test } from 'vitest'
import { availablePermissions, expiryOf, extentOf, scopesOf, START_DRAFT } from './token-dialog.tsx'

const ONE = '01hzzzzzzzzzzzzzzzzzzzzzzz'

describe('an API token draft', () => {
  test('reads records in all collections by default', () => {
    expect(scopesOf(START_DRAFT)).toEqual(['records:read'])
  })

  test('limits record permissions, but not workspace permissions, to selected collections', () => {
    const draft = { ...START_DRAFT, permissions: ['records:read', 'audit:read'] as const, collections: [ONE] }
    expect(scopesOf(draft)).toEqual([`records:read@${ONE}`, 'audit:read'])
  })

  test('is created from the scopes of a token, unless they differ between collections', () => {
    for (const extent of [
      { permissions: ['records:read'], collections: [] },
      { permissions: ['records:read', 'audit:read'], collections: [ONE] },
    ] as const)
      expect(extentOf(scopesOf(extent))).toEqual(extent)
    expect(extentOf([`records:read@${ONE}`, 'records:update'])).toBeUndefined()
    expect(extentOf([`records:read@${ONE}`, `records:update@${ONE.replaceAll('z', 'y')}`])).toBeUndefined()
  })

  test('offers no permissions that the user lacks or that require a session', () => {
    expect(availablePermissions(['records:read', 'users:manage', 'roles:manage'])).toEqual(['records:read'])
  })

  test('expires after the selected number of days, or never', () => {
    expect(expiryOf({ ...START_DRAFT, days: '30' }, 0)).toBe('1970-01-31T00:00:00.000Z')
    expect(expiryOf({ ...START_DRAFT, days: 'never' }, 0)).toBeNull()
  })
})
