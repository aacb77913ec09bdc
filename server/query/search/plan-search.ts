import type { CheckedRecordsQuery } from '#domain/query/list/records-query.ts'
import { remainingConditions, rowScanPlan, type SearchPurpose, type SearchRequest } from './search-request.ts'
import { planOnSqlite } from './plan-search-on-sqlite.ts'
import type { QueryScope } from '#server/query/run/query-scope.ts'
import { resolveSearch } from './resolve-search.ts'
import type { FullTextIndex, FullTextIndexes } from './full-text-index.ts'
import {
  allOf,
  anyOf,
  column,
  type Condition,
  rowAt,
  rowsOf,
  type SqlOptions,
  SYSTEM_COLUMNS,
  tableOf,
} from '#server/query/sql/sql-context.ts'
import { sql } from 'kysely'
import { type CheckedComparison, readableAt } from '#domain/query/check/checked-filter.ts'
import { NO_SEARCH, searchOf, type SearchTerm } from '#domain/query/list/search.ts'
import { compileNode, readableConditions } from '#server/query/compile/compile-filter.ts'
import { isOwnText, isTrigramText, likeAnywhere } from './search-hits.ts'
import type { SearchPlan } from './search-plan.ts'
import { markChecked } from '#domain/query/check/check-filter.ts'
import { endWithId } from '#domain/query/list/sort.ts'
import { conjunctsOf, indexForCondition } from '#domain/query/list/index-selection.ts'
import { isListLeaf } from '#server/query/sql/leaf-columns.ts'

/**
 * Duration in ms reported for a search by option, user or relation, which requires a full scan if there is no index.
 */
const FULL_SCAN_MS = 50

/** Reports a search by option, user or relation as a slow query that filters by that field. */
function recordSlowSearch({ recordQueryTime }: QueryScope, query: CheckedRecordsQuery): void {
  if (!recordQueryTime) return
  const pointed = query.search.terms.flatMap(({ places }) => places.filter(isOwnPointer))
  for (const place of new Map(pointed.map((each) => [each.leaf, each])).values()) {
    const filtered = { ...query, where: markChecked(withOneValue(place)), search: NO_SEARCH, sort: endWithId([]) }
    recordQueryTime({ query: filtered, tookMs: FULL_SCAN_MS })
  }
}

/** Reports a slow count that read the rows of many hits; indexes for the filter conditions would have avoided this. */
export function recordSlowCount({ recordQueryTime }: QueryScope, query: CheckedRecordsQuery, tookMs: number): void {
  const nodes = conjunctsOf(query.where)
  if (!recordQueryTime || !nodes.every((node) => indexForCondition(node) !== null)) return
  for (const node of nodes) {
    if (node.type !== 'compare') continue
    const where = markChecked(withOneValue({ ...node, isNegated: false }))
    recordQueryTime({ query: { ...query, where, search: NO_SEARCH, sort: endWithId([]) }, tookMs })
  }
}

const withOneValue = (place: CheckedComparison): CheckedComparison =>
  place.test.is === 'oneOf' ? { ...place, test: { is: 'oneOf', values: place.test.values.slice(0, 1) } } : place

const isOwnPointer = ({ steps, leaf, test }: CheckedComparison): boolean =>
  steps.length === 0 && test.is === 'oneOf' && leaf.type === 'field' && !isListLeaf(leaf)

/**
 * Number of records sampled from the start of the list, and the number of hits in the sample that makes a word
 * frequent.
 */
const SAMPLE = 1_000
const FREQUENT_HITS = 30

/**
 * Number of hits in the sample that makes a word frequent when counting with text indexes alone, which is faster below
 * ten thousand hits.
 */
const FREQUENT_HITS_FOR_COUNT = 250

/** If no word is rare, the rarest word is still looked up if it has at most this many hits in the sample. */
const RARE_HITS = 150

/**
 * Frequent words are found quickly by scanning the list. Rare words are looked up in the trigram indexes first, and the
 * other conditions are checked only for the few records found. PostgreSQL's planner misjudges this, so a sample
 * determines the strategy, and the form of the statement forces the plan.
 */
async function planOnPostgres(requested: SearchRequest): Promise<SearchPlan> {
  const { scope, query, setting, use } = requested
  const { search, collection } = query
  const parts = scope.searchParts?.get(collection.id)
  const known = search.terms.filter((term) => isKnown(term, parts))
  const plan = rowScanPlan(requested)
  if (known.length === 0) return plan
  const leading = leadingTerms(known, await countInSample(requested, known), use)
  if (leading.size === 0) return plan

  const rest = remainingConditions(search, setting, leading)
  const found = [...leading].map((term) => indexableCondition(term, requested))
  if (use === 'count') return { ...plan, conditions: [...found, ...rest] }
  // `offset 0` materializes the hits; otherwise PostgreSQL would scan in sort order and check row by row.
  const row = sql.id(rowAt(0))
  const from = sql`(select ${row}.* from ${rowsOf(collection.id, 0)} where ${allOf(found)} offset 0) as ${row}`
  return { conditions: rest, from, hits: null }
}

function leadingTerms(
  known: readonly SearchTerm[],
  { ofAll, ofEach }: InSample,
  use: SearchPurpose,
): ReadonlySet<SearchTerm> {
  const often = (terms: readonly SearchTerm[]) =>
    use === 'count' && terms.every(({ places }) => places.every(isOwnText)) ? FREQUENT_HITS_FOR_COUNT : FREQUENT_HITS
  if (use !== 'groups' && ofAll >= often(known)) return new Set()
  const countOf = (term: SearchTerm) => ofEach.get(term) ?? 0
  const rare = known.filter((term) => countOf(term) < often([term]))
  const [rarest] = known.toSorted((one, other) => countOf(one) - countOf(other))
  const isOfUse = rarest !== undefined && countOf(rarest) <= RARE_HITS
  return new Set(rare.length === 0 && isOfUse ? [rarest] : rare)
}

function isKnown({ places }: SearchTerm, parts: readonly FullTextIndex[] | undefined): boolean {
  const texts = places.filter(isOwnText)
  return texts.length > 0 && texts.every((text) => isTrigramText(text, parts))
}

/**
 * Index conditions for a search term. Rows with matching options, users, files and relations are found separately,
 * because in a single `or`, one condition without an index would force a full scan.
 */
function indexableCondition({ places }: SearchTerm, { query, setting }: SearchRequest): Condition {
  const row = { ...setting, level: 0 }
  const texts = anyOf(
    places
      .filter(isOwnText)
      .map((text) => allOf([likeAnywhere(text, row), ...readableConditions(readableAt(text.leaf), row)])),
  )
  const others = places.filter((place) => !isOwnText(place))
  if (others.length === 0) return texts
  const id = column(rowAt(0), SYSTEM_COLUMNS.id)
  const rows = rowsOf(query.collection.id, 0)
  const all = [texts, ...others.map((other) => compileNode(other, row))]
  const selects = all.map((condition) => sql`select ${id} from ${rows} where ${condition}`)
  return sql`${id} in (${sql.join(selects, sql` union all `)})`
}

type InSample = { readonly ofAll: number; readonly ofEach: ReadonlyMap<SearchTerm, number> }

async function countInSample(
  { scope, query, setting }: SearchRequest,
  terms: readonly SearchTerm[],
): Promise<InSample> {
  const table = sql.table(tableOf(query.collection.id))
  const first = sql`select * from ${table} order by ${sql.id(SYSTEM_COLUMNS.id)} limit ${sql.lit(SAMPLE)}`
  const counts = [query.search.terms, ...terms.map((term) => [term])].map(
    (some, at) =>
      sql`count(*) filter (where ${allOf(remainingConditions(searchOf(some), setting))}) as ${sql.id(`n${at}`)}`,
  )
  const { rows } = await sql<{ readonly [name: string]: unknown }>`
    select ${sql.join(counts)} from (${first}) as ${sql.id(rowAt(0))}`.execute(scope.reader)
  const countAt = (at: number) => Number(rows[0]?.[`n${at}`] ?? 0)
  return { ofAll: countAt(0), ofEach: new Map(terms.map((term, at) => [term, countAt(at + 1)])) }
}

const NO_PARTS: FullTextIndexes = new Map()

export async function settingFor(
  scope: QueryScope,
  query: CheckedRecordsQuery,
  use: SearchPurpose,
): Promise<SqlOptions> {
  const { dialect, pendingImports, reader, isPast, isIndexed, moved } = scope
  const setting: SqlOptions = { dialect, pendingImports, isPast, moved }
  if (query.search.terms.length === 0) return setting
  const parts = scope.searchParts ?? NO_PARTS
  const search = await resolveSearch(query.search, { reader, setting, parts, isIndexed })
  recordSlowSearch(scope, { ...query, search })
  const requested = { scope, query: { ...query, search }, setting, use }
  return { ...setting, search: await (dialect === 'postgres' ? planOnPostgres(requested) : planOnSqlite(requested)) }
}
