import { sql } from 'kysely'
import type { CheckedComparison } from '#domain/query/checked-filter.ts'
import type { SearchTerm } from '#domain/query/search.ts'
import type { FieldId } from '#domain/shared/ids.ts'
import { SYSTEM_COLUMNS, foldColumnOf, tableOf } from './column-of.ts'
import { type AskedSearch, leftOf, lookingAtRows } from './asked-search.ts'
import { isOwnText, ownFieldOf } from './search-hits.ts'
import type { SearchPlan } from './search-plan.ts'
import { type Condition, allOf, anyOf, column, rowAt } from './sql-place.ts'

/** How many of the first records are looked into, and how many hits among them make a walk through the list worthwhile. */
const SAMPLE = 1_000
const OFTEN = 30

/** The extension makes trigrams of letters and digits alone. */
const HAS_TRIGRAM = /[\p{L}\p{N}]{3}/u

/**
 * Frequent words are met soon on a walk through the list; rare ones are asked of the indexes of trigrams first. PostgreSQL
 * guesses badly which of the two it is, so some records are looked into, and it is told by the form of the statement.
 */
export async function planOnPostgres(asked: AskedSearch): Promise<SearchPlan> {
  const { scope, query, setting, use } = asked
  const { search, collection } = query
  const fields = new Set(scope.searchParts?.get(collection.id)?.flatMap((part) => part.fields))
  const known = new Set(search.terms.filter((term) => isKnown(term, fields)))
  const plan = lookingAtRows(asked)
  if (known.size === 0 || (use === 'page' && (await isFrequent(asked, plan.conditions)))) return plan

  const rest = leftOf(search, setting, known)
  const like = [...known].map((term) => anyOf(term.places.map(likeAnywhere)))
  if (use === 'count') return { ...plan, conditions: [...like, ...rest] }
  // What is found stands apart from the order, or PostgreSQL would walk the order and look for it row by row.
  const row = sql.id(rowAt(0))
  const from = sql`(select ${row}.* from ${sql.table(tableOf(collection.id))} as ${row} where ${allOf(like)} offset 0) as ${row}`
  return { conditions: rest, from, hits: null }
}

/** Whether indexes know every place of a term. */
const isKnown = ({ places }: SearchTerm, fields: ReadonlySet<FieldId>): boolean =>
  places.length > 0 &&
  places.every(
    (place) => isOwnText(place) && fields.has(ownFieldOf(place) ?? '') && HAS_TRIGRAM.test(place.test.folded),
  )

function likeAnywhere(place: CheckedComparison): Condition {
  const needle = place.test.is === 'contains' ? place.test.folded : ''
  const pattern = `%${needle.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`
  return sql`${column(rowAt(0), foldColumnOf(ownFieldOf(place) ?? ''))} like ${pattern}`
}

async function isFrequent({ scope, query }: AskedSearch, conditions: readonly Condition[]): Promise<boolean> {
  const table = sql.table(tableOf(query.collection.id))
  const first = sql`select * from ${table} order by ${sql.id(SYSTEM_COLUMNS.id)} limit ${sql.lit(SAMPLE)}`
  const { rows } = await sql<{ found: unknown }>`
    select count(*) as found from (${first}) as ${sql.id(rowAt(0))} where ${allOf(conditions)}`.execute(scope.reader)
  return Number(rows[0]?.found ?? 0) >= OFTEN
}
