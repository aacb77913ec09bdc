import { type RawBuilder, sql } from 'kysely'
import { type CheckedComparison, leafOf, type Step, systemLeaf } from '#domain/query/check/checked-filter.ts'
import { EMPTY_SPEC } from '#domain/query/list/index-selection.ts'
import { type CheckedSearch, type SearchTerm, searchOf } from '#domain/query/list/search.ts'
import type { Reader } from '#server/platform/database/database.ts'
import { compileNode, linkColumn, reachable } from '#server/query/compile/compile-filter.ts'
import type { QueryScope } from '#server/query/run/query-scope.ts'
import { namingTable } from '#server/query/sql/leaf-columns.ts'
import { distinctHits, hitsOf, isOwnText, isTrigramText, likeAnywhere } from './search-hits.ts'
import type { FullTextIndexes } from './full-text-index.ts'
import type { Hits } from './search-plan.ts'
import { allOf, column, entryAt, listTableOf, rowAt, rowsOf, type SqlOptions } from '#server/query/sql/sql-context.ts'

/** Names that match at least this many IDs aren't resolved; instead, each record's links are checked. */
const MAX_IDS = 200

/** Maximum number of IDs in a search, because the number of statement parameters is limited. */
const MAX_IDS_TOTAL = 2_000

/** Lookups per statement; SQLite allows 500 selects in one statement. */
const LOOKUPS_PER_STATEMENT = 100

export type ResolveContext = {
  readonly reader: Reader
  readonly setting: SqlOptions
  readonly parts: FullTextIndexes
  readonly isIndexed?: QueryScope['isIndexed']
}

/** Resolves names to IDs of objects that the actor can see, so that links can be searched by index. */
export async function resolveSearch(search: CheckedSearch, place: ResolveContext): Promise<CheckedSearch> {
  const lookups = lookupsIn([search], place)
  if (lookups.length === 0) return search
  const ids = await lookUp(place.reader, lookups, MAX_IDS)
  return searchOf(search.terms.map((term) => withLinksFound(withIds(term, ids), place)))
}

/** Names that weren't resolved, because they match many records, without an index that finds the links of a record. */
const withLinksFound = ({ text, places }: SearchTerm, { isIndexed }: ResolveContext): SearchTerm => ({
  text,
  places: places.map((place) => {
    const [step, ...rest] = place.steps
    if (!step?.isReverse || step.relation.options.many) return place
    const isFound = isIndexed?.(step.into, { ...EMPTY_SPEC, equal: [step.relation.id] }) === true
    return isFound ? place : { ...place, steps: [{ ...step, isMatchedFirst: true }, ...rest] }
  }),
})

/** The terms of each search without the names that match nothing; all other names are left unresolved. */
export async function withoutUnmatchedNames(
  searches: readonly CheckedSearch[],
  place: ResolveContext,
): Promise<(readonly SearchTerm[])[]> {
  const unmatched = await lookUp(place.reader, lookupsIn(searches, place), 0)
  return searches.map(({ terms }) => terms.map((term) => withIds(term, unmatched)))
}

function lookupsIn(searches: readonly CheckedSearch[], place: ResolveContext): readonly Lookup[] {
  const lookups = new Map<string, Lookup>()
  for (const each of searches.flatMap(({ terms }) => terms.flatMap(({ places }) => places))) {
    const lookup = lookupFor(each, place)
    if (lookup && !lookups.has(lookup.name)) lookups.set(lookup.name, lookup)
  }
  return [...lookups.values()]
}

type Lookup = { readonly name: string; readonly select: RawBuilder<unknown> }

function lookupFor(place: CheckedComparison, { setting, parts }: ResolveContext): Lookup | undefined {
  const { steps, leaf, test } = place
  const [step] = steps
  if (step)
    return steps.length === 1 ? { name: nameOf(place), select: relatedIds(place, step, setting, parts) } : undefined
  const table = namingTable(leaf)
  if (table === undefined || test.is !== 'contains' || leaf.type !== 'field') return undefined
  const own = table === 'assets' ? sql` and n.field_id = ${leaf.field.id}` : sql``
  const position = setting.dialect === 'postgres' ? sql`strpos` : sql`instr`
  const select = sql`select n.id from ${sql.table(table)} as n where ${position}(n.name_fold, ${test.folded}) > 0${own}`
  return { name: nameOf(place), select }
}

/** The key of a lookup; relations to the same collection share a key. */
function nameOf({ steps, leaf, test }: CheckedComparison): string {
  const [step] = steps
  const linked = step && (step.isReverse ? `from ${step.relation.id}` : `into ${step.into}`)
  const where = linked ?? (leaf.type === 'field' ? `${namingTable(leaf)} ${leaf.field.id}` : '')
  return JSON.stringify([where, test])
}

/** The IDs of linked records with a title or, if the step is reversed, of the records that they link to. */
function relatedIds(
  { leaf, test }: CheckedComparison,
  step: Step,
  setting: SqlOptions,
  parts: FullTextIndexes,
): RawBuilder<unknown> {
  const there = { ...setting, level: 1 }
  const title: CheckedComparison = { type: 'compare', steps: [], leaf, test, isNegated: false }
  const isTrigram = setting.dialect === 'postgres' && isOwnText(title) && isTrigramText(title, parts.get(step.into))
  const conditions = [
    ...reachable(step, there),
    ...(isTrigram ? [likeAnywhere(title, there)] : []),
    compileNode(title, there),
  ]
  const known = setting.dialect === 'sqlite' ? hitsInTitles(title, step, setting, parts) : undefined
  const row = rowAt(1)
  const rows = rowsOf(step.into, 1)
  const from = known
    ? sql`(${distinctHits(known)}) as hits cross join ${rows} on ${column(row, 'seq')} = hits.at`
    : rows
  if (!step.isReverse) return sql`select ${column(row, 'id')} as id from ${from} where ${allOf(conditions)}`
  const entries = sql`${sql.table(listTableOf(step.relation.id))} as ${sql.id(entryAt(1))}`
  const links = step.relation.options.many
    ? sql`${from} join ${entries} on ${column(entryAt(1), 'record_id')} = ${column(row, 'id')}`
    : from
  const id = linkColumn(step, 1)
  return sql`select ${id} as id from ${links} where ${allOf([...conditions, sql`${id} is not null`])}`
}

function hitsInTitles(
  title: CheckedComparison,
  { into }: Step,
  setting: SqlOptions,
  parts: FullTextIndexes,
): Hits | undefined {
  const place = { collection: into, parts: parts.get(into) ?? [], setting }
  const [hits] = hitsOf([{ text: '', places: [title] }], place)
  return hits
}

/** Finds the IDs of each lookup; lookups with more than `max` IDs are left out of the result. */
export async function lookUp(
  reader: Reader,
  lookups: readonly Lookup[],
  max: number,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>(lookups.map(({ name }) => [name, []]))
  for (let at = 0; at < lookups.length; at += LOOKUPS_PER_STATEMENT) {
    const some = lookups.slice(at, at + LOOKUPS_PER_STATEMENT)
    const selects = some.map(
      ({ select }, place) =>
        sql`select ${sql.lit(place)} as place, found.id from (${select} limit ${sql.lit(max + 1)}) as found`,
    )
    const { rows } = await sql<{ place: number; id: string }>`${sql.join(selects, sql` union all `)}`.execute(reader)
    for (const { place, id } of rows) found.get(some[place]?.name ?? '')?.push(id)
  }
  let left = MAX_IDS_TOTAL
  for (const [name, ids] of found) {
    if (ids.length > Math.min(max, left)) found.delete(name)
    else left -= ids.length
  }
  return found
}

function withIds({ text, places }: SearchTerm, found: ReadonlyMap<string, readonly string[]>): SearchTerm {
  return { text, places: places.flatMap((place) => replaced(place, found)) }
}

function replaced(place: CheckedComparison, found: ReadonlyMap<string, readonly string[]>): CheckedComparison[] {
  const ids = found.get(nameOf(place))
  if (ids === undefined) return [place]
  if (ids.length === 0) return []
  const [step] = place.steps
  // The IDs are those of the records themselves, but the field that shows the links isn't readable in all of them.
  if (step?.isReverse === true && step.readable !== null) return [place]
  const leaf = step ? (step.isReverse ? systemLeaf('id') : leafOf(step.relation, step.readable)) : place.leaf
  return [{ type: 'compare', steps: [], leaf, test: { is: 'oneOf', values: ids }, isNegated: false }]
}
