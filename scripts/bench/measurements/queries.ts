import { askJson, type JsonAnswer } from '../ask-json.ts'
import {
  deep,
  FILTERED,
  FILTERED_ON_POSTGRES,
  GROUPED,
  READ_BESIDE_HEAVY,
  SORTED_FIRST,
  searched,
  sortedBy,
} from '../budgets.ts'
import { lineOfFigure, lineOfRequests } from '../line.ts'
import { figuresOf, runLoad } from '../load.ts'
import { RARE_WORD, STATUSES, WANTED } from '../made-records.ts'
import { listPath, loadOf, type Measurement, measureLine, singleReads } from '../measure.ts'
import type { RawRequest } from '../raw-client.ts'
import type { Stage } from '../stage.ts'

const get = (path: string): RawRequest => ({ method: 'GET', path })

const BY_NUMBER = get(listPath({ sort: '-amount', count: 'none' }))
const BY_TEXT = get(listPath({ sort: 'title', count: 'none' }))
const CONDITION = `status = "${WANTED.status}" && amount >= ${WANTED.least} && amount <= ${WANTED.most}`
const BY_FILTER = get(listPath({ filter: CONDITION, sort: 'made_at', count: 'exact' }))
const BY_WORD = get(listPath({ search: RARE_WORD, count: 'exact' }))
const BY_GROUP = get('/api/collections/items/groups?by=status&aggregates=count,sum(amount)')

const isPostgres = ({ options }: Stage): boolean => options.dialect === 'postgres'

const ask = ({ token, port }: Stage, request: RawRequest) => askJson(port(), { ...request, token })

/** A fast answer that is wrong is worth nothing. */
function expectSame(what: string, answered: unknown, expected: unknown): void {
  if (JSON.stringify(answered) === JSON.stringify(expected)) return
  throw new Error(`${what}: the server says ${JSON.stringify(answered)}, right is ${JSON.stringify(expected)}`)
}

const totalOf = ({ total }: JsonAnswer): unknown => total

/** Sorts nobody prepared for. */
export const sortMeasurement: Measurement = {
  name: 'sort',
  run: async (stage) => {
    const startedAt = performance.now()
    await ask(stage, BY_NUMBER)
    const firstMs = performance.now() - startedAt
    return [
      lineOfFigure(SORTED_FIRST, firstMs, 'ms'),
      await measureLine(stage, sortedBy('number', isPostgres(stage)), { requests: [BY_NUMBER] }),
      await measureLine(stage, sortedBy('text', isPostgres(stage)), { requests: [BY_TEXT] }),
    ]
  },
}

/** A filter of three conditions, with its exact count. */
export const filterMeasurement: Measurement = {
  name: 'filter',
  run: async (stage) => {
    expectSame('The filter', totalOf(await ask(stage, BY_FILTER)), stage.filled.expected.filtered)
    const budget = isPostgres(stage) ? FILTERED_ON_POSTGRES : FILTERED
    return [await measureLine(stage, budget, { requests: [BY_FILTER] })]
  },
}

/** A rare word anywhere in any text. */
export const searchMeasurement: Measurement = {
  name: 'search',
  run: async (stage) => {
    expectSame('The search', totalOf(await ask(stage, BY_WORD)), stage.filled.expected.found)
    return [await measureLine(stage, searched(isPostgres(stage)), { requests: [BY_WORD] })]
  },
}

const PLACES_IN_LIST = 40

/** Pages all over the list, up to its last. */
export const deepMeasurement: Measurement = {
  name: 'deep',
  run: async (stage) => {
    const pages = stage.options.size / 50
    const requests = Array.from({ length: PLACES_IN_LIST }, (_, at) =>
      get(listPath({ page: String(Math.ceil((pages * (at + 1)) / PLACES_IN_LIST)), count: 'none' })),
    )
    return [await measureLine(stage, deep(isPostgres(stage)), { requests })]
  },
}

/** One group for each choice, with a count and a sum. */
export const groupMeasurement: Measurement = {
  name: 'group',
  run: async (stage) => {
    const { groups } = await ask(stage, BY_GROUP)
    // The contract says how a group looks.
    const answered = (groups as { key: { status: string }; count: number }[]).map(({ key, count }) => [
      key.status,
      count,
    ])
    expectSame(
      'The groups',
      answered,
      STATUSES.map((status) => [status, stage.filled.expected.amounts.get(status)?.count]),
    )
    return [await measureLine(stage, GROUPED, { requests: [BY_GROUP] })]
  },
}

const HEAVY_CLIENTS = 4
const HEAVY_LASTS_MS = 6000
const READS_LAST_MS = 4000
const READS_BEGIN_AFTER_MS = 1000

/** Whether a small read passes by while others ask for much. */
export const besideHeavyMeasurement: Measurement = {
  name: 'beside-heavy',
  run: async (stage) => {
    const heavy = runLoad(
      loadOf(stage, {
        requests: [BY_TEXT],
        connections: HEAVY_CLIENTS,
        window: { warmUpMs: 0, countedMs: HEAVY_LASTS_MS, leastAnswers: 1 },
      }),
    )
    const reads = runLoad(
      loadOf(stage, {
        requests: singleReads(stage),
        window: { warmUpMs: READS_BEGIN_AFTER_MS, countedMs: READS_LAST_MS },
      }),
    )
    const [, seen] = await Promise.all([heavy, reads])
    return [lineOfRequests(READ_BESIDE_HEAVY, figuresOf(seen), undefined)]
  },
}
