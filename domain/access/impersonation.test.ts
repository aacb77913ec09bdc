import { describe, expect, test } from 'vitest'
import { PERMISSIONS } from './permission.ts'
import type { Grant } from './grant.ts'
import { decideImpersonation, readGrants } from './impersonation.ts'

const everything: readonly Grant[] = PERMISSIONS.map((permission) => ({ permission, collection: null }))
const managing: readonly Grant[] = [
  { permission: 'users:manage', collection: null },
  { permission: 'roles:manage', collection: null },
]
const reads = (part: Partial<Grant> = {}): Grant => ({ permission: 'records:read', collection: null, ...part })
const OWN = { field: 'createdBy', op: '=', value: { marker: '@me' } } as const
const OPEN = { field: 'status', op: '=', value: 'open' } as const

const owner = { roles: ['owner'], grants: everything }
const manager = (...grants: readonly Grant[]) => ({ roles: ['people'], grants: [...managing, ...grants] })
const user = (...grants: readonly Grant[]) => ({ roles: ['some'], grants })

describe('impersonation', () => {
  test.each([
    ['needs to manage both people and roles', user(managing[0] ?? reads(), reads()), user(), 'not-allowed'],
    ['is for owners, whoever it is', owner, owner, 'allowed'],
    ['is not for managers where it is an owner', manager(...everything), owner, 'owner'],
    ['is for managers who see all of it themselves', manager(reads()), user(reads({ where: OPEN })), 'allowed'],
    ['is not for managers who see less', manager(reads({ where: OPEN })), user(reads()), 'sees-more'],
    [
      'is for managers under the same condition',
      manager(reads({ where: OPEN })),
      user(reads({ where: OPEN })),
      'allowed',
    ],
    [
      'is not, where the condition speaks of oneself',
      manager(reads({ where: OWN })),
      user(reads({ where: OWN })),
      'sees-more',
    ],
    [
      'is not, where a field is hidden from them',
      manager(reads({ collection: 'c', fields: { except: ['salary'] } })),
      user(reads({ collection: 'c' })),
      'sees-more',
    ],
    [
      'does not ask about what is not reading',
      manager(reads()),
      user({ permission: 'records:delete', collection: null }),
      'allowed',
    ],
  ] as const)('%s', (_, onlooker, subject, outcome) => {
    expect(decideImpersonation(onlooker, subject)).toBe(outcome)
  })

  test('allows only read access', () => {
    expect(readGrants(everything)).toEqual([reads()])
  })
})
