import { type Field, hasSelectOptions, shapeOf } from '../../fields/field.ts'
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

/** Folded word or phrase and the comparisons that find it. */
export type SearchTerm = { readonly text: string; readonly places: readonly CheckedComparison[] }

/** `where` is the search expressed as a filter. */
export type CheckedSearch = { readonly terms: readonly SearchTerm[]; readonly where: CheckedFilter }

export const NO_SEARCH: CheckedSearch = { terms: [], where: UNFILTERED }

/**
 * Searchable content of a field: its text, the names of its options, files or users, or the titles of its linked
 * records.
 */
export type SearchedAs = 'text' | 'choices' | 'file-names' | 'user-names' | 'titles' | 'nothing'

/** Dates, checkboxes, IDs and numbers other than auto numbers aren't searched (specification, “search”). */
export function searchedAs(field: Field): SearchedAs {
  switch (shapeOf(field)) {
    case 'text':
    case 'document':
      return 'text'
    case 'option':
      return 'choices'
    case 'file':
      return 'file-names'
    case 'person':
      return 'user-names'
    case 'record':
      return field.kind === 'relation' ? 'titles' : 'nothing'
    case 'number':
      return field.kind === 'auto-number' ? 'text' : 'nothing'
    case 'boolean':
    case 'date':
    case 'date-time':
    case 'json':
    case 'formula':
      return 'nothing'
  }
}

/** Whether a field is in the full-text index; phone numbers aren't, because they are searched by digits. */
export const isSearchedText = (field: Field): boolean => searchedAs(field) === 'text'

/** Accepts quotation marks from any keyboard or language. */
const WORD_OR_PHRASE = /["“”„«»]([^"“”„«»]*)(?:["“”„«»]|$)|[^\s"“”„«»]+/g

/** Parses folded words and `"phrases"`; an unclosed quote extends to the end, as happens while typing. */
export function searchTerms(text: string): string[] {
  const found = [...foldText(text).matchAll(WORD_OR_PHRASE)].map(([word, phrase]) => phrase ?? word)
  return [...new Set(found.filter((term) => term.trim() !== ''))]
}

/** Every term must occur in a field that the actor can read. */
export function checkSearch(text: string, environment: QueryEnvironment): Result<CheckedSearch, QueryFault> {
  if (text.length > MAX_SEARCH_LENGTH)
    return invalidQuery('search', `Must be at most ${MAX_SEARCH_LENGTH} characters long.`, MAX_SEARCH_LENGTH)
  if (text.includes('\0'))
    return invalidQuery('search', 'Contains a null character (U+0000), which can’t be stored.', text.indexOf('\0'))

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

export function searchOf(terms: readonly SearchTerm[]): CheckedSearch {
  const of = terms.map(({ places }) => ({ type: 'any', of: places }) as const)
  return { terms, where: markChecked({ type: 'all', of }) }
}

/** Same search, limited to one field of the record; undefined if it can't match there. */
export function withinField({ terms }: CheckedSearch, field: FieldId): CheckedSearch | undefined {
  const own = terms.map(({ text, places }) => ({
    text,
    places: places.filter(({ steps, leaf }) => steps.length === 0 && leaf.type === 'field' && leaf.field.id === field),
  }))
  return own.every(({ places }) => places.length > 0) ? searchOf(own) : undefined
}

/** Returns every readable field; for relations, the titles of the linked records. */
function searchedSources(environment: QueryEnvironment): readonly Source[] {
  return visibleFields(environment.home).flatMap((field) => {
    if (searchedAs(field) === 'nothing') return []
    const own: Source = { steps: [], leaf: leafIn(environment.home, field) }
    return searchedAs(field) === 'titles' ? (resolveTitle(own, environment) ?? []) : own
  })
}

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
