import { type RawBuilder, sql } from 'kysely'
import type { CheckedNode } from '#domain/query/check/checked-filter.ts'
import { conjunctsOf, indexForCondition } from '#domain/query/list/index-selection.ts'
import { isOwnPart } from '#domain/query/list/sort.ts'
import { type SearchRequest, filterConditions, remainingConditions, rowScanPlan } from './search-request.ts'
import { compileIndexedCondition } from '#server/query/compile/compile-search-hits.ts'
import type { QueryScope } from '#server/query/run/query-scope.ts'
import { branchHits, hitNumbers, hitsOf } from './search-hits.ts'
import { type FullTextIndex, fullTextTableOf } from './full-text-index.ts'
import type { Branch, Hits, SearchPlan } from './search-plan.ts'
import { allOf, column, type Condition, rowAt, rowsOf, SEQ_COLUMN, tableOf } from '#server/query/sql/sql-context.ts'

/**
 * Number of records sampled at each end of the list, and the maximum number of hits in the sample that counts as rare.
 * Rare hits are looked up in the index and checked one by one, regardless of filter and order; frequent hits, such as
 * one record in a hundred, are found quickly by scanning the list. Counting all hits would cost as much as finding
 * them.
 */
const SAMPLED_AT_EACH_END = 2_500
const RARE = 50

/** Hits for one or two characters are counted up to this limit, because the count can't be restricted to a sample. */
const RARE_TRIGRAMS = 10_000

/** Hits are scanned in order only if at least `PASSING` of the first `SAMPLE` hits match the filter. */
const SAMPLE = 300
const PASSING = 15

/** Maximum number of records in a collection for which scanning costs less than planning. */
const SMALL = 1_000

const NUMBER = column(rowAt(0), SEQ_COLUMN)

/** Plans a search: scans the hits in order, looks up all hits first if they are rare, or scans rows. */
export async function planOnSqlite(requested: SearchRequest): Promise<SearchPlan> {
  const { collection, search } = requested.query
  const parts = requested.scope.searchParts?.get(collection.id) ?? []
  const all = hitsOf(search.terms, { collection: collection.id, parts, setting: requested.setting })
  const [first] = all
  if (!first) return rowScanPlan(requested)
  const mayWalk = canWalkHits(requested, first)
  if (mayWalk && decidesAlone(requested, first)) return planWalkingHits(requested, first)

  if (await isSmall(requested)) return rowScanPlan(requested)
  for (const hits of all) {
    if (await areRare(requested, hits))
      return canWalkHits(requested, hits) ? planWalkingHits(requested, hits) : planFromHits(requested, hits)
  }
  return mayWalk && (await passesFilterOften(requested, first))
    ? planWalkingHits(requested, first)
    : rowScanPlan(requested)
}

const canWalkHits = ({ use, query }: SearchRequest, { isOrdered }: Hits): boolean =>
  use === 'count' || (use === 'page' && isOrdered && query.sort.length === 1 && query.sort.every(isOwnPart))

const decidesAlone = (requested: SearchRequest, { terms }: Hits): boolean =>
  terms.size === requested.query.search.terms.length && filterConditions(requested).length === 0

function planWalkingHits(requested: SearchRequest, hits: Hits): SearchPlan {
  const { query, setting, use } = requested
  const conditions = remainingConditions(query.search, setting, hits.terms)
  const counted = use === 'count' && conditions.length === 0 ? indexedConditions(requested) : undefined
  return { conditions, from: null, hits, counted }
}

/** The filter as conditions that an index can check for each hit; undefined if a row must be read. */
function indexedConditions({ scope, query, setting }: SearchRequest): readonly Condition[] | undefined {
  const { collection, where } = query
  if (setting.pendingImports.length > 0) return undefined
  const isIndexed = (node: CheckedNode): boolean => {
    const index = indexForCondition(node)
    return index !== null && scope.isIndexed?.(collection.id, index) === true
  }
  const nodes = conjunctsOf(where)
  return nodes.every(isIndexed) ? nodes.map((node) => compileIndexedCondition(node, collection.id, setting)) : undefined
}

const planFromHits = ({ query, setting }: SearchRequest, hits: Hits): SearchPlan => ({
  conditions: [sql`${NUMBER} in (${hitNumbers(hits)})`, ...remainingConditions(query.search, setting, hits.terms)],
  from: null,
  hits: null,
})

/** Whether the collection is so small that scanning costs less than planning. */
async function isSmall({ scope, query }: SearchRequest): Promise<boolean> {
  if (scope.rareHits !== undefined) return false
  const records = sql.table(tableOf(query.collection.id))
  const { rows } = await sql`select 1 from ${records} limit 1 offset ${sql.lit(SMALL)}`.execute(scope.reader)
  return rows.length === 0
}

async function areRare({ scope, query }: SearchRequest, { branches }: Hits): Promise<boolean> {
  const rare = scope.rareHits ?? RARE
  const [part] = scope.searchParts?.get(query.collection.id) ?? []
  const bounded = branches.filter(({ isBounded }) => isBounded)
  const sampled = part && (await countUpTo(scope, rare, hitsAtBothEnds(part, bounded)))
  if (sampled !== undefined && sampled > rare) return false
  const max = scope.rareHits ?? RARE_TRIGRAMS
  const unbounded = branches.filter(({ isBounded }) => !isBounded)
  return (await countUpTo(scope, max, unbounded.map(selectCandidates))) <= max
}

/** Unlike hits, candidates are counted without reading their rows. */
const selectCandidates = ({ from, where }: Branch) => sql`select 1 from ${from} where ${where}`

function hitsAtBothEnds(part: FullTextIndex, branches: readonly Branch[]): RawBuilder<unknown>[] {
  const sizes = sql.table(`${fullTextTableOf(part.id)}_docsize`)
  const place = sql`limit 1 offset ${sql.lit(SAMPLED_AT_EACH_END)}`
  const early = sql`coalesce((select n.id from ${sizes} as n order by n.id ${place}), 9223372036854775807)`
  const late = sql`coalesce((select n.id from ${sizes} as n order by n.id desc ${place}), 9223372036854775807)`
  return branches.flatMap((branch) => [
    branchHits(branch, part.collection, [sql`${branch.number} <= ${early}`]),
    branchHits(branch, part.collection, [sql`${branch.number} >= ${late}`]),
  ])
}

async function countUpTo(scope: QueryScope, max: number, selects: readonly RawBuilder<unknown>[]): Promise<number> {
  if (selects.length === 0) return 0
  const all = sql.join(selects, sql` union all `)
  const counted = sql<{ hits: number }>`select count(*) as hits from (select 1 from (${all}) limit ${max + 1})`
  const { rows } = await counted.execute(scope.reader)
  return Number(rows[0]?.hits ?? 0)
}

async function passesFilterOften(requested: SearchRequest, hits: Hits): Promise<boolean> {
  const { scope, query, setting } = requested
  const rest = allOf([...filterConditions(requested), ...remainingConditions(query.search, setting, hits.terms)])
  const { rows } = await sql<{ passed: number }>`
    select count(*) as passed from (select at from (${hitNumbers(hits)}) limit ${sql.lit(SAMPLE)}) as hits
    cross join ${rowsOf(query.collection.id, 0)} on ${NUMBER} = hits.at where ${rest}`.execute(scope.reader)
  return Number(rows[0]?.passed ?? 0) >= PASSING
}
