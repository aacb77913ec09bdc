import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { type CheckedGroupQuery, checkGroupQuery } from '#domain/query/list/group.ts'
import {
  type CheckedRecordsQuery,
  type RecordsQueryInput,
  checkRecordsQuery,
} from '#domain/query/list/records-query.ts'
import type { Executor } from './executors.ts'
import { type Sight, contextFor, filters, groupings, questions, sights } from './data/generated-queries.ts'

/** The number of queries per seed. */
export const QUERIES_PER_SEED = 100

/** A query whose results differ from those of the in-memory executor. */
export type Disagreement = {
  readonly seed: number
  readonly requested: unknown
  readonly found: unknown
  readonly wanted: unknown
}

/** The reference executor and the executor under test. */
export type Pair = { readonly memory: Executor; readonly other: Executor }

type Drawn = {
  readonly question: RecordsQueryInput
  readonly sight: Sight
  readonly by: string
  readonly perPage: number
  readonly way: 'list' | 'walk' | 'groups'
}

/** Most queries are filtered lists; some are paginated or grouped. */
const drawn: fc.Arbitrary<Drawn> = fc.record({
  question: fc
    .tuple(questions, filters, fc.boolean())
    .map(([question, filter, keeps]) => (keeps && question.filter !== '' ? question : { ...question, filter })),
  sight: sights,
  by: groupings,
  perPage: fc.integer({ min: 5, max: 60 }),
  way: fc.oneof(
    { weight: 8, arbitrary: fc.constant('list' as const) },
    { weight: 1, arbitrary: fc.constant('walk' as const) },
    { weight: 1, arbitrary: fc.constant('groups' as const) },
  ),
})

export async function runSeed(pairs: readonly Pair[], seed: number): Promise<Disagreement[]> {
  const disagreements: Disagreement[] = []
  const waiting = fc
    .sample(drawn, { seed, numRuns: QUERIES_PER_SEED })
    .flatMap((one) => pairs.map((pair) => ({ one, pair })))
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const outcome = await checker(next.one, next.pair)
      if (outcome) disagreements.push({ seed, requested: next.one, ...outcome })
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, work))
  return disagreements
}

/** Number of concurrent queries, so that both databases stay busy. */
const AT_A_TIME = 6

type Outcome = { readonly found: unknown; readonly wanted: unknown } | undefined

async function checker(one: Drawn, { memory, other }: Pair): Promise<Outcome> {
  const query = checked(one.question, one.sight)
  if (one.way === 'groups') return expectGroups(query, groupingOf(one), { memory, other })
  const wanted = await memory.ids(query)
  if (one.way === 'walk') return differing(await walk(one, other), wanted)
  return differing([await other.ids(query), await other.count(query)], [wanted, wanted.length])
}

function checked(input: RecordsQueryInput, sight: Sight): CheckedRecordsQuery {
  const query = checkRecordsQuery(input, contextFor(sight))
  if (!query.ok) throw new Error(`A generated query was refused: ${query.fault.message} ${JSON.stringify(input)}`)
  return query.value
}

function groupingOf({ by, sight }: Drawn): CheckedGroupQuery {
  const aggregates = 'count,min(price),max(price)'
  const grouping = checkGroupQuery({ by, aggregates, page: 1, perPage: 500 }, contextFor(sight))
  if (!grouping.ok) throw new Error(`A generated grouping was refused: ${grouping.fault.message} ${by}`)
  return grouping.value
}

async function expectGroups(query: CheckedRecordsQuery, grouping: CheckedGroupQuery, pair: Pair): Promise<Outcome> {
  return differing(await pair.other.groups(query, grouping), await pair.memory.groups(query, grouping))
}

/** Reads a whole list page by page using cursors. */
async function walk({ question, sight, perPage }: Drawn, executor: Executor): Promise<readonly string[]> {
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const page = await executor.page(checked({ ...question, perPage, cursor }, sight))
    ids.push(...page.ids)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return ids
}

const differing = (found: unknown, wanted: unknown): Outcome =>
  isDeepStrictEqual(found, wanted) ? undefined : { found, wanted }
