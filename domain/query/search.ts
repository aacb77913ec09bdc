import { foldText } from '../shared/fold-text.ts'
import { type Result, ok } from '../shared/result.ts'
import { seal } from './check-filter.ts'
import type { CheckedFilter, CheckedNode, Source, Test } from './checked-filter.ts'
import { leafOf } from './checked-filter.ts'
import { choicesWhose } from './make-test.ts'
import { type QueryFault, refuse } from './query-context.ts'
import { MAX_SEARCH_LENGTH, MAX_SEARCH_TERMS } from './query-limits.ts'
import { resolveTitle } from './resolve-path.ts'
import { type Surroundings, visibleFields } from './surroundings.ts'

/** A search, resolved: what must occur, and the filter that says in which fields. */
export type CheckedSearch = { readonly terms: readonly string[]; readonly where: CheckedFilter }

const WORD_OR_PHRASE = /"([^"]*)(?:"|$)|[^\s"]+/g

/** The words and `"phrases"` of a search, folded. Quotes still open, as while typing, hold to the end. */
export function searchTerms(text: string): string[] {
  const found = [...foldText(text).matchAll(WORD_OR_PHRASE)].map(([word, phrase]) => phrase ?? word)
  return [...new Set(found.filter((term) => term.trim() !== ''))]
}

/**
 * Proves a search and spells it out: every term must occur in some field the actor may read. Numbers, days, truth
 * values and ids are not searched (contract, "search").
 */
export function checkSearch(text: string, surroundings: Surroundings): Result<CheckedSearch, QueryFault> {
  if (text.length > MAX_SEARCH_LENGTH) return refuse('search', `It is longer than ${MAX_SEARCH_LENGTH} characters.`)
  if (text.includes('\0'))
    return refuse('search', 'It holds a character that no value can hold (code 0).', text.indexOf('\0'))

  const terms = searchTerms(text.toWellFormed())
  if (terms.length > MAX_SEARCH_TERMS) return refuse('search', `It has more than ${MAX_SEARCH_TERMS} words.`)

  const sources = searchedSources(surroundings)
  const of = terms.map(
    (term): CheckedNode => ({ type: 'any', of: sources.flatMap((source) => occursIn(source, term)) }),
  )
  return ok({ terms, where: seal({ type: 'all', of }) })
}

/** Where a search looks: every readable field, and the titles behind every readable relation. */
function searchedSources(surroundings: Surroundings): readonly Source[] {
  return visibleFields(surroundings.home).flatMap((field) => {
    const own: Source = { steps: [], leaf: leafOf(field) }
    return field.kind === 'relation' ? (resolveTitle(own, surroundings) ?? []) : own
  })
}

/** The comparison that finds a term at a source; none where no text stands. */
function occursIn(source: Source, term: string): readonly CheckedNode[] {
  const test = testFor(source, term)
  if (!test || (test.is === 'oneOf' && test.values.length === 0)) return []
  return [{ type: 'compare', ...source, test, isNegated: false }]
}

function testFor({ leaf }: Source, term: string): Test | undefined {
  if (leaf.type === 'system') return undefined
  switch (leaf.field.kind) {
    case 'text':
    case 'long-text':
    case 'rich-text':
    case 'files':
      return { is: 'contains', folded: term }
    case 'select':
      return choicesWhose(leaf.field, (name) => foldText(name).includes(term))
    case 'number':
    case 'checkbox':
    case 'date':
    case 'date-time':
    case 'relation':
      return undefined
  }
}
