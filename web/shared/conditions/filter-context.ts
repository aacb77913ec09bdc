import { grantInputFault } from '#domain/access/grant-inputs.ts'
import { checkFilterIn, environmentOfRules } from '#domain/query/check-filter.ts'
import { parseFilter } from '#domain/query/parse-filter.ts'
import type { QueryContext, QueryFault } from '#domain/query/query-context.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { UserAttribute } from './builder/condition-provider.ts'
import { definitionOf, type FindCollection } from './path-fields.ts'

/** What a condition is judged in: all that whoever builds it may see, whoever will read it and when. */
export function filterContext(
  collection: TypedCollection,
  find: FindCollection,
  ownNotes: readonly UserAttribute[],
): QueryContext {
  return {
    collection: definitionOf(collection),
    collectionOf: (id) => {
      const there = find(id)
      return there && definitionOf(there)
    },
    decisionFor: () => ({ allowed: true, hiddenFields: new Set() }),
    now: new Date(),
    timeZone: 'UTC',
    workspaceTimeZone: 'UTC',
    actorId: null,
    ...(ownNotes.length > 0 && { profile: Object.fromEntries(ownNotes.map(({ name }) => [name, []])) }),
  }
}

/** What is wrong with a text as a filter here, told as the server tells it. */
export function filterErrorIn(text: string, context: QueryContext, isOfGrant = false): QueryFault | undefined {
  const checked = checkFilterIn(environmentOfRules(context), text)
  if (!checked.ok) return checked.fault
  const parsed = isOfGrant ? parseFilter(text) : undefined
  const message = parsed?.ok ? grantInputFault(parsed.value.filter, context)?.message : undefined
  return message === undefined ? undefined : { code: 'invalid-filter', message, path: 'filter' }
}
