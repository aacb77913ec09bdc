import { isOwner } from '#domain/access/actor.ts'
import { decide } from '#domain/access/decide.ts'
import type { Example, Policy } from '#domain/access/policy.ts'
import { isPerCollection } from '#domain/access/grant.ts'
import { sameJson } from '#domain/shared/json.ts'
import { type PartProblem, Problem } from '#domain/shared/problem.ts'
import { type WriteContext, visibleRecords } from '#server/records/crud/visible-records.ts'
import { findHolders } from '#server/access/rights/roles-store.ts'
import type { StoredAccessRules } from '#server/access/rights/access-rules-cache.ts'

type ExampleContext = WriteContext & { readonly rules: StoredAccessRules; readonly known: readonly Example[] }

/** Rejects examples that refer to missing users, roles or collections: they could never be evaluated. */
export async function checkExampleParts(laid: ExampleContext, { examples }: Policy): Promise<void> {
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

/** Examples about records their author cannot read: the result would reveal values. */
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
