import { type RawBuilder, sql } from 'kysely'
import { type CheckedComparison, type CheckedNode, readableAt } from '#domain/query/check/checked-filter.ts'
import type { SearchTerm } from '#domain/query/list/search.ts'
import type { CollectionId, FieldId } from '#domain/shared/ids.ts'
import { compileNode, readableConditions } from '#server/query/compile/compile-filter.ts'
import { isListLeaf } from '#server/query/sql/leaf-columns.ts'
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
  columnOf,
  type Condition,
  entryAt,
  listTableOf,
  rowAt,
  rowsOf,
  SEQ_COLUMN,
  type SqlOptions,
} from '#server/query/sql/sql-context.ts'

export type HitsContext = {
  readonly collection: CollectionId
  readonly parts: readonly FullTextIndex[]
  readonly setting: SqlOptions
}

type OwnTextComparison = CheckedComparison & { readonly test: { readonly is: 'contains'; readonly folded: string } }

export const isOwnText = (place: CheckedComparison): place is OwnTextComparison =>
  place.test.is === 'contains' && place.steps.length === 0 && !isListLeaf(place.leaf) && ownFieldOf(place) !== undefined

export const ownFieldOf = ({ leaf }: CheckedComparison): FieldId | undefined => {
  if (leaf.type !== 'field' || leaf.field.kind === 'user') return undefined
  return leaf.field.id
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
      (place) =>
        isOwnText(place) &&
        readableAt(place.leaf) === null &&
        part.fields.includes(ownFieldOf(place) ?? '') &&
        isIndexed(place.test.folded) &&
        isLong(place.test.folded),
    )
  )
}

function matchingAll(part: FullTextIndex, terms: readonly SearchTerm[], place: HitsContext): Hits {
  const expressions = terms.map(({ places }) => `(${matchOf(part, places.filter(isOwnText))})`)
  const pending = terms.map(({ places }) => textCondition(places, place))
  const branches = [matching(part, expressions.join(' AND ')), pendingBranch(allOf(pending), place)]
  return { branches, terms: new Set(terms), isOrdered: true, isDistinct: true }
}

/** The full-text query, with each term as a phrase in the columns of its fields. */
function matchOf(part: FullTextIndex, places: readonly OwnTextComparison[]): string {
  const byNeedle = Map.groupBy(places, ({ test }) => test.folded)
  return [...byNeedle]
    .map(([needle, own]) => {
      const columns = new Set(own.map((place) => columnOf(ownFieldOf(place) ?? '')))
      const phrase = `"${needle.replaceAll('"', '""')}"`
      const isWhole = !part.holdsMore && part.fields.every((id) => columns.has(columnOf(id)))
      return isWhole ? phrase : `{${[...columns].join(' ')}} : ${phrase}`
    })
    .join(' OR ')
}

function matching(part: FullTextIndex, expression: string): Branch {
  const table = sql.raw(fullTextTableOf(part.id))
  const number = sql.raw(`${fullTextTableOf(part.id)}.rowid`)
  return {
    number,
    from: table,
    where: sql`(${table} match ${expression} and ${isIndexedRow(part, number)})`,
    isOrdered: true,
    isBounded: true,
  }
}

/** Whether the index entry of a row is up to date. */
const isIndexedRow = ({ collection }: FullTextIndex, number: RawBuilder<unknown>): Condition =>
  sql`${number} not in (${pendingRows(collection)})`

function hitsOfTerm(term: SearchTerm, place: HitsContext): Hits | undefined {
  const texts = term.places.filter(isOwnText)
  const others = term.places.filter((each) => !isOwnText(each))
  const isKnown = texts.every(
    (text) => isIndexed(text.test.folded) && place.parts.some(({ fields }) => fields.includes(ownFieldOf(text) ?? '')),
  )
  if (!isKnown) return undefined
  const found = [
    ...place.parts.flatMap((part) => indexBranches(part, texts, place)),
    ...others.map((other) => rowBranch(other, place)),
  ]
  const branches = texts.length === 0 ? found : [...found, pendingBranch(textCondition(texts, place), place)]
  const isOrdered = branches.every((branch) => branch.isOrdered)
  return { branches, terms: new Set([term]), isOrdered, isDistinct: isOrdered && found.length === 1 }
}

function indexBranches(part: FullTextIndex, texts: readonly OwnTextComparison[], place: HitsContext): Branch[] {
  const own = texts.filter((text) => part.fields.includes(ownFieldOf(text) ?? ''))
  const byCondition = Map.groupBy(own, ({ leaf }) => readableAt(leaf))
  const indexed = [...byCondition].flatMap(([readable, some]) => {
    const branches = indexedIn(part, some)
    return readable === null ? branches : branches.map((branch) => onlyWhere(readable, branch, place))
  })
  return part.gap === null || own.length === 0 ? indexed : [...indexed, gapBranch(part.gap, own, place)]
}

/** Hits in a conditionally hidden field count only where the field is visible. */
function onlyWhere(readable: CheckedNode, branch: Branch, { collection, setting }: HitsContext): Branch {
  const rows = sql`${rowsOf(collection, 0)} on ${column(rowAt(0), SEQ_COLUMN)} = ${branch.number}`
  const where = allOf([branch.where, ...readableConditions(readable, { ...setting, level: 0 })])
  return { ...branch, from: sql`${branch.from} cross join ${rows}`, where }
}

function indexedIn(part: FullTextIndex, own: readonly OwnTextComparison[]): Branch[] {
  const long = own.filter(({ test }) => isLong(test.folded))
  const short = Map.groupBy(
    own.filter(({ test }) => !isLong(test.folded)),
    ({ test }) => test.folded,
  )
  return [
    ...(long.length === 0 ? [] : [matching(part, matchOf(part, long))]),
    ...[...short].map(([needle, places]) => prefixTrigrams(part, needle, places)),
  ]
}

/** A search for one or two characters matches trigram prefixes. */
function prefixTrigrams(part: FullTextIndex, needle: string, places: readonly OwnTextComparison[]): Branch {
  const columns = places.map((place) => columnOf(ownFieldOf(place) ?? ''))
  const last = `${needle}\u{10ffff}\u{10ffff}`
  return {
    number: sql`t.doc`,
    from: sql`${sql.id(trigramTableOf(part.id))} as t`,
    where: sql`(t.term >= ${needle} and t.term <= ${last} and t.col in (${sql.join(columns)})
      and ${isIndexedRow(part, sql`t.doc`)})`,
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

export const hitNumbers = ({ branches }: Hits): RawBuilder<unknown> =>
  branches.length === 0
    ? NO_NUMBERS
    : sql.join(
        branches.map(({ number, from, where }) => sql`select ${number} as at from ${from} where ${where}`),
        sql` union all `,
      )

export const distinctHits = (hits: Hits): RawBuilder<unknown> =>
  hits.isDistinct ? hitNumbers(hits) : sql`select distinct at from (${hitNumbers(hits)}) as all_hits`

/**
 * The row numbers of all hits, in order and without duplicates, optionally after a given number; SQLite merges the
 * results of the lookups.
 */
export function orderedHits(
  hits: Hits,
  isDescending: boolean,
  behind: RawBuilder<unknown> | null,
): RawBuilder<unknown> {
  if (hits.branches.length === 0) return NO_NUMBERS
  const sign = sql.raw(isDescending ? '<' : '>')
  const direction = sql.raw(isDescending ? 'desc' : 'asc')
  const selects = hits.branches.map(({ number, from, where }) => {
    const further = behind === null ? sql`` : sql` and ${number} ${sign} ${behind}`
    return sql`select ${number} as at from ${from} where ${where}${further}`
  })
  return sql`${sql.join(selects, sql` union `)} order by at ${direction}`
}
