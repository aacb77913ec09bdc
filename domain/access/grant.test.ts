import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Actor } from './actor.ts'
import { type Grant, TOKEN_PERMISSIONS, narrowGrants, parseScope } from './grant.ts'
import { decide, heldPermissions, hasPermission, hasPermissionEverywhere } from './decide.ts'
import { PERMISSIONS } from './permission.ts'

const COLLECTIONS = ['a', 'b', 'c'].map((letter) => letter.repeat(26))

const FIELDS = ['salary', 'note', 'title']
const definition = (id: string) => ({ id, fields: FIELDS.map((field) => ({ id: field })) })

const collection = fc.constantFrom(null, ...COLLECTIONS)
const grant: fc.Arbitrary<Grant> = fc.record(
  {
    permission: fc.constantFrom(...PERMISSIONS),
    collection,
    where: fc.constantFrom('open', 'closed').map((value) => ({ field: 'status', op: '=' as const, value })),
    fields: fc.oneof(fc.record({ except: fc.subarray(FIELDS) }), fc.record({ only: fc.subarray(FIELDS) })),
  },
  { requiredKeys: ['permission', 'collection'] },
)
const scope = fc.record({ permission: fc.constantFrom(...TOKEN_PERMISSIONS), collection })

const actorWith = (grants: readonly Grant[]): Actor => ({
  type: 'user',
  userId: 'u',
  sessionId: null,
  name: 'U',
  grants,
})

describe('a token', () => {
  test('never exceeds its user’s permissions', () => {
    fc.assert(
      fc.property(fc.array(grant), fc.array(scope), (grants, scopes) => {
        const user = actorWith(grants)
        const token = actorWith(narrowGrants(grants, scopes))
        for (const permission of PERMISSIONS) {
          expect(hasPermission(token, permission) && !hasPermission(user, permission)).toBe(false)
          expect(hasPermissionEverywhere(token, permission) && !hasPermissionEverywhere(user, permission)).toBe(false)
          for (const one of COLLECTIONS) {
            const allowed = decide(token, permission, definition(one))
            if (allowed.allowed) expect(allowed).toEqual(decide(user, permission, definition(one)))
          }
        }
      }),
    )
  })

  test('never allows anything outside its scopes', () => {
    fc.assert(
      fc.property(fc.array(grant), fc.array(scope), (grants, scopes) => {
        const token = actorWith(narrowGrants(grants, scopes))
        for (const permission of heldPermissions(token, PERMISSIONS)) {
          expect(scopes.some((one) => one.permission === permission)).toBe(true)
        }
        for (const one of COLLECTIONS) {
          const isNamed = scopes.some(
            ({ permission, collection: of }) => permission === 'records:read' && (of === null || of === one),
          )
          if (!isNamed) expect(decide(token, 'records:read', definition(one)).allowed).toBe(false)
        }
      }),
    )
  })

  test('keeps every permission that its scopes include', () => {
    fc.assert(
      fc.property(fc.array(grant), fc.constantFrom(...COLLECTIONS), (grants, one) => {
        const token = actorWith(narrowGrants(grants, [{ permission: 'records:update', collection: one }]))
        expect(decide(token, 'records:update', definition(one))).toEqual(
          decide(actorWith(grants), 'records:update', definition(one)),
        )
      }),
    )
  })
})

describe('a scope', () => {
  const id = 'a'.repeat(26)

  test('consists of a permission and an optional collection', () => {
    expect(parseScope('records:read')).toEqual({ permission: 'records:read', collection: null })
    expect(parseScope(`records:read@${id}`)).toEqual({ permission: 'records:read', collection: id })
  })

  test.each([
    '',
    'records',
    'records:read@',
    'records:read@tasks@x',
    'records:read@../x',
    ` records:read`,
    `workspace:manage@${id}`,
    `audit:read@${id}`,
    'users:manage',
    'roles:manage',
    '*',
  ])('rejects “%s”', (text) => {
    expect(parseScope(text)).toBeUndefined()
  })
})
