import type { Actor } from '#domain/access/actor.ts'
import { hasPermission } from '#domain/access/decide.ts'
import { type PolicyReference, referencesOf } from '#domain/access/policy-references.ts'
import { type Collection, fieldById } from '#domain/collections/collection.ts'
import { type Field, hasSelectOptions, holdsList } from '#domain/fields/field.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { Definitions } from '#server/query/definitions/definitions-cache.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { loadPolicies } from '#server/access/rights/roles-store.ts'

type DefinitionChange = { readonly transaction: Transaction; readonly definitions: Definitions; readonly actor: Actor }

type Loss = { readonly what: string; readonly isMeant: (mention: PolicyReference) => boolean }

/**
 * Rejects a definition change that would alter the meaning of policies: a deleted field or option, or a changed kind. A
 * condition with “is not” could otherwise match more records.
 */
export async function assertReferencesKeepMeaning(
  changing: DefinitionChange,
  before: Collection,
  after: Collection,
): Promise<void> {
  await assertNoReferences(
    changing,
    before.fields.flatMap((field) => lostReferences(field, fieldById(after, field.id))),
  )
}

export const assertCollectionUnreferenced = (changing: DefinitionChange, { id, label }: Collection): Promise<void> =>
  assertNoReferences(changing, [{ what: label, isMeant: (mention) => mention.collection === id }])

function lostReferences(old: Field, next: Field | undefined): Loss[] {
  const isOwn = (mention: PolicyReference): boolean => mention.field === old.id
  if (!next) return [{ what: old.label, isMeant: isOwn }]
  if (old.kind !== next.kind || holdsList(old) !== holdsList(next)) {
    return [{ what: old.label, isMeant: (mention) => isOwn(mention) && READING_REFERENCES.has(mention.by) }]
  }
  if (!hasSelectOptions(old) || !hasSelectOptions(next)) return []
  const now = new Map(next.options.choices.map(({ id, name }) => [id, name]))
  const gone = old.options.choices.filter(({ id }) => !now.has(id))
  const isGone = (value: unknown): boolean => gone.some(({ id }) => id === value)
  const others = old.options.choices.filter(({ id, name }) => now.get(id) !== name)
  return [
    loss(gone, (mention) => isOwn(mention) && mention.literals.some(isGone)),
    loss(others, (mention) => isOwn(mention) && mention.isByName === true),
  ].flat()
}

const loss = (choices: readonly { readonly name: string }[], isMeant: Loss['isMeant']): Loss[] =>
  choices.length === 0 ? [] : [{ what: choices.map(({ name }) => `“${name}”`).join(', '), isMeant }]

const READING_REFERENCES: ReadonlySet<PolicyReference['by']> = new Set(['condition', 'preset'])

/** The error names policies only to users who may see them. */
async function assertNoReferences(
  { transaction, definitions, actor }: DefinitionChange,
  losses: readonly Loss[],
): Promise<void> {
  if (losses.length === 0) return
  const policies = await loadPolicies(transaction.db)
  const naming = policies.map((policy) => ({
    policy,
    mentions: referencesOf(policy, (id) => definitions.byId.get(id)),
  }))
  for (const { what, isMeant } of losses) {
    const meant = naming.flatMap(({ policy, mentions }) => (mentions.some(isMeant) ? policy : []))
    if (meant.length > 0) throw stillReferenced(what, meant, actor)
  }
}

function stillReferenced(
  what: string,
  policies: readonly { readonly id: string; readonly name: string }[],
  actor: Actor,
) {
  if (actor.type !== 'system' && !hasPermission(actor, 'roles:manage')) {
    return new Problem('in-use', `Permissions depend on ${what}. Ask an owner to change them first.`)
  }
  const names = policies.map(({ name }) => name).join(', ')
  const detail = `Nothing was changed. Permissions depend on ${what}. Edit these policies first: ${names}.`
  return new Problem('in-use', detail, { extra: { policies: policies.map(({ id, name }) => ({ id, name })) } })
}
