import { type Filter, anyFilter, distinctFilters } from '../query/filter/filter.ts'
import type { CollectionId, FieldId, GrantId, PolicyId, RoleId } from '../shared/ids.ts'
import { type AccessTarget, appliesTo, coversFieldIn } from './decide.ts'
import { type Grant, type Scope, narrowGrants } from './grant.ts'
import type { Permission } from './permission.ts'
import { type AccessRules, type Example, type ExampleWho, OWNER, OWNER_GRANTS, type Policy } from './policy.ts'

export type Holder = { readonly roles: readonly RoleId[]; readonly scopes?: readonly Scope[] | undefined }

/**
 * Permission to explain in a collection (null: the workspace), optionally for one field or record. `covers` tests a
 * condition on that record; if absent, the query is about all records.
 */
export type PermissionQuery = {
  readonly permission: Permission
  readonly collection: AccessTarget | null
  readonly field?: FieldId | undefined
  readonly covers?: ((where: Filter) => boolean) | undefined
}

/** Source of a grant; owner grants have no policy. */
export type GrantPath = {
  readonly role: RoleId
  readonly policy: PolicyId | null
  readonly grant: GrantId | null
  /** Absent: all records. */
  readonly where?: Filter
}

/**
 * `some`: allowed for records that match `where`. `no` includes the most specific reason: `no-grant`, `condition`
 * (granted for other records), `field` (granted without this field) or `token` (outside the token's scopes).
 */
export type Explanation =
  | { readonly may: 'yes'; readonly by: readonly GrantPath[] }
  | { readonly may: 'some'; readonly by: readonly GrantPath[]; readonly where: Filter }
  | {
      readonly may: 'no'
      readonly because: 'no-grant' | 'condition' | 'field' | 'token'
      readonly nearest: readonly GrantPath[]
    }

type Source = { readonly path: GrantPath; readonly grant: Grant }

/** Explains whether an action is allowed; must always agree with `decide`. */
export function explain(rules: AccessRules, holder: Holder, query: PermissionQuery): Explanation {
  const { covers } = query
  const all = sourcesOf(rules, holder.roles)
  const sources = all.filter(({ grant }) => matchesQuery(grant, query))
  if (sources.length === 0) return denied('no-grant', [])
  const { scopes } = holder
  const held = scopes === undefined ? sources : sources.filter(({ grant }) => isInScope(grant, scopes, query))
  if (held.length === 0) return denied('token', sources)
  const grants = all.map(({ grant }) => grant)
  const covering = coveringField(held, query, scopes === undefined ? grants : narrowGrants(grants, scopes))
  if (covering.length === 0) return denied('field', held)

  const unconditional = covering.filter(({ grant: { where } }) => where === undefined || covers?.(where) === true)
  if (unconditional.length > 0) return { may: 'yes', by: unconditional.map(({ path }) => path) }
  if (covers) return denied('condition', covering)
  return { may: 'some', by: covering.map(({ path }) => path), where: anyFilter(conditionsOf(covering)) }
}

function coveringField(
  sources: readonly Source[],
  { collection, field: id }: PermissionQuery,
  all: readonly Grant[],
): readonly Source[] {
  if (id === undefined) return sources
  const fields = collection?.fields ?? []
  const field = fields.find((each) => each.id === id) ?? { id }
  return sources.filter(({ grant }) => coversFieldIn(grant, field, fields, all))
}

/** Conditions to test on a record in order to explain access to it. */
export function conditionsToCheck(rules: AccessRules, holder: Holder, query: PermissionQuery): readonly Filter[] {
  return distinctFilters(conditionsOf(sourcesOf(rules, holder.roles).filter(({ grant }) => matchesQuery(grant, query))))
}

function sourcesOf(rules: AccessRules, roles: readonly RoleId[]): Source[] {
  return roles.flatMap((role): Source[] => {
    if (role === OWNER) return OWNER_GRANTS.map((grant) => ({ grant, path: { role, policy: null, grant: null } }))
    return (rules.roles.get(role)?.policies ?? []).flatMap((policy) =>
      (rules.policies.get(policy)?.grants ?? []).map((grant) => ({
        grant,
        path: { role, policy, grant: grant.id, ...(grant.where && { where: grant.where }) },
      })),
    )
  })
}

const matchesQuery = (grant: Grant, { permission, collection }: PermissionQuery): boolean =>
  collection === null
    ? grant.permission === permission && grant.collection === null
    : appliesTo(grant, permission, collection.id)

const isInScope = (grant: Grant, scopes: readonly Scope[], query: PermissionQuery): boolean =>
  narrowGrants([grant], scopes).some((narrowed) => matchesQuery(narrowed, query))

const denied = (because: 'no-grant' | 'condition' | 'field' | 'token', nearest: readonly Source[]): Explanation => ({
  may: 'no',
  because,
  nearest: nearest.map(({ path }) => path),
})

const conditionsOf = (sources: readonly Source[]): readonly Filter[] =>
  sources.flatMap(({ grant }) => grant.where ?? [])

/** Lookups return undefined for deleted users, roles and collections. */
export type ExampleContext = {
  readonly rules: AccessRules
  readonly holderOf: (who: ExampleWho) => Holder | undefined
  readonly collectionOf: (id: CollectionId) => AccessTarget | undefined
  /** Tests conditions on the example's record as the example's subject. */
  readonly coversOf: (example: Example) => ((where: Filter) => boolean) | undefined
}

/** `stale`: the example refers to something that was deleted. */
export type ExampleResult =
  | { readonly type: 'holds' | 'stale' }
  | { readonly type: 'broken'; readonly explanation: Explanation }

export function evaluateExample(example: Example, context: ExampleContext): ExampleResult {
  const { permission, field, record } = example
  const holder = context.holderOf(example.who)
  const collection = example.collection === null ? null : context.collectionOf(example.collection)
  const covers = record === null ? undefined : context.coversOf(example)
  const isStale =
    holder === undefined ||
    collection === undefined ||
    (record !== null && covers === undefined) ||
    (field !== null && collection?.fields.some(({ id }) => id === field) !== true)
  if (isStale) return { type: 'stale' }

  const explanation = explain(context.rules, holder, { permission, collection, field: field ?? undefined, covers })
  return (explanation.may !== 'no') === example.may ? { type: 'holds' } : { type: 'broken', explanation }
}

/** A failed example and its policy. */
export type BrokenExample = {
  readonly policy: Policy
  readonly example: Example
  readonly explanation: Explanation
}

export function brokenExamples(context: ExampleContext): readonly BrokenExample[] {
  return [...context.rules.policies.values()].flatMap((policy) =>
    policy.examples.flatMap((example) => {
      const result = evaluateExample(example, context)
      return result.type === 'broken' ? [{ policy, example, explanation: result.explanation }] : []
    }),
  )
}
