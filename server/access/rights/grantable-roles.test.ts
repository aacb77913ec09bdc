import { expect, test } from 'vitest'
import type { Actor } from '#domain/access/actor.ts'
import { BUILT_IN_ROLES, FIRST_POLICIES, FIRST_ROLES, grantsOfBuiltIn } from '#domain/access/built-in-roles.ts'
import type { Grant } from '#domain/access/grant.ts'
import { canAssignRole } from './grantable-roles.ts'

const RULES = {
  roles: new Map(FIRST_ROLES.map((role) => [role.id, role])),
  policies: new Map(FIRST_POLICIES.map((policy) => [policy.id, policy])),
}

const actorWith = (grants: readonly Grant[], roles: readonly string[] = []): Actor => ({
  type: 'user',
  userId: 'u',
  sessionId: 's',
  name: 'U',
  roles,
  grants,
})

const given = (actor: Actor) =>
  BUILT_IN_ROLES.filter((role) => canAssignRole(actor, { rules: RULES, definitions: { list: [] } }, role))

test('an owner can assign every role', () => {
  expect(given(actorWith(grantsOfBuiltIn('owner'), ['owner']))).toEqual([...BUILT_IN_ROLES])
})

test('a user manager who isn’t an owner can’t assign the owner role, even with equal permissions', () => {
  const manager = [...grantsOfBuiltIn('editor'), { permission: 'users:manage', collection: null } as const]
  expect(given(actorWith(manager))).toEqual(['editor', 'contributor', 'viewer'])
  expect(given(actorWith(grantsOfBuiltIn('owner')))).toEqual(['editor', 'contributor', 'viewer'])
})

test('a manager limited to their own records can’t assign that role, because it would cover the assignee’s records', () => {
  expect(given(actorWith(grantsOfBuiltIn('contributor')))).toEqual([])
})

test('a permission for one collection doesn’t allow assigning it for all collections', () => {
  const id = 'a'.repeat(26)
  expect(given(actorWith([{ permission: 'records:read', collection: id }]))).toEqual([])
})
