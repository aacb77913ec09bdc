import { parseFilter } from '#domain/query/parse-filter.ts'
import { conditionWords } from '#web/fields/conditions/condition-words.ts'
import type { FindCollection } from '#web/fields/conditions/path-fields.ts'
import type { KnownCollection } from '#web/fields/known-field.ts'

/** What the words of a rule are taken from. */
type WordsWorld = { readonly collection: KnownCollection; readonly findCollection: FindCollection }

/** A rule in words, as it is told to those who do not see colours. */
export function wordsOf(filter: string, { collection, findCollection }: WordsWorld): string {
  const parsed = filter === '' ? undefined : parseFilter(filter)
  return parsed?.ok ? conditionWords(parsed.value.filter, { collection, findCollection, me: 'me' }) : filter
}
