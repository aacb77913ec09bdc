import { setTimeout as pause } from 'node:timers/promises'
import { fetchJson, type JsonAnswer, get, RECORDS } from './client/requests.ts'
import type { BenchOptions } from './options.ts'
import type { CsvFiles } from './setup/csv-files.ts'
import type { Baseline } from './baseline/start-baseline.ts'
import { metricsOf, mergeRounds, type Load, type LoadResult, QUICK_WINDOW, runLoad, WINDOW } from './client/load.ts'
import type { ExpectedResult } from './setup/generated-records.ts'
import { cpuMsOf } from './report/process-metrics.ts'
import { type RawRequest, rawRequest } from './client/raw-client.ts'
import { type Budget, type Column, type Metrics, type Outcome, type Row, rowOf } from './report/result.ts'
import type { Environment } from './setup/environment.ts'

/** Servers under test: one per database, plus the baseline. */
export type Bench = {
  readonly options: BenchOptions
  readonly stages: readonly Environment[]
  readonly floor: Baseline | undefined
  readonly files: CsvFiles
}

/** Benchmark part, selected by name with `--part`. */
export type Part = { readonly name: string; readonly run: (bench: Bench) => Promise<Row[]> }

/** Client of a server, with its expected results. The baseline has no `stage`. */
export type Viewer = {
  readonly column: Column
  readonly port: number
  readonly pid: number
  readonly token: string
  readonly truth: ExpectedResult
  readonly stage?: Environment
}

/** A request that is sent to each server in turn. */
export type Question = {
  readonly budget: Budget
  readonly ours: (viewer: Viewer & { readonly stage: Environment }) => readonly RawRequest[]
  /** Equivalent requests for the baseline server. */
  readonly bare?: (viewer: Viewer) => readonly RawRequest[]
  /** Expected status of a response. */
  readonly status?: number
  /** Throws on an unexpected response, because its latency would be meaningless. */
  readonly check?: (answer: JsonAnswer, viewer: Viewer) => void
  /** Whether to wait for caches or indexes that the first request triggers. */
  readonly settles?: boolean
  /** Latency in ms below which caches count as filled; needed because the API lists indexes but not caches. */
  readonly settledMs?: number
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Client signed in as the restricted user. */
export const restrictedViewer = (bench: Bench, stage: Environment): Viewer & { readonly stage: Environment } => ({
  column: stage.dialect,
  port: stage.port(),
  pid: stage.server().pid,
  token: stage.tokens().bound,
  truth: bench.files.truths.bound,
  stage,
})

/** Client signed in as the owner, who has no restrictions. */
const ownerViewer = (bench: Bench, stage: Environment): Viewer & { readonly stage: Environment } => ({
  ...restrictedViewer(bench, stage),
  column: `${stage.dialect}-owner`,
  token: stage.tokens().owner,
  truth: bench.files.truths.owner,
})

type Asking = { readonly viewer: Viewer; readonly requests: readonly RawRequest[]; readonly status: number }

/** The restricted user and the owner; comparing them shows the cost of permissions. */
export const allViewers = (bench: Bench, stage: Environment): readonly (Viewer & { readonly stage: Environment })[] => [
  restrictedViewer(bench, stage),
  ownerViewer(bench, stage),
]

function askingsOf(bench: Bench, { ours, bare, status = 200 }: Question): Asking[] {
  const { stages, floor, files } = bench
  const bareViewers: Viewer[] = floor && bare ? [{ column: 'floor', ...floor, truth: files.truths.floor }] : []
  return [
    ...stages.flatMap((stage) =>
      allViewers(bench, stage).map((viewer) => ({ viewer, requests: ours(viewer), status })),
    ),
    ...bareViewers.map((viewer) => ({ viewer, requests: bare?.(viewer) ?? [], status: 200 })),
  ]
}

export const loadOf = (bench: Bench, asking: Asking, connections: number, from = 0): Load => ({
  port: asking.viewer.port,
  connections,
  requests: asking.requests.map((request) => rawRequest({ token: asking.viewer.token, ...request })),
  status: asking.status,
  from,
  ...(bench.options.isQuick ? QUICK_WINDOW : WINDOW),
})

const SETTLED_AFTER_MS = 400
const SETTLED_WITHIN_MS = 90_000

/** Waits for indexes and caches that the server creates in the background. */
async function settle({ stage }: Viewer): Promise<void> {
  if (!stage) return
  const until = performance.now() + SETTLED_WITHIN_MS
  do await pause(SETTLED_AFTER_MS)
  while (performance.now() < until && (await isBuilding(stage)))
}

export async function indexesOf(
  stage: Environment,
): Promise<readonly { readonly id: string; readonly state: string }[]> {
  const path = '/api/collections/items/indexes'
  const { items } = await fetchJson(stage.port(), { method: 'GET', path, token: stage.tokens().owner })
  // The API guarantees this format.
  return items as { id: string; state: string }[]
}

const isBuilding = async (stage: Environment): Promise<boolean> =>
  (await indexesOf(stage)).some(({ state }) => state === 'building')

/** Waits until a request is fast, because that is the only sign that the cache is filled. */
async function untilQuick({ port, token }: Viewer, request: RawRequest, quickMs: number): Promise<void> {
  const until = performance.now() + SETTLED_WITHIN_MS
  let tookMs = Number.POSITIVE_INFINITY
  while (tookMs > quickMs && performance.now() < until) {
    const sentAt = performance.now()
    await fetchJson(port, { token, ...request })
    tookMs = performance.now() - sentAt
  }
}

async function prepare({ check, settles = false, settledMs }: Question, { viewer, requests }: Asking): Promise<void> {
  const [first] = requests
  if (!first) return
  // Checks that responses served from indexes and caches are still correct.
  for (let round = 0; round < (settles ? 2 : 1); round += 1) {
    const isChecked = check !== undefined || settles
    const answer = isChecked ? await fetchJson(viewer.port, { token: viewer.token, ...first }) : {}
    check?.(answer, viewer)
    if (settles) await settle(viewer)
  }
  if (settledMs !== undefined && viewer.stage) await untilQuick(viewer, first, settledMs)
}

type Turn = { readonly seen: LoadResult; readonly cpuMs: number | undefined }

async function takeTurn(bench: Bench, asking: Asking, connections: number, turn: number): Promise<Turn> {
  const load = loadOf(bench, asking, connections, turn * Math.floor(asking.requests.length / TURNS))
  const before = cpuMsOf(asking.viewer.pid)
  const seen = await runLoad(load)
  const after = cpuMsOf(asking.viewer.pid)
  if (before === undefined || after === undefined) return { seen, cpuMs: undefined }
  // CPU time includes the warm-up, so it is scaled down to the measurement window.
  return { seen, cpuMs: (after - before) / (1 + load.warmUpMs / (seen.seconds * 1000)) }
}

const TURNS = 2

function sumUp(turns: readonly Turn[]): Metrics {
  const figures = metricsOf(mergeRounds(turns.map(({ seen }) => seen)))
  const isReported = turns.every(({ cpuMs }) => cpuMs !== undefined)
  const cpuMs = turns.reduce((sum, turn) => sum + (turn.cpuMs ?? 0), 0) / figures.count
  return isReported ? { ...figures, cpuMs } : figures
}

/** Runs the request with each client in order, then in reverse order, and returns the result row. */
export async function measureQuestion(bench: Bench, question: Question): Promise<Row> {
  const { budget } = question
  const outcomes = new Map<Column, Outcome>()
  const turns = new Map<Asking, Turn[]>()
  const fail = ({ viewer }: Asking, error: unknown) => outcomes.set(viewer.column, { failure: messageOf(error) })
  for (const asking of askingsOf(bench, question)) {
    turns.set(asking, [])
    await prepare(question, asking).catch((error: unknown) => fail(asking, error))
  }
  for (let turn = 0; turn < TURNS; turn += 1) {
    const order = turn % 2 === 0 ? [...turns] : [...turns].toReversed()
    for (const [asking, taken] of order) {
      if (outcomes.has(asking.viewer.column)) continue
      taken.push(await takeTurn(bench, asking, budget.clients ?? 1, turn))
    }
  }
  for (const [asking, taken] of turns) {
    try {
      if (!outcomes.has(asking.viewer.column)) outcomes.set(asking.viewer.column, sumUp(taken))
    } catch (error) {
      fail(asking, error)
    }
  }
  return rowOf(budget, outcomes)
}

/** Runs the same request with different numbers of connections. */
export const measureQuestions = async (
  bench: Bench,
  question: Question,
  budgets: readonly Budget[],
): Promise<Row[]> => {
  const rows: Row[] = []
  for (const budget of budgets) rows.push(await measureQuestion(bench, { ...question, budget }))
  return rows
}

export const singleReads = ({ stage }: { readonly stage: Environment }): RawRequest[] =>
  stage.someRecords.map((id) => get(`${RECORDS}/${id}`))
