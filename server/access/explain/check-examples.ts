import type { Actor, Profile } from '#domain/access/actor.ts'
import { hasPermission } from '#domain/access/decide.ts'
import type { AccessRules, Example } from '#domain/access/policy.ts'
import { type BrokenExample, type ExampleContext, brokenExamples, conditionsToCheck } from '#domain/access/explain.ts'
import { accessSentence } from '#domain/access/describe-grant.ts'
import { attributeValues, type UserAttribute } from '#domain/access/user.ts'
import type { CollectionId, RecordId, RoleId, UserId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import type { Database, Reader, Transaction } from '#server/platform/database/database.ts'
import { profileIn } from '#server/platform/database/tables/user-role-columns.ts'
import { type RolesDeps, loadAccessRules } from '#server/access/rights/access-rules-cache.ts'
import { findHolders, loadPolicies } from '#server/access/rights/roles-store.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import { sameJson } from '#domain/shared/json.ts'
import { idsInside } from '#server/access/record-access/authorized-query.ts'

type CoverageContext = {
  readonly reader: Reader
  readonly dialect: Database['dialect']
  readonly definitions: Definitions
  readonly now: Date
}

type CoveredRecord = { readonly collection: Collection; readonly record: RecordId; readonly actor: Actor }

const NO_FIELDS: ReadonlySet<string> = new Set()

export async function conditionsCovering(
  { reader, dialect, definitions, now }: CoverageContext,
  { collection, record, actor }: CoveredRecord,
  conditions: readonly Filter[],
): Promise<((where: Filter) => boolean) | undefined> {
  const scope = { reader, dialect, pendingImports: definitions.pendingImports }
  const covers = async (where?: Filter): Promise<boolean> => {
    const decision = { allowed: true, hiddenFields: NO_FIELDS, ...(where && { where }) } as const
    const inside = await idsInside(scope, { definitions, actor, now }, { collection, decision }, [record])
    return inside.has(record)
  }
  if (!(await covers())) return undefined
  const covering: Filter[] = []
  for (const where of conditions) if (await covers(where)) covering.push(where)
  return (where) => covering.some((one) => sameJson(one, where))
}

export type HeldRights = { readonly roles: readonly RoleId[]; readonly profile: Profile }

export type Proposal = {
  readonly rules: AccessRules & { readonly profileFields: readonly UserAttribute[] }
  readonly held?: ReadonlyMap<UserId, HeldRights>
}

export type ExampleSource = {
  readonly reader: Reader
  readonly dialect: Database['dialect']
  readonly definitions: Definitions
  readonly now: Date
}

/** Rejects changes that would break a saved example of any policy. Only users who can view policies see the example. */
export async function assertExamplesHold(
  deps: Pick<RolesDeps, 'definitions' | 'clock'>,
  actor: Actor,
  transaction: Transaction,
  proposal: Proposal,
): Promise<void> {
  if (examplesIn(proposal.rules).length === 0) return
  const definitions = await deps.definitions.within(transaction)
  await assertExamplesHoldIn({ transaction, definitions, actor, now: deps.clock() }, proposal)
}

type Changing = {
  readonly transaction: Transaction
  readonly definitions: Definitions
  readonly actor: Actor
  readonly now: Date
}

/** Checks saved examples after a definition change is written and before the transaction commits. */
export async function assertExamplesHoldAfterDefinition(changing: Changing): Promise<void> {
  const { db } = changing.transaction
  const hasExamples = (await loadPolicies(db)).some(({ examples }) => examples.length > 0)
  if (hasExamples) await assertExamplesHoldIn(changing, { rules: await loadAccessRules(db) })
}

async function assertExamplesHoldIn(
  { transaction, definitions, actor, now }: Changing,
  proposal: Proposal,
): Promise<void> {
  const place = { reader: transaction.db, dialect: transaction.dialect, definitions, now }
  const { context, nameOf } = await createExampleContext(place, proposal)
  const broken = brokenExamples(context)
  if (broken.length === 0) return
  if (actor.type !== 'system' && !hasPermission(actor, 'roles:manage')) {
    throw new Problem(
      'example-broken',
      'Nothing was saved: a saved example of an access policy would fail. Ask an owner.',
    )
  }
  const sentences = broken.map(({ policy, example }) => `${sentenceOf(example, definitions, nameOf)} (${policy.name})`)
  const [first = ''] = sentences
  const more = broken.length > 1 ? ` ${broken.length - 1} more below.` : ''
  throw new Problem('example-broken', `Nothing was saved. This saved example would fail: ${first}.${more}`, {
    errors: broken.map(({ example }, at) => ({
      path: `examples.${example.id}`,
      code: 'example-broken',
      message: `This example would fail: ${sentences[at]}.`,
    })),
    extra: { examples: broken.map(brokenExampleBody) },
  })
}

const brokenExampleBody = ({ policy, example, explanation }: BrokenExample) => ({
  policy: { id: policy.id, name: policy.name },
  example: example.id,
  may: explanation.may,
})

const examplesIn = (rules: AccessRules): Example[] => [...rules.policies.values()].flatMap(({ examples }) => examples)

type NameOf = (who: Example['who']) => string

export async function createExampleContext(
  place: ExampleSource,
  { rules, held }: Proposal,
): Promise<{ readonly context: ExampleContext; readonly nameOf: NameOf }> {
  const { definitions } = place
  const examples = examplesIn(rules)
  const ids = [...new Set(examples.flatMap(({ who }) => ('user' in who ? who.user : [])))]
  const people = new Map((await findHolders(place.reader, ids)).map((person) => [person.id, person]))

  const rolesOf = (who: Example['who']): readonly RoleId[] | undefined => {
    if ('role' in who) return rules.roles.has(who.role) ? [who.role] : undefined
    return held?.get(who.user)?.roles ?? people.get(who.user)?.roles
  }
  const collectionOf = (id: CollectionId) => definitions.byId.get(id)
  const holderOf = (who: Example['who']) => {
    const roles = rolesOf(who)
    return roles && { roles }
  }
  const actorOf = (who: Example['who']): Actor => {
    const person = 'user' in who ? people.get(who.user) : undefined
    const { id: userId, email, name } = person ?? NO_USER
    const noted = held?.get(userId)?.profile ?? profileIn(person?.profile ?? '{}')
    const profile = attributeValues(rules.profileFields, { email, name, profile: noted })
    return { type: 'user', userId, sessionId: null, name, grants: [], profile }
  }

  const covering = new Map<Example, Awaited<ReturnType<typeof conditionsCovering>>>()
  for (const example of examples) {
    const holder = holderOf(example.who)
    const collection = example.collection === null ? undefined : collectionOf(example.collection)
    if (example.record === null || !holder || !collection) continue
    const conditions = conditionsToCheck(rules, holder, { permission: example.permission, collection })
    const covered = { collection, record: example.record, actor: actorOf(example.who) }
    covering.set(example, await conditionsCovering(place, covered, conditions))
  }
  return {
    context: { rules, holderOf, collectionOf, coversOf: (example) => covering.get(example) },
    nameOf: (who) =>
      'user' in who ? (people.get(who.user)?.name ?? '') : `The role ${rules.roles.get(who.role)?.name ?? ''}`,
  }
}

const NO_USER = { id: '', email: '', name: '' }

function sentenceOf(example: Example, { byId }: Definitions, nameOf: NameOf): string {
  const collection = example.collection === null ? undefined : byId.get(example.collection)
  return accessSentence({
    who: nameOf(example.who),
    may: example.may,
    permission: example.permission,
    collection: collection?.label ?? null,
    field: collection?.fields.find(({ id }) => id === example.field)?.label ?? null,
    isOneRecord: example.record !== null,
  })
}
