import { sql } from 'kysely'
import { type CheckedComparison, readableAt } from '#domain/query/checked-filter.ts'
import type { SearchTerm } from '#domain/query/search.ts'
import type { FieldId } from '#domain/shared/ids.ts'
import { type AskedSearch, leftOf, lookingAtRows } from './asked-search.ts'
import { SYSTEM_COLUMNS, foldColumnOf, tableOf } from './column-of.ts'
import { compileNode, whereHeld } from './compile-filter.ts'
import { isOwnText, ownFieldOf } from './search-hits.ts'
import type { SearchPlan } from './search-plan.ts'
import { type Condition, allOf, anyOf, column, rowAt, rowsOf } from './sql-place.ts'

/** How many of the first records are looked into, and how many hits among them make it worthwhile to go on like that. */
const SAMPLE = 1_000
const OFTEN = 30

/** The same for a count that indexes of texts answer alone: it needs ten thousand hits, which they find sooner. */
const OFTEN_FOR_COUNT = 250

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
  if (known.size === 0) return plan
  const areTextsAlone = [...known].every(({ places }) => places.every(isOwnText))
  const often = use === 'count' && areTextsAlone ? OFTEN_FOR_COUNT : OFTEN
  if (use !== 'groups' && (await countInSample(asked, plan.conditions)) >= often) return plan

  const rest = leftOf(search, setting, known)
  const found = [...known].map((term) => findable(term, asked))
  if (use === 'count') return { ...plan, conditions: [...found, ...rest] }
  // What is found stands apart from the order, or PostgreSQL would walk the order and look for it row by row.
  const row = sql.id(rowAt(0))
  const from = sql`(select ${row}.* from ${rowsOf(collection.id, 0)} where ${allOf(found)} offset 0) as ${row}`
  return { conditions: rest, from, hits: null }
}

/** Whether indexes know every text in which a term may occur. */
function isKnown({ places }: SearchTerm, fields: ReadonlySet<FieldId>): boolean {
  const texts = places.filter(isOwnText)
  return (
    texts.length > 0 && texts.every((text) => fields.has(ownFieldOf(text) ?? '') && HAS_TRIGRAM.test(text.test.folded))
  )
}

/**
 * A term in a form that leads to indexes. Where it may also stand for choices, people, files or relations, the rows of
 * each are found apart: joined by `or`, one without an index would have all texts read.
 */
function findable({ places }: SearchTerm, { query, setting }: AskedSearch): Condition {
  const row = { ...setting, level: 0 }
  const texts = anyOf(
    places.filter(isOwnText).map((text) => allOf([likeAnywhere(text), ...whereHeld(readableAt(text.leaf), row)])),
  )
  const others = places.filter((place) => !isOwnText(place))
  if (others.length === 0) return texts
  const id = column(rowAt(0), SYSTEM_COLUMNS.id)
  const rows = rowsOf(query.collection.id, 0)
  const all = [texts, ...others.map((other) => compileNode(other, row))]
  const selects = all.map((condition) => sql`select ${id} from ${rows} where ${condition}`)
  return sql`${id} in (${sql.join(selects, sql` union all `)})`
}

function likeAnywhere(place: CheckedComparison): Condition {
  const needle = place.test.is === 'contains' ? place.test.folded : ''
  const pattern = `%${needle.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`
  return sql`${column(rowAt(0), foldColumnOf(ownFieldOf(place) ?? ''))} like ${pattern}`
}

async function countInSample({ scope, query }: AskedSearch, conditions: readonly Condition[]): Promise<number> {
  const table = sql.table(tableOf(query.collection.id))
  const first = sql`select * from ${table} order by ${sql.id(SYSTEM_COLUMNS.id)} limit ${sql.lit(SAMPLE)}`
  const { rows } = await sql<{ found: unknown }>`
    select count(*) as found from (${first}) as ${sql.id(rowAt(0))} where ${allOf(conditions)}`.execute(scope.reader)
  return Number(rows[0]?.found ?? 0)
}
