import * as api from '#api/roles.ts'
import * as workspaceApi from '#api/workspace.ts'
import { type Actor, userIdOf } from '#domain/access/actor.ts'
import type { Policy } from '#domain/access/policy.ts'
import type { SecondFactorPolicy } from '#domain/sessions/second-factors.ts'
import { canByHand, signedIn, signedInWithoutImpersonation } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { requireReauthentication } from '#server/identity/reauthentication/require-reauthentication.ts'
import { createExampleContext } from '#server/access/explain/check-examples.ts'
import { explainRights } from '#server/access/explain/explain-rights.ts'
import type { RolesDeps, StoredAccessRules } from '#server/access/rights/access-rules-cache.ts'
import { countHolders, incrementAccessVersion, storeUserAttributes } from '#server/access/rights/roles-store.ts'
import { changePolicy, createPolicy, getPolicy, removePolicy } from './save-policy.ts'
import { ACCESS_LOCK, changeRole, createRole, getRole, removeRole } from './save-role.ts'
import {
  changeSecondFactorPolicy,
  readSecondFactorPolicy,
  changeTimeZone,
  type TimeZoneDeps,
} from './workspace-settings.ts'
import { showPolicy, showRole } from './show-roles.ts'
import { hasPermission } from '#domain/access/decide.ts'
import { BUILT_IN_ATTRIBUTES, type UserAttribute } from '#domain/access/user.ts'
import { dependsOnAttribute } from '#domain/access/policy-references.ts'
import { transitionsUseAttribute } from '#domain/workflow/check-workflow.ts'
import { type PartProblem, Problem } from '#domain/shared/problem.ts'
import { type AuditActor, writeAudit } from '#server/access/audit/audit-log.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'

function changeUserAttributes(
  deps: RolesDeps,
  { actor, address }: AuditActor,
  fields: readonly UserAttribute[],
): Promise<readonly UserAttribute[]> {
  return deps.database.write(async (transaction) => {
    const rules = await deps.rules.within(transaction)
    assertValidNames(fields)
    const kept = new Set(fields.map(({ name }) => name))
    const gone = rules.profileFields.filter(({ name }) => !kept.has(name))
    const definitions = await deps.definitions.within(transaction)
    for (const { name } of gone) assertUnused(name, actor, rules, definitions)
    await storeUserAttributes(transaction, fields)
    await incrementAccessVersion(transaction)
    const words = (all: readonly UserAttribute[]) => all.map(({ name }) => name).join(', ')
    await writeAudit(transaction.db, deps, {
      kind: 'profile-fields-changed',
      userId: userIdOf(actor),
      address,
      details: { before: words(rules.profileFields), after: words(fields) },
    })
    return fields
  }, ACCESS_LOCK)
}

function assertValidNames(fields: readonly UserAttribute[]): void {
  const taken = new Set<string>(BUILT_IN_ATTRIBUTES)
  const problems = fields.flatMap(({ name }, at): PartProblem[] => {
    const isTaken = taken.has(name)
    taken.add(name)
    if (!isTaken) return []
    return [{ path: `items.${at}.name`, code: 'name-taken', message: `“${name}” is reserved or listed twice.` }]
  })
  const [first] = problems
  if (first) throw new Problem('definition-invalid', `Nothing was saved. ${first.message}`, { errors: problems })
}

function assertUnused(name: string, actor: Actor, { saved }: StoredAccessRules, { list }: Definitions): void {
  const needing = [...saved.values()].filter(({ grants }) => grants.some((grant) => dependsOnAttribute(grant, name)))
  const moving = list.filter(({ workflow }) => transitionsUseAttribute(workflow, name))
  if (needing.length + moving.length === 0) return
  if (!hasPermission(actor, 'roles:manage')) {
    throw new Problem('in-use', `Permissions depend on @me.${name}. Ask an owner to change them first.`)
  }
  const names = [...needing.map((policy) => policy.name), ...moving.map(({ label }) => label)].join(', ')
  throw new Problem('in-use', `@me.${name} is still used by ${names}. Remove it there first.`, {
    extra: {
      policies: needing.map((policy) => ({ id: policy.id, name: policy.name })),
      collections: moving.map(({ id, name: called, label }) => ({ id, name: called, label })),
    },
  })
}

const roleRoutes = (deps: RolesDeps): readonly Route[] => [
  route(api.listRoles, canByHand('roles:manage'), async () => {
    const { roles } = await deps.rules.current()
    const holders = await countHolders(deps.database.read)
    return { items: [...roles.values()].map((role) => showRole(role, holders)) }
  }),
  route(api.createRole, canByHand('roles:manage'), async ({ actor, body, request }) => {
    await requireReauthentication(deps, actor)
    return createRole(deps, { actor, address: request.ip }, body)
  }),
  route(api.readRole, canByHand('roles:manage'), async ({ params }) =>
    showRole(getRole(await deps.rules.current(), params.role), await countHolders(deps.database.read)),
  ),
  route(api.changeRole, canByHand('roles:manage'), async ({ actor, params, body, request }) => {
    await requireReauthentication(deps, actor)
    return changeRole(deps, { actor, address: request.ip }, params.role, body)
  }),
  route(api.deleteRole, canByHand('roles:manage'), async ({ actor, params, request }) => {
    await requireReauthentication(deps, actor)
    await removeRole(deps, { actor, address: request.ip }, params.role)
  }),
]

async function rulesNow(deps: RolesDeps) {
  const rules = await deps.rules.current()
  const definitions = await deps.definitions.current()
  const { read: reader, dialect } = deps.database
  const { context } = await createExampleContext({ reader, dialect, definitions, now: deps.clock() }, { rules })
  return { rules, shown: (policy: Policy) => showPolicy(policy, context, (id) => definitions.byId.get(id)) }
}

const policyRoutes = (deps: RolesDeps): readonly Route[] => [
  route(api.listPolicies, canByHand('roles:manage'), async () => {
    const { rules, shown } = await rulesNow(deps)
    return { items: [...rules.saved.values()].map(shown) }
  }),
  route(api.createPolicy, canByHand('roles:manage'), async ({ actor, body, request }) => {
    await requireReauthentication(deps, actor)
    return createPolicy(deps, { actor, address: request.ip }, body)
  }),
  route(api.readPolicy, canByHand('roles:manage'), async ({ params }) => {
    const { rules, shown } = await rulesNow(deps)
    return shown(getPolicy(rules, params.policy))
  }),
  route(api.changePolicy, canByHand('roles:manage'), async ({ actor, params, body, request }) => {
    await requireReauthentication(deps, actor)
    return changePolicy(deps, { actor, address: request.ip }, params.policy, body)
  }),
  route(api.deletePolicy, canByHand('roles:manage'), async ({ actor, params, request }) => {
    await requireReauthentication(deps, actor)
    await removePolicy(deps, { actor, address: request.ip }, params.policy)
  }),
]

const profileRoutes = (deps: RolesDeps): readonly Route[] => [
  route(workspaceApi.readProfileFields, signedIn, async () => ({
    items: itemsOf((await deps.rules.current()).profileFields),
  })),
  route(workspaceApi.changeProfileFields, canByHand('workspace:manage'), async ({ actor, body, request }) => {
    await requireReauthentication(deps, actor)
    return { items: itemsOf(await changeUserAttributes(deps, byOf(actor, request.ip), body.items)) }
  }),
]

const shownPolicy = ({ everyone, roles }: SecondFactorPolicy) => ({ everyone, roles: [...roles] })

const secondFactorRoutes = (deps: RolesDeps): readonly Route[] => [
  route(workspaceApi.readSecondFactorPolicy, canByHand('workspace:manage'), async () =>
    shownPolicy(await readSecondFactorPolicy(deps)),
  ),
  route(workspaceApi.changeSecondFactorPolicy, canByHand('workspace:manage'), async ({ actor, body, request }) => {
    await requireReauthentication(deps, actor)
    return shownPolicy(await changeSecondFactorPolicy(deps, { actor, address: request.ip }, body))
  }),
]

const timeZoneRoutes = (deps: TimeZoneDeps): readonly Route[] => [
  route(workspaceApi.readTimeZone, signedInWithoutImpersonation, async () => ({
    timeZone: (await deps.definitions.current()).timeZone,
  })),
  route(workspaceApi.changeTimeZone, canByHand('workspace:manage'), async ({ actor, body, request }) => {
    await requireReauthentication(deps, actor)
    return { timeZone: await changeTimeZone(deps, byOf(actor, request.ip), body.timeZone) }
  }),
]

const itemsOf = <Item>(items: readonly Item[]): Item[] => [...items]

const byOf = (actor: Actor, address: string) => ({ actor, address })

export const rolesRoutes = (deps: TimeZoneDeps): readonly Route[] => [
  ...roleRoutes(deps),
  ...policyRoutes(deps),
  ...profileRoutes(deps),
  ...timeZoneRoutes(deps),
  ...secondFactorRoutes(deps),
  route(api.explainRights, signedIn, async ({ actor, body }) => explainRights(deps, actor, body)),
]
