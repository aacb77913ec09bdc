import type { ExplanationBody } from '#api/roles.ts'
import { type Actor, isOwner, type Profile } from '#domain/access/actor.ts'
import { hasPermission } from '#domain/access/decide.ts'
import { conditionsToCheck, type Explanation, explain, type GrantPath, type Holder } from '#domain/access/explain.ts'
import { type Permission, supportsPart } from '#domain/access/permission.ts'
import { attributeValues } from '#domain/access/user.ts'
import type { UserId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { profileIn } from '#server/platform/database/tables/user-role-columns.ts'
import {
  type PermissionTarget,
  noRecord,
  resolveTarget,
  assertTargetVisible,
  assertCollectionVisible,
} from './permission-target.ts'
import { conditionsCovering } from './check-examples.ts'
import type { RolesDeps, StoredAccessRules } from '#server/access/rights/access-rules-cache.ts'
import { findHolders } from '#server/access/rights/roles-store.ts'

export type RightsQuestion = PermissionTarget & {
  readonly user?: UserId | undefined
  readonly role?: string | undefined
}

type RightsSubject = { readonly holder: Holder; readonly actor: Actor }

export async function explainRights(
  deps: RolesDeps,
  queryActor: Actor,
  question: RightsQuestion,
): Promise<ExplanationBody> {
  const rules = await deps.rules.current()
  const definitions = await deps.definitions.current()
  const subject = await subjectOf(deps, rules, queryActor, question)
  const isManager = hasPermission(queryActor, 'roles:manage')
  if (!isManager) assertCollectionVisible({ actor: queryActor, definitions }, question)
  const place = resolveTarget(definitions, question)
  // The result of a condition reveals values, even to role managers.
  const isBound = !isManager || (Boolean(question.record) && !isOwner(queryActor))
  if (isBound) await assertTargetVisible(deps, { actor: queryActor, definitions }, question, place)

  const ask = async (permission: Permission, of = question): Promise<Explanation> => {
    const { collection, field } = place
    const asksField = supportsPart(permission, 'fields') && of.field
    const request = { permission, collection, field: asksField ? field?.id : undefined }
    const { record } = of
    if (!record || !collection) return explain(rules, subject.holder, request)
    const tried = conditionsToCheck(rules, subject.holder, request)
    const context = { ...deps.database, reader: deps.database.read, definitions, now: deps.clock() }
    const covers = await conditionsCovering(context, { collection, record, actor: subject.actor }, tried)
    if (!covers) throw noRecord(record, collection)
    return explain(rules, subject.holder, { ...request, covers })
  }

  const requested = await ask(question.permission)
  const needsRead = READ_REQUIRED_FOR.has(question.permission) && requested.may !== 'no' && place.collection !== null
  // A record or value can be writable without being readable, but exporting requires read access.
  const isTakenOut = question.permission === 'records:export'
  const read = isTakenOut ? question : { ...question, record: undefined, field: undefined }
  const seen = needsRead ? await ask('records:read', read) : undefined
  const show = { rules, isManager }
  return seen?.may === 'no'
    ? { ...explanationBody(seen, show), because: 'needs-read' }
    : explanationBody(requested, show)
}

/** Actions that also require read access. */
const READ_REQUIRED_FOR: ReadonlySet<Permission> = new Set([
  'records:create',
  'records:import',
  'records:update',
  'records:delete',
  'records:transition',
  'records:export',
])

async function subjectOf(
  { database }: RolesDeps,
  rules: StoredAccessRules,
  queryActor: Actor,
  { user, role }: RightsQuestion,
): Promise<RightsSubject> {
  if (queryActor.type !== 'user') throw new Problem('token-missing', 'Sign in to do this.')
  const isSelf = role === undefined && (user === undefined || user === queryActor.userId)
  if (isSelf) return { actor: queryActor, holder: { roles: queryActor.roles ?? [], scopes: queryActor.scopes } }
  if (!hasPermission(queryActor, 'roles:manage')) {
    throw new Problem(
      'forbidden',
      'You can only explain your own access. Explaining other users’ access requires the “roles:manage” permission.',
    )
  }
  return otherSubject(database, rules, { user, role })
}

type Other = Pick<RightsQuestion, 'user' | 'role'>

async function otherSubject(
  { read }: RolesDeps['database'],
  rules: StoredAccessRules,
  { user, role }: Other,
): Promise<RightsSubject> {
  if (role !== undefined && user !== undefined) {
    throw new Problem('invalid-request', 'Specify a user or a role, not both.')
  }
  if (role !== undefined) {
    if (!rules.roles.has(role)) throw new Problem('not-found', 'Role not found.')
    const nobody = { email: '', name: '', profile: {} as Profile }
    return { actor: reader('', attributeValues(rules.profileFields, nobody)), holder: { roles: [role] } }
  }
  const [found] = await findHolders(read, user === undefined ? [] : [user])
  if (!found) throw new Problem('not-found', 'User not found.')
  const profile = attributeValues(rules.profileFields, { ...found, profile: profileIn(found.profile) })
  return { actor: reader(found.id, profile), holder: { roles: found.roles } }
}

/** The actor whose attributes a condition uses; grants are irrelevant. */
const reader = (userId: UserId, profile: Profile): Actor => ({
  type: 'user',
  userId,
  sessionId: null,
  name: '',
  grants: [],
  profile,
})

type Showing = { readonly rules: StoredAccessRules; readonly isManager: boolean }

/** Conditions may refer to data that the reader can't see, so only role managers receive them. */
function explanationBody(explanation: Explanation, { rules, isManager }: Showing): ExplanationBody {
  const given = explanation.may === 'no' ? explanation.nearest : explanation.by
  return {
    may: explanation.may,
    because: explanation.may === 'no' ? explanation.because : null,
    where: explanation.may === 'some' && isManager ? explanation.where : null,
    by: given.map(({ role, policy, grant, where }: GrantPath) => ({
      role: { id: role, name: rules.roles.get(role)?.name ?? '' },
      policy: policy === null ? null : { id: policy, name: rules.policies.get(policy)?.name ?? '' },
      grant,
      where: isManager ? (where ?? null) : null,
    })),
  }
}
