import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { type CheckedComparison, readableAt } from '#domain/query/check/checked-filter.ts'
import type { SearchTerm } from '#domain/query/list/search.ts'
import type { CollectionId } from '#domain/shared/ids.ts'
import { compileNode, readableConditions } from '#server/query/compile/compile-filter.ts'
import { leafFold } from '#server/query/compile/formula/leaf-value.ts'
import { isListLeaf } from '#server/query/sql/leaf-columns.ts'
import { searchedFieldOf } from './searched-texts.ts'
import {
  FILLER,
  type FullTextIndex,
  TRIGRAM,
  fullTextTableOf,
  isPendingIn,
  pendingRows,
  trigramTableOf,
} from './full-text-index.ts'
import type { Branch, Hits } from './search-plan.ts'
import {
  allOf,
  anyOf,
  bound,
  column,
  type Condition,
  entryAt,
  listTableOf,
  rowAt,
  rowsOf,
  SEQ_COLUMN,
  type SqlContext,
  type SqlOptions,
} from '#server/query/sql/sql-context.ts'

export type HitsContext = {
  readonly collection: CollectionId
  readonly parts: readonly FullTextIndex[]
  readonly setting: SqlOptions
}

type OwnTextComparison = CheckedComparison & { readonly test: { readonly is: 'contains'; readonly folded: string } }

export const isOwnText = (place: CheckedComparison): place is OwnTextComparison =>
  place.test.is === 'contains' &&
  place.steps.length === 0 &&
  !isListLeaf(place.leaf) &&
  place.leaf.type === 'field' &&
  place.leaf.field.kind !== 'user'

/** Whether an index contains a text. */
const contains = ({ fields }: FullTextIndex, { leaf }: OwnTextComparison): boolean =>
  fields.includes(searchedFieldOf(leaf, 'sqlite'))

/** The extension of PostgreSQL builds trigrams from letters and digits only. */
const HAS_TRIGRAM = /[\p{L}\p{N}]{3}/u

/** Whether a trigram index on PostgreSQL can find a text. */
export const isTrigramText = ({ leaf, test }: OwnTextComparison, parts: readonly FullTextIndex[] = []): boolean =>
  HAS_TRIGRAM.test(test.folded) && parts.some(({ fields }) => fields.includes(searchedFieldOf(leaf, 'postgres')))

/** A condition that a trigram index on PostgreSQL can find. */
export function likeAnywhere({ test, leaf }: CheckedComparison, row: SqlContext): Condition {
  const needle = test.is === 'contains' ? test.folded : ''
  const pattern = `%${needle.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`
  return sql`${leafFold(leaf, row)} like ${pattern}`
}

/**
 * Whether a trigram index can find a text; false if it contains the filler, which is appended to every indexed text.
 */
const isIndexed = (needle: string): boolean => needle !== '' && !needle.includes(FILLER)

const isLong = (needle: string): boolean => [...needle].length >= TRIGRAM

/**
 * The hits of each index lookup for these terms, narrowest first: rows that match all terms in one index, then rows for
 * each remaining term. Terms without an index are left out.
 */
export function hitsOf(terms: readonly SearchTerm[], place: HitsContext): Hits[] {
  const [part] = place.parts
  const together = part === undefined ? [] : terms.filter((term) => isWithin(term, part))
  const apart = terms.filter((term) => !together.includes(term))
  const joint = part !== undefined && together.length > 0 ? [matchingAll(part, together, place)] : []
  return [...joint, ...apart.flatMap((term) => hitsOfTerm(term, place) ?? [])]
}

function isWithin({ places }: SearchTerm, part: FullTextIndex): boolean {
  return (
    part.gap === null &&
    places.length > 0 &&
    places.every(
      (place) => isOwnText(place) && contains(part, place) && isIndexed(place.test.folded) && isLong(place.test.folded),
    )
  )
}

function matchingAll(part: FullTextIndex, terms: readonly SearchTerm[], place: HitsContext): Hits {
  const holds = allOf(terms.map(({ places }) => textCondition(places, place)))
  const expressions = terms.map(({ places }) => `(${matchOf(places.filter(isOwnText))})`)
  const branches = [matching(part, expressions.join(' AND '), holds), pendingBranch(holds, place)]
  return { collection: place.collection, branches, terms: new Set(terms), isOrdered: true, isDistinct: true }
}

/** The maximum number of trigrams that are looked up; more don't make candidates of a long text much rarer. */
const MAX_TRIGRAMS = 16

/** The full-text query for rows that have all trigrams of a text, in any field and order. */
function matchOf(places: readonly OwnTextComparison[]): string {
  const needles = new Set(places.map(({ test }) => test.folded))
  return [...needles].map((needle) => `(${trigramsOf(needle).map(quoted).join(' AND ')})`).join(' OR ')
}

const quoted = (trigram: string): string => `"${trigram.replaceAll('"', '""')}"`

/** Evenly distributed over the text. */
function trigramsOf(needle: string): readonly string[] {
  const characters = [...needle]
  const count = characters.length - TRIGRAM + 1
  const step = Math.max(1, count / MAX_TRIGRAMS)
  const places = Array.from({ length: Math.min(count, MAX_TRIGRAMS) }, (_, at) => Math.floor(at * step))
  return [...new Set(places.map((at) => characters.slice(at, at + TRIGRAM).join('')))]
}

function matching(part: FullTextIndex, expression: string, holds: Condition): Branch {
  const table = sql.raw(fullTextTableOf(part.id))
  const number = sql.raw(`${fullTextTableOf(part.id)}.rowid`)
  const where = sql<SqlBool>`(${table} match ${expression} and ${isIndexedRow(part, number)})`
  return { number, from: table, where, holds, isOrdered: true, isBounded: true }
}

/** Whether the index entry of a row is up to date. */
const isIndexedRow = ({ collection }: FullTextIndex, number: RawBuilder<unknown>): Condition =>
  sql`${number} not in (${pendingRows(collection)})`

function hitsOfTerm(term: SearchTerm, place: HitsContext): Hits | undefined {
  const texts = term.places.filter(isOwnText)
  const others = term.places.filter((each) => !isOwnText(each))
  const isKnown = texts.every((text) => isIndexed(text.test.folded) && place.parts.some((part) => contains(part, text)))
  if (!isKnown) return undefined
  const found = [
    ...place.parts.flatMap((part) => indexBranches(part, texts, place)),
    ...others.map((other) => rowBranch(other, place)),
  ]
  const branches = texts.length === 0 ? found : [...found, pendingBranch(textCondition(texts, place), place)]
  const isOrdered = branches.every((branch) => branch.isOrdered)
  const isDistinct = isOrdered && found.length === 1
  return { collection: place.collection, branches, terms: new Set([term]), isOrdered, isDistinct }
}

function indexBranches(part: FullTextIndex, texts: readonly OwnTextComparison[], place: HitsContext): Branch[] {
  const own = texts.filter((text) => contains(part, text))
  const long = own.filter(({ test }) => isLong(test.folded))
  const short = Map.groupBy(
    own.filter(({ test }) => !isLong(test.folded)),
    ({ test }) => test.folded,
  )
  return [
    ...(long.length === 0 ? [] : [matching(part, matchOf(long), textCondition(long, place))]),
    ...[...short].map(([needle, places]) => prefixTrigrams(part, needle, textCondition(places, place))),
    ...(part.gap === null || own.length === 0 ? [] : [gapBranch(part.gap, own, place)]),
  ]
}

/** A search for one or two characters matches trigram prefixes. */
function prefixTrigrams(part: FullTextIndex, needle: string, holds: Condition): Branch {
  const last = `${needle}\u{10ffff}\u{10ffff}`
  return {
    number: sql`t.doc`,
    from: sql`${sql.id(trigramTableOf(part.id))} as t`,
    where: sql`(t.term >= ${needle} and t.term <= ${last} and ${isIndexedRow(part, sql`t.doc`)})`,
    holds,
    isOrdered: false,
    isBounded: false,
  }
}

/** Rows that aren't indexed yet are scanned instead. */
function gapBranch(
  gap: NonNullable<FullTextIndex['gap']>,
  texts: readonly OwnTextComparison[],
  place: HitsContext,
): Branch {
  const number = column(rowAt(0), SEQ_COLUMN)
  const stretch: Condition = sql`${number} between cast(${gap.from} as integer) and cast(${gap.to} as integer)`
  const where = allOf([stretch, textCondition(texts, place)])
  return { number, from: rowsOf(place.collection, 0), where, isOrdered: true, isBounded: true }
}

const textCondition = (texts: readonly CheckedComparison[], { setting }: HitsContext): Condition =>
  anyOf(texts.map((text) => compileNode(text, { ...setting, level: 0 })))

/** Rows whose index entries are out of date are scanned instead. */
function pendingBranch(holds: Condition, { collection }: HitsContext): Branch {
  return {
    number: sql.raw('p.seq'),
    from: sql`search_pending as p cross join ${rowsOf(collection, 0)} on ${column(rowAt(0), SEQ_COLUMN)} = p.seq`,
    where: allOf([sql.raw(isPendingIn(collection)), holds]),
    isOrdered: true,
    isBounded: true,
  }
}

function rowBranch(place: CheckedComparison, { collection, setting }: HitsContext): Branch {
  const row = { ...setting, level: 0 }
  const number = column(rowAt(0), SEQ_COLUMN)
  const { test, leaf, steps } = place
  if (test.is === 'oneOf' && steps.length === 0 && leaf.type === 'field' && isListLeaf(leaf)) {
    const entry = entryAt(1)
    const ids = test.values.map((value) => bound(setting, value))
    const entries = sql`${sql.table(listTableOf(leaf.field.id))} as ${sql.id(entry)}`
    const from = sql`${entries} cross join ${rowsOf(collection, 0)} on ${column(rowAt(0), 'id')} = ${column(entry, 'record_id')}`
    const isOne: Condition = sql`${column(entry, 'value')} in (${sql.join(ids)})`
    return {
      number,
      from,
      where: allOf([isOne, ...readableConditions(readableAt(leaf), row)]),
      isOrdered: false,
      isBounded: true,
    }
  }
  return { number, from: rowsOf(collection, 0), where: compileNode(place, row), isOrdered: false, isBounded: true }
}

const NO_NUMBERS = sql`select 0 as at where 1 = 0`

/** The row numbers of a branch's hits. */
export function branchHits(
  { number, from, where, holds }: Branch,
  collection: CollectionId,
  further: readonly Condition[] = [],
): RawBuilder<unknown> {
  const rows = sql`cross join ${rowsOf(collection, 0)} on ${column(rowAt(0), SEQ_COLUMN)} = ${number}`
  const conditions = allOf([where, ...further, ...(holds ? [holds] : [])])
  return sql`select ${number} as at from ${from} ${holds ? rows : sql``} where ${conditions}`
}

export const hitNumbers = ({ branches, collection }: Hits): RawBuilder<unknown> =>
  branches.length === 0
    ? NO_NUMBERS
    : sql.join(
        branches.map((branch) => branchHits(branch, collection)),
        sql` union all `,
      )

export const distinctHits = (hits: Hits): RawBuilder<unknown> =>
  hits.isDistinct ? hitNumbers(hits) : sql`select distinct at from (${hitNumbers(hits)}) as all_hits`

/**
 * The row numbers of all hits, in order and without duplicates, optionally after a given number; SQLite merges the
 * results of the lookups.
 */
export function orderedHits(
  { branches, collection }: Hits,
  isDescending: boolean,
  behind: RawBuilder<unknown> | null,
): RawBuilder<unknown> {
  if (branches.length === 0) return NO_NUMBERS
  const sign = sql.raw(isDescending ? '<' : '>')
  const direction = sql.raw(isDescending ? 'desc' : 'asc')
  const selects = branches.map((branch) =>
    branchHits(branch, collection, behind === null ? [] : [sql`${branch.number} ${sign} ${behind}`]),
  )
  return sql`${sql.join(selects, sql` union `)} order by at ${direction}`
}
