import type { ExampleInput, GrantInput, PolicyBody } from '#api/roles.ts'
import { isOwner, userIdOf } from '#domain/access/actor.ts'
import { checkGrants } from '#domain/access/check-policy.ts'
import { type Example, MAX_ROLES, type Policy, type PolicyGrant } from '#domain/access/policy.ts'
import { attributeNames } from '#domain/access/user.ts'
import { isGrantCovered } from '#domain/access/grant-coverage.ts'
import type { PolicyId } from '#domain/shared/ids.ts'
import { Problem, type PartProblem } from '#domain/shared/problem.ts'
import { type AuditActor, writeAudit } from '#server/access/audit/audit-log.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { definitionNamed, fieldNamed } from '#server/access/explain/permission-target.ts'
import { createExampleContext, assertExamplesHold } from '#server/access/explain/check-examples.ts'
import type { RolesDeps, StoredAccessRules } from '#server/access/rights/access-rules-cache.ts'
import {
  deletePolicy,
  insertPolicy,
  incrementAccessVersion,
  replacePolicy,
  findHolders,
} from '#server/access/rights/roles-store.ts'
import { auditJson, assertNameFree, ACCESS_LOCK, versionConflict, tooMany } from './save-role.ts'
import { showPolicy } from './show-roles.ts'
import { decide } from '#domain/access/decide.ts'
import { isPerCollection } from '#domain/access/grant.ts'
import { sameJson } from '#domain/shared/json.ts'
import { type WriteContext, visibleRecords } from '#server/records/crud/visible-records.ts'

export type PolicyChange = {
  readonly name?: string | undefined
  readonly about?: string | undefined
  readonly grants?: readonly GrantInput[] | undefined
  readonly examples?: readonly ExampleInput[] | undefined
  readonly version?: number | undefined
}

export function createPolicy(
  deps: RolesDeps,
  by: AuditActor,
  draft: PolicyChange & { readonly name: string },
): Promise<PolicyBody> {
  return deps.database.write(async (transaction) => {
    const rules = await deps.rules.within(transaction)
    if (rules.policies.size >= MAX_ROLES) throw tooMany('policies')
    const empty: Policy = { id: deps.newId(), name: '', about: '', grants: [], examples: [], version: 0 }
    return savePolicy(deps, by, transaction, { rules, before: null, base: empty, change: draft })
  }, ACCESS_LOCK)
}

export function changePolicy(deps: RolesDeps, by: AuditActor, id: PolicyId, change: PolicyChange): Promise<PolicyBody> {
  return deps.database.write(async (transaction) => {
    const rules = await deps.rules.within(transaction)
    const before = getPolicy(rules, id)
    if (change.version !== undefined && change.version !== before.version) {
      throw versionConflict(await policyBody(deps, transaction, rules, before))
    }
    return savePolicy(deps, by, transaction, { rules, before, base: before, change })
  }, ACCESS_LOCK)
}

export function removePolicy(deps: RolesDeps, by: AuditActor, id: PolicyId): Promise<void> {
  return deps.database.write(async (transaction) => {
    const rules = await deps.rules.within(transaction)
    const before = getPolicy(rules, id)
    assertWithinOwnGrants(by, before.grants)
    const having = [...rules.roles.values()].filter(({ policies }) => policies.includes(id))
    if (having.length > 0) {
      const names = having.map(({ name }) => name).join(', ')
      throw new Problem('in-use', `This policy is still assigned to ${names}. Remove it there first.`, {
        extra: { roles: having.map((role) => ({ id: role.id, name: role.name })) },
      })
    }
    await deletePolicy(transaction, id)
    await incrementAccessVersion(transaction)
    await auditPolicy(deps, by, transaction, { before, after: null })
  }, ACCESS_LOCK)
}

type Saving = {
  readonly rules: StoredAccessRules
  readonly before: Policy | null
  readonly base: Policy
  readonly change: PolicyChange
}

async function savePolicy(
  deps: RolesDeps,
  by: AuditActor,
  transaction: Transaction,
  saving: Saving,
): Promise<PolicyBody> {
  const { rules, before, base, change } = saving
  const definitions = await deps.definitions.within(transaction)
  const after: Policy = {
    id: base.id,
    name: change.name ?? base.name,
    about: change.about ?? base.about,
    grants: change.grants === undefined ? base.grants : checkedGrants(deps, definitions, rules, change.grants),
    examples: change.examples === undefined ? base.examples : checkedExamples(deps, definitions, change.examples),
    version: base.version + 1,
  }
  assertNameFree(rules.saved, after)
  assertWithinOwnGrants(by, [...base.grants, ...after.grants])
  const proposed = { ...rules, policies: new Map([...rules.policies, [after.id, rules.counted(after)]]) }
  if (change.examples !== undefined) {
    const inside = { transaction, definitions, actor: by.actor, at: deps.clock().toISOString() }
    await checkExampleParts({ ...inside, rules: proposed, known: base.examples }, after)
  }
  await assertExamplesHold(deps, by.actor, transaction, { rules: proposed })
  await (before ? replacePolicy(transaction, after) : insertPolicy(transaction, after))
  await incrementAccessVersion(transaction)
  await auditPolicy(deps, by, transaction, { before, after })
  return policyBody(deps, transaction, proposed, after)
}

function checkedGrants(
  { newId }: RolesDeps,
  definitions: Definitions,
  { profileFields }: StoredAccessRules,
  drafts: readonly GrantInput[],
): readonly PolicyGrant[] {
  const checked = checkGrants(drafts, {
    find: (nameOrId) => definitionNamed(definitions, nameOrId),
    collectionOf: (id) => definitions.byId.get(id),
    attributeNames: attributeNames(profileFields),
    newId,
  })
  if (checked.ok) return checked.value
  const [first] = checked.fault
  throw new Problem('definition-invalid', `Nothing was saved. ${first?.message ?? ''}`, { errors: checked.fault })
}

function checkedExamples({ newId }: RolesDeps, definitions: Definitions, drafts: readonly ExampleInput[]): Example[] {
  const seen = new Set<string>()
  return drafts.map((draft) => {
    const { who, may, permission, collection, field = null, record = null } = draft
    const id = draft.id === undefined || seen.has(draft.id) ? newId() : draft.id
    seen.add(id)
    const there = collection === null ? undefined : definitionNamed(definitions, collection)
    const ids = { collection: there?.id ?? collection, field: fieldNamed(there, field)?.id ?? field, record }
    return { id, who, may, permission, ...ids }
  })
}

export function getPolicy(rules: StoredAccessRules, id: PolicyId): Policy {
  const policy = rules.saved.get(id)
  if (policy) return policy
  throw new Problem('not-found', 'Policy not found.')
}

/** Users can neither save grants nor change policies that exceed their own permissions. */
function assertWithinOwnGrants({ actor }: AuditActor, grants: readonly PolicyGrant[]): void {
  if (actor.type === 'system') return
  if (isOwner(actor) || (actor.type === 'user' && grants.every((grant) => isGrantCovered(grant, actor.grants)))) return
  throw new Problem('forbidden', 'This policy grants permissions you don’t have. Ask an owner.')
}

async function policyBody(
  deps: RolesDeps,
  transaction: Transaction,
  rules: StoredAccessRules,
  policy: Policy,
): Promise<PolicyBody> {
  const definitions = await deps.definitions.within(transaction)
  const place = { reader: transaction.db, dialect: transaction.dialect, definitions, now: deps.clock() }
  const { context } = await createExampleContext(place, { rules })
  return showPolicy(policy, context, (id) => definitions.byId.get(id))
}

async function auditPolicy(
  deps: RolesDeps,
  { actor, address }: AuditActor,
  { db }: Transaction,
  { before, after }: { readonly before: Policy | null; readonly after: Policy | null },
): Promise<void> {
  const kind = after === null ? 'policy-removed' : before === null ? 'policy-created' : 'policy-edited'
  const { id = '', name = '' } = after ?? before ?? {}
  const named = new Set([before, after].flatMap((policy) => policy?.grants.map(({ collection }) => collection) ?? []))
  const [only] = named
  await writeAudit(db, deps, {
    kind,
    ...(named.size === 1 && only !== undefined && only !== null && { collection: only }),
    userId: userIdOf(actor),
    address,
    details: { name, policy: id, was: auditJson(before), is: auditJson(after) },
  })
}

type ExampleContext = WriteContext & { readonly rules: StoredAccessRules; readonly known: readonly Example[] }

/** Rejects examples that refer to missing users, roles or collections, because these could never be evaluated. */
async function checkExampleParts(laid: ExampleContext, { examples }: Policy): Promise<void> {
  const { definitions, rules } = laid
  const { db } = laid.transaction
  const unseen = await invisibleExamples(laid, examples)
  const ids = examples.flatMap(({ who }) => ('user' in who ? who.user : []))
  const people = new Set((await findHolders(db, [...new Set(ids)])).map(({ id }) => id))
  const isSomebody = (who: Example['who']): boolean =>
    'user' in who ? people.has(who.user) : rules.roles.has(who.role)
  const problems = examples.flatMap((example, at): PartProblem[] => {
    const stop = (part: string, code: string, message: string) => [{ path: `examples.${at}.${part}`, code, message }]
    const collection = example.collection === null ? null : definitions.byId.get(example.collection)
    if (!isSomebody(example.who)) return stop('who', 'unknown-who', 'The user or role no longer exists.')
    if (collection === undefined) return stop('collection', 'unknown-collection', 'Collection not found.')
    if (collection !== null && !isPerCollection(example.permission)) {
      return stop(
        'collection',
        'out-of-place',
        `“${example.permission}” applies to the whole workspace, not to a collection.`,
      )
    }
    const hasField = collection?.fields.some(({ id }) => id === example.field) === true
    if (example.field !== null && !hasField) return stop('field', 'unknown-field', 'Field not found.')
    if (example.record !== null && collection === null) {
      return stop('record', 'out-of-place', 'Specify the collection of the record.')
    }
    if (unseen.has(example)) return stop('record', 'unknown-record', 'Record not found.')
    return []
  })
  const [first] = problems
  if (first) throw new Problem('definition-invalid', `Nothing was saved. ${first.message}`, { errors: problems })
}

/** Examples about records that their author can't read, because the result would reveal values. */
async function invisibleExamples(laid: ExampleContext, examples: readonly Example[]): Promise<ReadonlySet<Example>> {
  const unseen = new Set<Example>()
  if (isOwner(laid.actor)) return unseen
  for (const example of examples) {
    const { collection: id, record } = example
    const collection = id === null ? undefined : laid.definitions.byId.get(id)
    if (!collection || record === null || laid.known.some((known) => sameJson(known, example))) continue
    const reading = decide(laid.actor, 'records:read', collection)
    const seen = reading.allowed ? await visibleRecords(laid, collection, reading, [record]) : new Set()
    if (!seen.has(record)) unseen.add(example)
  }
  return unseen
}
