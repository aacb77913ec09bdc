import { type Field, hasSelectOptions } from '../../fields/field.ts'
import { foldedNeedle } from '../../fields/folded-text.ts'
import { foldText } from '../../shared/text.ts'
import type { FieldId } from '../../shared/ids.ts'
import { type Result, ok } from '../../shared/result.ts'
import { UNFILTERED, markChecked } from '../check/check-filter.ts'
import type { CheckedComparison, CheckedFilter, Source, Test } from '../check/checked-filter.ts'
import { optionsWhose } from '../check/resolve-test.ts'
import { type QueryEnvironment, type QueryFault, invalidQuery, leafIn, visibleFields } from '../check/query-context.ts'
import { MAX_SEARCH_LENGTH, MAX_SEARCH_TERMS } from '../query-limits.ts'
import { resolveTitle } from '../check/resolve-path.ts'

/** One word or phrase of a search, folded, and the places where it may occur. */
export type SearchTerm = { readonly text: string; readonly places: readonly CheckedComparison[] }

/** A search, resolved: what must occur and where; `where` says the same as a filter. */
export type CheckedSearch = { readonly terms: readonly SearchTerm[]; readonly where: CheckedFilter }

/** Nothing is searched for. */
export const NO_SEARCH: CheckedSearch = { terms: [], where: UNFILTERED }

/** What a search reads of a field: its own text, the names of its choices, files or people, or the titles it leads to. */
export type SearchedAs = 'text' | 'choices' | 'file-names' | 'user-names' | 'titles' | 'nothing'

/** What a search reads of a field. Numbers, days, truth values and ids are not searched (contract, "search"). */
export function searchedAs(field: Field): SearchedAs {
  switch (field.kind) {
    case 'text':
    case 'long-text':
    case 'rich-text':
    case 'email':
    case 'url':
    case 'phone':
    case 'auto-number':
      return 'text'
    case 'select':
    case 'multi-select':
    case 'state':
      return 'choices'
    case 'files':
      return 'file-names'
    case 'user':
      return 'user-names'
    case 'relation':
      return 'titles'
    case 'number':
    case 'checkbox':
    case 'date':
    case 'date-time':
    case 'json':
      return 'nothing'
  }
}

/**
 * Whether a field has a text of its own that is searched: those are what a full-text index holds. What to look for in it
 * is the test of the place, not the term: telephone numbers are searched by their digits.
 */
export const isSearchedText = (field: Field): boolean => searchedAs(field) === 'text'

/** Keyboards and languages have quotes of their own, and what people are told to type stands in theirs. */
const WORD_OR_PHRASE = /["“”„«»]([^"“”„«»]*)(?:["“”„«»]|$)|[^\s"“”„«»]+/g

/** The words and `"phrases"` of a search, folded. Quotes still open, as while typing, hold to the end. */
export function searchTerms(text: string): string[] {
  const found = [...foldText(text).matchAll(WORD_OR_PHRASE)].map(([word, phrase]) => phrase ?? word)
  return [...new Set(found.filter((term) => term.trim() !== ''))]
}

/** Proves a search and spells it out: every term must occur in some field the actor may read. */
export function checkSearch(text: string, environment: QueryEnvironment): Result<CheckedSearch, QueryFault> {
  if (text.length > MAX_SEARCH_LENGTH)
    return invalidQuery('search', `Must be at most ${MAX_SEARCH_LENGTH} characters long.`, MAX_SEARCH_LENGTH)
  if (text.includes('\0'))
    return invalidQuery('search', 'Contains a character that can’t be stored (code 0).', text.indexOf('\0'))

  const terms = searchTerms(text.toWellFormed())
  if (terms.length > MAX_SEARCH_TERMS) {
    const tooMany = [...text.matchAll(WORD_OR_PHRASE)][MAX_SEARCH_TERMS]
    return invalidQuery('search', `Can’t search for more than ${MAX_SEARCH_TERMS} words.`, tooMany?.index ?? 0)
  }

  const sources = searchedSources(environment)
  return ok(
    searchOf(terms.map((term) => ({ text: term, places: sources.flatMap((source) => occursIn(source, term)) }))),
  )
}

/** A search for these terms, each in its places. */
export function searchOf(terms: readonly SearchTerm[]): CheckedSearch {
  const of = terms.map(({ places }) => ({ type: 'any', of: places }) as const)
  return { terms, where: markChecked({ type: 'all', of }) }
}

/** The same search in one field of the record itself; undefined where it cannot find anything there. */
export function withinField({ terms }: CheckedSearch, field: FieldId): CheckedSearch | undefined {
  const own = terms.map(({ text, places }) => ({
    text,
    places: places.filter(({ steps, leaf }) => steps.length === 0 && leaf.type === 'field' && leaf.field.id === field),
  }))
  return own.every(({ places }) => places.length > 0) ? searchOf(own) : undefined
}

/** Where a search looks: every readable field, and the titles behind every readable relation. */
function searchedSources(environment: QueryEnvironment): readonly Source[] {
  return visibleFields(environment.home).flatMap((field) => {
    const own: Source = { steps: [], leaf: leafIn(environment.home, field) }
    return searchedAs(field) === 'titles' ? (resolveTitle(own, environment) ?? []) : own
  })
}

/** The comparison that finds a term at a source; none where no text stands. */
function occursIn(source: Source, term: string): readonly CheckedComparison[] {
  const test = testFor(source, term)
  if (!test || (test.is === 'oneOf' && test.values.length === 0)) return []
  return [{ type: 'compare', ...source, test, isNegated: false }]
}

function testFor({ leaf }: Source, term: string): Test | undefined {
  if (leaf.type === 'system') return undefined
  const { field } = leaf
  if (hasSelectOptions(field)) return optionsWhose(field, (name) => foldText(name).includes(term))
  const as = searchedAs(field)
  if (as !== 'text' && as !== 'file-names' && as !== 'user-names') return undefined
  const folded = foldedNeedle(field.kind, term)
  return folded === undefined ? undefined : { is: 'contains', folded }
}
