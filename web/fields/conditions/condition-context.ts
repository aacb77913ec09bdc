import { grantInputFault } from '#domain/access/grant-inputs.ts'
import { checkFilterIn, surroundingsOfRules } from '#domain/query/check-filter.ts'
import { parseFilter } from '#domain/query/parse-filter.ts'
import type { QueryContext, QueryFault } from '#domain/query/query-context.ts'
import type { KnownCollection } from '../known-field.ts'
import type { OwnNote } from './condition-setting.ts'
import { definitionOf, type FindCollection } from './path-fields.ts'

/** What a condition is judged in: all that whoever builds it may see, whoever will read it and when. */
export function conditionContext(
  collection: KnownCollection,
  find: FindCollection,
  ownNotes: readonly OwnNote[],
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
export function faultIn(text: string, context: QueryContext, isOfGrant = false): QueryFault | undefined {
  const checked = checkFilterIn(surroundingsOfRules(context), text)
  if (!checked.ok) return checked.fault
  const parsed = isOfGrant ? parseFilter(text) : undefined
  const message = parsed?.ok ? grantInputFault(parsed.value.filter, context)?.message : undefined
  return message === undefined ? undefined : { code: 'invalid-filter', message, path: 'filter' }
}
