import { parseFilter } from '#domain/query/parse-filter.ts'
import { describeCondition } from '#web/shared/conditions/describe-condition.ts'
import type { FindCollection } from '#web/shared/conditions/path-fields.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'

/** What the words of a rule are taken from. */
type ColorRuleContext = { readonly collection: TypedCollection; readonly findCollection: FindCollection }

/** A rule in words, as it is told to those who do not see colours. */
export function describeColorRule(filter: string, { collection, findCollection }: ColorRuleContext): string {
  const parsed = filter === '' ? undefined : parseFilter(filter)
  return parsed?.ok ? describeCondition(parsed.value.filter, { collection, findCollection, me: 'me' }) : filter
}
