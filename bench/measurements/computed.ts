import { setTimeout as pause } from 'node:timers/promises'
import { get, listPath, RECORDS, sendAs } from '../client/requests.ts'
import {
  CALCULATED,
  CALCULATED_BESIDE,
  GROUPED,
  noPromise,
  p95,
  sortedBy,
  UPDATED_WITH_DEPENDENTS,
} from '../report/budgets.ts'
import { type Bench, measureQuestion, type Part, restrictedViewer } from '../measure.ts'
import { type Budget, type Column, rowOfSingles, type Single } from '../report/result.ts'
import type { Environment } from '../setup/environment.ts'
import { searchIsWhole } from '../setup/fill-by-import.ts'
import { HIGHEST_AMOUNT } from '../setup/generated-records.ts'
import { cpuMsOf } from '../report/process-metrics.ts'
import { later, watch } from './background-watch.ts'
import { bareFillRate, bareRenameMs } from './postgres-client.ts'
import { newRecord } from './writes.ts'

const POLL_MS = 20
/** How long writes are measured without background work. */
const BEFORE_MS = 5000
const DEPENDENTS = 100
const ROUNDS = 200

type Figures = Readonly<Record<'rate' | 'fill' | 'fan' | 'beside' | 'ratio' | 'alone', Single>> & {
  /** Only on PostgreSQL. */
  readonly bare: { readonly ratio: Single; readonly rate: Single } | undefined
}

const ownerOf = (stage: Environment) => sendAs(stage.port(), stage.tokens().owner)

const addField = (stage: Environment, collection: string, body: object) =>
  ownerOf(stage)('POST', `/api/collections/${collection}/fields`, body)

/** Waits for a calculation and returns the time in ms. */
export async function calculated(stage: Environment, collection: string, field: string): Promise<number> {
  const startedAt = performance.now()
  for (;;) {
    const { state } = await ownerOf(stage)('GET', `/api/collections/${collection}/fields/${field}/recalculation`)
    if (state === 'done') return performance.now() - startedAt
    await pause(POLL_MS)
  }
}

const QUIET_MS = 1000
const QUIET_SHARE = 0.1
const QUIET_WITHIN_MS = 180_000

/** Waits until the server rests, after it has added calculated values to the search index. */
async function quiet(stage: Environment): Promise<void> {
  const { pid } = stage.server()
  const until = performance.now() + QUIET_WITHIN_MS
  await searchIsWhole(ownerOf(stage))
  for (let busyMs = QUIET_MS; busyMs > QUIET_MS * QUIET_SHARE && performance.now() < until; ) {
    const before = cpuMsOf(pid) ?? 0
    await pause(QUIET_MS)
    busyMs = (cpuMsOf(pid) ?? 0) - before
  }
}

const changeName = (stage: Environment, person: unknown, at: number) =>
  ownerOf(stage)('PATCH', `/api/collections/people/records/${String(person)}`, { values: { name: `Renamed ${at}` } })

const median = (took: readonly number[]): number =>
  took.toSorted((left, right) => left - right)[Math.floor(took.length / 2)] ?? 0

const ROUNDS_PER_TURN = 10

/** Median time in ms to rename each of these persons, in turns. */
async function renameMs(stage: Environment, persons: readonly unknown[], rounds: number): Promise<number[]> {
  const took: number[][] = persons.map(() => [])
  for (let turn = 0; turn < rounds; turn += ROUNDS_PER_TURN) {
    for (const [at, person] of persons.entries()) {
      for (let round = turn; round < turn + ROUNDS_PER_TURN; round += 1) {
        const startedAt = performance.now()
        await changeName(stage, person, round + rounds)
        took[at]?.push(performance.now() - startedAt)
      }
    }
  }
  return took.map(median)
}

async function createPerson(stage: Environment, dependents: number): Promise<unknown> {
  const { id } = await ownerOf(stage)('POST', '/api/collections/people/records', { values: { name: 'New person' } })
  const values = { title: 'Depends on a person', status: 'active', owner: id }
  const create = Array.from({ length: dependents }, () => ({ values }))
  if (dependents > 0) await ownerOf(stage)('POST', `${RECORDS}/bulk`, { create })
  return id
}

/** Assigns a tenth of the records to one person. */
async function assignShare(stage: Environment, owner: unknown): Promise<void> {
  const send = ownerOf(stage)
  const where = { filter: `amount < ${HIGHEST_AMOUNT / 10}` }
  const { job } = await send('POST', `${RECORDS}/bulk`, { where, update: { values: { owner } } })
  while (typeof job === 'string' && (await send('GET', `/api/jobs/${job}`))['state'] === 'running') await pause(POLL_MS)
}

/** The same work by a client without HTTP, permissions and validation. */
async function measureBare(stage: Environment, few: unknown, many: unknown): Promise<NonNullable<Figures['bare']>> {
  const ratio = (await bareRenameMs(stage, many)) / (await bareRenameMs(stage, few))
  return { ratio: { figure: ratio, unit: '×' }, rate: { figure: await bareFillRate(stage), unit: '/s' } }
}

async function measureOn(bench: Bench, stage: Environment): Promise<Figures> {
  const { size, isQuick } = bench.options
  const viewer = restrictedViewer(bench, stage)
  const lookup = {
    label: 'Owner name',
    name: 'owner_name',
    kind: 'lookup',
    options: { path: ['owner'], field: 'name' },
  }
  const busy = await createPerson(stage, 0)
  await assignShare(stage, busy)
  const writing = () =>
    watch(
      viewer,
      Array.from({ length: 500 }, (_, at) => newRecord(at)),
      201,
    )
  await quiet(stage)
  await addField(stage, 'items', lookup)
  const fillMs = await calculated(stage, 'items', 'owner_name')
  const searchMs = await searchIsWhole(ownerOf(stage))
  await quiet(stage)
  const beforeFan = await writing()
  await pause(isQuick ? BEFORE_MS / 10 : BEFORE_MS)
  const writesBefore = await beforeFan.end()
  await quiet(stage)
  const besideFan = await writing()
  await changeName(stage, busy, 0)
  const fanMs = await calculated(stage, 'items', 'owner_name')
  const fanWrites = await besideFan.end()
  const [few, many] = [await createPerson(stage, 0), await createPerson(stage, DEPENDENTS)]
  const rounds = isQuick ? ROUNDS / 10 : ROUNDS
  const [alone = 0, withDependents = 0] = await renameMs(stage, [few, many], rounds)
  const bare = stage.databaseUrl === undefined ? undefined : await measureBare(stage, few, many)
  await quiet(stage)
  return {
    bare,
    rate: { figure: (size / fillMs) * 1000, unit: '/s' },
    fill: { figure: fillMs / 1000, unit: 's', note: `search index ${searchMs.toFixed(1)} s later` },
    fan: { figure: fanMs / 1000, unit: 's' },
    beside: later(writesBefore, fanWrites),
    alone: { figure: alone, unit: 'ms' },
    ratio: { figure: withDependents / alone, unit: '×', note: `${withDependents.toFixed(2)} ms` },
  }
}

const FORMULAS = [
  { label: 'Score', name: 'score', kind: 'formula', options: { formula: 'round(amount / 7, 2)' } },
  {
    label: 'Band',
    name: 'band',
    kind: 'formula',
    options: { formula: 'if(amount > 5000, "high", "low") & " " & status' },
  },
]

const sorted = (sort: string) => ({ ours: () => [get(listPath({ sort, count: 'none' }))], settles: true })
const filtered = (filter: string, sort = '') => ({
  ours: () => [get(listPath({ filter, ...(sort && { sort }), count: 'exact' }))],
  settles: true,
})
const filteredBy = (kind: string): Budget => ({
  ...sortedBy(kind),
  what: `Filter by ${kind}, exact count`,
  budget: 'p95 ≤ 8 (PostgreSQL 20) ms',
  bounds: { sqlite: p95(8), postgres: p95(20) },
})
const byBand = { ours: () => [get('/api/collections/items/groups?by=band&aggregates=count,sum(score)')], settles: true }

/**
 * Adds a lookup to all records, renames the person of a tenth of them, and reads lists by this lookup and by formulas.
 */
export const computedPart: Part = {
  name: 'computed',
  run: async (bench) => {
    const seen = new Map<Column, Figures>()
    for (const stage of bench.stages) {
      seen.set(stage.dialect, await measureOn(bench, stage))
      for (const formula of FORMULAS) await addField(stage, 'items', formula)
      await quiet(stage)
    }
    const each = (of: Exclude<keyof Figures, 'bare'>) =>
      new Map([...seen].map(([column, figures]) => [column, figures[of]]))
    const hasBare = [...seen.values()].some(({ bare: figures }) => figures !== undefined)
    const bare = (of: 'ratio' | 'rate') =>
      new Map([...seen].flatMap(([column, figures]) => (figures.bare ? [[column, figures.bare[of]]] : [])))
    return [
      rowOfSingles(CALCULATED, each('rate')),
      rowOfSingles(noPromise('Time to calculate a lookup of all records'), each('fill')),
      rowOfSingles(noPromise('Time to recalculate it after a change with many dependents'), each('fan')),
      rowOfSingles(CALCULATED_BESIDE, each('beside')),
      rowOfSingles(noPromise('Update without dependents'), each('alone')),
      rowOfSingles(UPDATED_WITH_DEPENDENTS, each('ratio')),
      ...(hasBare ? [rowOfSingles(noPromise('Update with 100 dependents, by a bare client'), bare('ratio'))] : []),
      ...(hasBare ? [rowOfSingles(noPromise('Calculate a lookup, by a bare client'), bare('rate'))] : []),
      await measureQuestion(bench, { ...sorted('owner_name'), budget: sortedBy('lookup') }),
      await measureQuestion(bench, { ...filtered('owner_name = "Person 7"'), budget: filteredBy('lookup') }),
      await measureQuestion(bench, { ...sorted('-score'), budget: sortedBy('number formula') }),
      await measureQuestion(bench, { ...sorted('band'), budget: sortedBy('text formula') }),
      await measureQuestion(bench, {
        ...filtered('score > 1428 && score < 1429'),
        budget: filteredBy('formula'),
      }),
      await measureQuestion(bench, {
        ...filtered('score > 1393', 'made_at'),
        budget: filteredBy('formula (2.5 %), sorted by date'),
      }),
      await measureQuestion(bench, {
        ...filtered('amount > 9996 && amount <= 10000'),
        budget: filteredBy('the number behind it'),
      }),
      // Those that the clients have created meanwhile, at the end of the list.
      await measureQuestion(bench, {
        ...filtered('amount > 10000'),
        budget: filteredBy('a number that only the last records have'),
      }),
      await measureQuestion(bench, {
        ...byBand,
        budget: { ...GROUPED, what: 'Group by formula, count and sum, cached' },
      }),
    ]
  },
}
