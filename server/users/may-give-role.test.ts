import { expect, test } from 'vitest'
import type { Actor } from '#domain/access/actor.ts'
import type { Grant } from '#domain/access/grant.ts'
import { grantsOfRole, ROLES } from '#domain/access/roles.ts'
import { refuseMoreThanOwn } from './may-give-role.ts'

const actorWith = (grants: readonly Grant[]): Actor => ({
  type: 'user',
  userId: 'u',
  sessionId: 's',
  name: 'U',
  grants,
})

const given = (actor: Actor) =>
  ROLES.filter((role) => {
    try {
      refuseMoreThanOwn(actor, role)
      return true
    } catch {
      return false
    }
  })

test('an owner may give every role', () => {
  expect(given(actorWith(grantsOfRole('owner')))).toEqual(['owner', 'editor', 'viewer'])
})

test('whoever manages users without being an owner makes nobody an owner', () => {
  const manager = [...grantsOfRole('editor'), { permission: 'users:manage', collection: null } as const]
  expect(given(actorWith(manager))).toEqual(['editor', 'viewer'])
})

test('a permission in one collection is none to give in all', () => {
  const id = 'a'.repeat(26)
  expect(given(actorWith([{ permission: 'records:read', collection: id }]))).toEqual([])
})
