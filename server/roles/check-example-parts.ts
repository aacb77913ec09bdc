import type { Example } from '#domain/access/example.ts'
import type { Policy } from '#domain/access/policy.ts'
import { isPerCollection } from '#domain/access/scope.ts'
import { type PartProblem, Problem } from '#domain/shared/problem.ts'
import type { Definitions } from '#server/collections/definitions-cache.ts'
import type { Transaction } from '#server/database/database.ts'
import { findHolders } from './roles-store.ts'
import type { StoredRules } from './rules-cache.ts'

/** Refuses examples about somebody or something that is not there: they could never be judged. */
export async function checkExampleParts(
  { db }: Transaction,
  definitions: Definitions,
  rules: StoredRules,
  { examples }: Policy,
): Promise<void> {
  const ids = examples.flatMap(({ who }) => ('user' in who ? who.user : []))
  const people = new Set((await findHolders(db, [...new Set(ids)])).map(({ id }) => id))
  const isSomebody = (who: Example['who']): boolean =>
    'user' in who ? people.has(who.user) : rules.roles.has(who.role)
  const problems = examples.flatMap((example, at): PartProblem[] => {
    const stop = (part: string, code: string, message: string) => [{ path: `examples.${at}.${part}`, code, message }]
    const collection = example.collection === null ? null : definitions.byId.get(example.collection)
    if (!isSomebody(example.who)) return stop('who', 'unknown-who', 'Whom this is about is not there any more.')
    if (collection === undefined) return stop('collection', 'unknown-collection', 'There is no such collection.')
    if (collection !== null && !isPerCollection(example.permission)) {
      return stop('collection', 'out-of-place', `“${example.permission}” is about the workspace as a whole.`)
    }
    const hasField = collection?.fields.some(({ id }) => id === example.field) === true
    if (example.field !== null && !hasField) return stop('field', 'unknown-field', 'There is no such field.')
    if (example.record !== null && collection === null) {
      return stop('record', 'out-of-place', 'Name the collection of the record.')
    }
    return []
  })
  const [first] = problems
  if (first) throw new Problem('definition-invalid', `Nothing was saved. ${first.message}`, { errors: problems })
}
