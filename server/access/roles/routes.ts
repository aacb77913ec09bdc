import * as api from '#api/roles.ts'
import * as workspaceApi from '#api/workspace.ts'
import type { Actor } from '#domain/access/actor.ts'
import type { Policy } from '#domain/access/policy.ts'
import type { SecondFactorPolicy } from '#domain/sessions/second-factor-policy.ts'
import { canByHand, signedIn, signedInWithoutImpersonation } from '#server/platform/http/access.ts'
import { type Route, route } from '#server/platform/http/route.ts'
import { requireReauthentication } from '#server/identity/reauthentication/require-reauthentication.ts'
import { createExampleContext } from '#server/access/explain/check-examples.ts'
import { explainRights } from '#server/access/explain/explain-rights.ts'
import { changeUserAttributes } from './user-attributes.ts'
import type { RolesDeps } from '#server/access/rights/roles-deps.ts'
import { countHolders } from '#server/access/rights/roles-store.ts'
import { changePolicy, createPolicy, getPolicy, removePolicy } from './save-policy.ts'
import { changeRole, createRole, getRole, removeRole } from './save-role.ts'
import { changeSecondFactorPolicy, readSecondFactorPolicy } from './second-factor-policy.ts'
import { showPolicy, showRole } from './show-roles.ts'
import { changeTimeZone, type TimeZoneDeps } from './change-time-zone.ts'

const roleRoutes = (needs: RolesDeps): readonly Route[] => [
  route(api.listRoles, canByHand('roles:manage'), async () => {
    const { roles } = await needs.rules.current()
    const holders = await countHolders(needs.database.read)
    return { items: [...roles.values()].map((role) => showRole(role, holders)) }
  }),
  route(api.createRole, canByHand('roles:manage'), async ({ actor, body, request }) => {
    await requireReauthentication(needs, actor)
    return createRole(needs, { actor, address: request.ip }, body)
  }),
  route(api.readRole, canByHand('roles:manage'), async ({ params }) =>
    showRole(getRole(await needs.rules.current(), params.role), await countHolders(needs.database.read)),
  ),
  route(api.changeRole, canByHand('roles:manage'), async ({ actor, params, body, request }) => {
    await requireReauthentication(needs, actor)
    return changeRole(needs, { actor, address: request.ip }, params.role, body)
  }),
  route(api.deleteRole, canByHand('roles:manage'), async ({ actor, params, request }) => {
    await requireReauthentication(needs, actor)
    await removeRole(needs, { actor, address: request.ip }, params.role)
  }),
]

/** What is there now, and how a policy is shown with whether its examples hold. */
async function rulesNow(needs: RolesDeps) {
  const rules = await needs.rules.current()
  const definitions = await needs.definitions.current()
  const { read: reader, dialect } = needs.database
  const { ground } = await createExampleContext({ reader, dialect, definitions, now: needs.clock() }, { rules })
  return { rules, shown: (policy: Policy) => showPolicy(policy, ground, (id) => definitions.byId.get(id)) }
}

const policyRoutes = (needs: RolesDeps): readonly Route[] => [
  route(api.listPolicies, canByHand('roles:manage'), async () => {
    const { rules, shown } = await rulesNow(needs)
    return { items: [...rules.saved.values()].map(shown) }
  }),
  route(api.createPolicy, canByHand('roles:manage'), async ({ actor, body, request }) => {
    await requireReauthentication(needs, actor)
    return createPolicy(needs, { actor, address: request.ip }, body)
  }),
  route(api.readPolicy, canByHand('roles:manage'), async ({ params }) => {
    const { rules, shown } = await rulesNow(needs)
    return shown(getPolicy(rules, params.policy))
  }),
  route(api.changePolicy, canByHand('roles:manage'), async ({ actor, params, body, request }) => {
    await requireReauthentication(needs, actor)
    return changePolicy(needs, { actor, address: request.ip }, params.policy, body)
  }),
  route(api.deletePolicy, canByHand('roles:manage'), async ({ actor, params, request }) => {
    await requireReauthentication(needs, actor)
    await removePolicy(needs, { actor, address: request.ip }, params.policy)
  }),
]

const profileRoutes = (needs: RolesDeps): readonly Route[] => [
  route(workspaceApi.readProfileFields, signedIn, async () => ({
    items: itemsOf((await needs.rules.current()).profileFields),
  })),
  route(workspaceApi.changeProfileFields, canByHand('workspace:manage'), async ({ actor, body, request }) => {
    await requireReauthentication(needs, actor)
    return { items: itemsOf(await changeUserAttributes(needs, byOf(actor, request.ip), body.items)) }
  }),
]

const shownPolicy = ({ everyone, roles }: SecondFactorPolicy) => ({ everyone, roles: [...roles] })

const secondFactorRoutes = (needs: RolesDeps): readonly Route[] => [
  route(workspaceApi.readSecondFactorPolicy, canByHand('workspace:manage'), async () =>
    shownPolicy(await readSecondFactorPolicy(needs)),
  ),
  route(workspaceApi.changeSecondFactorPolicy, canByHand('workspace:manage'), async ({ actor, body, request }) => {
    await requireReauthentication(needs, actor)
    return shownPolicy(await changeSecondFactorPolicy(needs, { actor, address: request.ip }, body))
  }),
]

const timeZoneRoutes = (needs: TimeZoneDeps): readonly Route[] => [
  route(workspaceApi.readTimeZone, signedInWithoutImpersonation, async () => ({
    timeZone: (await needs.definitions.current()).timeZone,
  })),
  route(workspaceApi.changeTimeZone, canByHand('workspace:manage'), async ({ actor, body, request }) => {
    await requireReauthentication(needs, actor)
    return { timeZone: await changeTimeZone(needs, byOf(actor, request.ip), body.timeZone) }
  }),
]

const itemsOf = <Item>(items: readonly Item[]): Item[] => [...items]

const byOf = (actor: Actor, address: string) => ({ actor, address })

/** The doors of roles, policies, and of the question who may do what. */
export const rolesRoutes = (needs: TimeZoneDeps): readonly Route[] => [
  ...roleRoutes(needs),
  ...policyRoutes(needs),
  ...profileRoutes(needs),
  ...timeZoneRoutes(needs),
  ...secondFactorRoutes(needs),
  route(api.explainRights, signedIn, async ({ actor, body }) => explainRights(needs, actor, body)),
]
