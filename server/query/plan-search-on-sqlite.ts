import { sql } from 'kysely'
import { type AskedSearch, filterOf, leftOf, lookingAtRows } from './asked-search.ts'
import { SEQ_COLUMN } from './column-of.ts'
import { hitNumbers, hitsOf } from './search-hits.ts'
import type { Hits, SearchPlan } from './search-plan.ts'
import { allOf, column, rowAt, rowsOf } from './sql-place.ts'

/**
 * Up to so many hits the index comes first: each of them is looked at, whatever the filter and the order. More are so
 * frequent that a walk through the list meets enough of them soon.
 */
const FEW_HITS = 10_000

/** How many of the first hits are asked whether they pass the filter, and how many must, for the hits to be walked. */
const SAMPLE = 300
const PASSING = 15

const NUMBER = column(rowAt(0), SEQ_COLUMN)

/** Begins with the hits where they are few, walks them where they come in the order that is asked, else looks at rows. */
export async function planOnSqlite(asked: AskedSearch): Promise<SearchPlan> {
  const { collection, search } = asked.query
  const parts = asked.scope.searchParts?.get(collection.id) ?? []
  const all = hitsOf(search.terms, { collection: collection.id, parts, setting: asked.setting })
  const [first] = all
  if (!first) return lookingAtRows(asked)
  const mayWalk = mayWalkAlong(asked, first)
  if (mayWalk && decidesAlone(asked, first)) return walking(asked, first)

  for (const hits of all) {
    if (await areFew(asked, hits)) return beginningWith(asked, hits)
  }
  return mayWalk && (await passesOften(asked, first)) ? walking(asked, first) : lookingAtRows(asked)
}

/** Whether hits answer as they come: they are counted, or asked for in the order of ids, which is that of numbers. */
const mayWalkAlong = ({ use, query }: AskedSearch, { isOrdered }: Hits): boolean =>
  use === 'count' || (use === 'page' && isOrdered && query.sort.length === 1)

/** Whether nothing else decides which rows are found. */
const decidesAlone = (asked: AskedSearch, { terms }: Hits): boolean =>
  terms.size === asked.query.search.terms.length && filterOf(asked).length === 0

const walking = ({ query, setting }: AskedSearch, hits: Hits): SearchPlan => ({
  conditions: leftOf(query.search, setting, hits.terms),
  from: null,
  hits,
})

const beginningWith = ({ query, setting }: AskedSearch, hits: Hits): SearchPlan => ({
  conditions: [sql`${NUMBER} in (${hitNumbers(hits)})`, ...leftOf(query.search, setting, hits.terms)],
  from: null,
  hits: null,
})

async function areFew({ scope }: AskedSearch, hits: Hits): Promise<boolean> {
  const few = scope.fewHits ?? FEW_HITS
  const some = sql`select 1 from (${hitNumbers(hits)}) limit ${few + 1}`
  const { rows } = await sql<{ hits: number }>`select count(*) as hits from (${some})`.execute(scope.reader)
  return Number(rows[0]?.hits ?? 0) <= few
}

/** Whether enough of the first hits pass everything else that is asked. */
async function passesOften(asked: AskedSearch, hits: Hits): Promise<boolean> {
  const { scope, query, setting } = asked
  const rest = allOf([...filterOf(asked), ...leftOf(query.search, setting, hits.terms)])
  const { rows } = await sql<{ passed: number }>`
    select count(*) as passed from (select at from (${hitNumbers(hits)}) limit ${sql.lit(SAMPLE)}) as hits
    cross join ${rowsOf(query.collection.id, 0)} on ${NUMBER} = hits.at where ${rest}`.execute(scope.reader)
  return Number(rows[0]?.passed ?? 0) >= PASSING
}
