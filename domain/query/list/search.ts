import type { Collection } from '../../collections/collection.ts'
import { type Field, hasSelectOptions, shapeOf } from '../../fields/field.ts'
import { foldedNeedle } from '../../fields/folded-text.ts'
import { fieldsOfLinkedValues } from '../../formulas/formula-fields.ts'
import { valueField } from '../../formulas/value-field.ts'
import { foldText } from '../../shared/text.ts'
import type { FieldId } from '../../shared/ids.ts'
import { type Result, ok } from '../../shared/result.ts'
import { UNFILTERED, markChecked } from '../check/check-filter.ts'
import {
  type CheckedComparison,
  type CheckedFilter,
  computedAt,
  isIndexable,
  type Leaf,
  type Source,
  type Test,
} from '../check/checked-filter.ts'
import { optionsWhose } from '../check/resolve-test.ts'
import {
  fullyVisible,
  invalidQuery,
  leafIn,
  type QueryEnvironment,
  type QueryFault,
  visibleFields,
} from '../check/query-context.ts'
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

/**
 * Dates, checkboxes, IDs and numbers other than auto numbers aren't searched (specification, “search”), and neither are
 * calculated ones.
 */
export function searchedAs(field: Field): SearchedAs {
  switch (shapeOf(valueField(field))) {
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
      return 'titles'
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

/**
 * The texts of a collection that full-text indexes contain. Formulas that depend on the current time have no index, and
 * aren't searched, because every search would have to read every record.
 */
export function searchedTexts(collection: Collection, timeZone: string): readonly Leaf[] {
  const known = textsOf.get(collection)
  if (known?.timeZone === timeZone) return known.texts
  const home = fullyVisible(collection, { now: new Date(0), timeZone })
  const fields = collection.fields.filter((field) => searchedAs(field) === 'text')
  const texts = fields.map((field) => leafIn(home, field)).filter(isIndexable)
  textsOf.set(collection, { timeZone, texts })
  return texts
}

/** Definitions keep their identity until they change. */
const textsOf = new WeakMap<Collection, { readonly timeZone: string; readonly texts: readonly Leaf[] }>()

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

  // Formulas come last, so that they are calculated only where stored texts don’t contain the word.
  const isCalculated = ({ leaf }: Source): number => (computedAt(leaf) === undefined ? 0 : 1)
  const sources = searchedSources(environment).toSorted((one, other) => isCalculated(one) - isCalculated(other))
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

/**
 * Returns every readable field; for relations and reverse sides, the titles of the linked records. Of an earlier time,
 * only the links that a record contains are known, and none of the values calculated from linked records.
 */
function searchedSources(environment: QueryEnvironment): readonly Source[] {
  const { collection } = environment.home
  const isKnown = ({ id, kind }: Field): boolean =>
    environment.context.isPast !== true || (kind !== 'reverse' && !fieldsOfLinkedValues(collection).has(id))
  return visibleFields(environment.home).flatMap((field) => {
    const as = searchedAs(field)
    if (as === 'nothing' || !isKnown(field)) return []
    const own: Source = { steps: [], leaf: leafIn(environment.home, field) }
    if (as === 'titles') return resolveTitle(own, environment) ?? []
    return isIndexable(own.leaf) ? own : []
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
