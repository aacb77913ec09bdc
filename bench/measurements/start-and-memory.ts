import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  COLD_START,
  COLD_START_EMPTY,
  MEMORY_IDLE,
  MEMORY_LOADED,
  MEMORY_OF_NPM_START,
  NPM_START,
  noPromise,
} from '../report/budgets.ts'
import type { Part } from '../measure.ts'
import { memoryOfTree } from '../report/process-metrics.ts'
import { type Column, rowOfSingles, type Single } from '../report/result.ts'
import type { EnvironmentPaths } from '../setup/environment-paths.ts'
import { startOn } from '../setup/environment.ts'
import { eventLoopOf } from './slow-queries.ts'

const REST_MS = 2000

type Start = { readonly tookMs: number; readonly idleMb: number | undefined }

/** Starts the product as usual, measures its idle memory, and stops it. */
async function startOnce(place: EnvironmentPaths, program?: readonly string[]): Promise<Start> {
  const startedAt = performance.now()
  const server = await startOn(place, program && { program })
  const tookMs = performance.now() - startedAt
  await pause(REST_MS)
  const idleMb = memoryOfTree(server.pid)
  await server.stop()
  return { tookMs, idleMb }
}

async function startOften(place: EnvironmentPaths, count: number): Promise<Start> {
  const starts: Start[] = []
  for (let started = 0; started < count; started += 1) starts.push(await startOnce(place))
  const middle = starts.toSorted((left, right) => left.tookMs - right.tookMs)[Math.floor(count / 2)]
  return middle ?? { tookMs: 0, idleMb: undefined }
}

/** The path of npm; undefined if the benchmark wasn't started by npm, which installs and builds first. */
const NPM = process.env['npm_lifecycle_event'] === 'bench' ? process.env['npm_execpath'] : undefined

type EmptyStarts = { readonly server: Start; readonly npm: Start | undefined }

/** Temporary folder in which the server has already run once. */
async function startEmpty(count: number): Promise<EmptyStarts> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'dossier-bench-empty-'))
  const place = { dataFolder, databaseUrl: undefined }
  try {
    await startOnce(place)
    return {
      server: await startOften(place, count),
      npm: NPM === undefined ? undefined : await startOnce(place, [NPM, 'start']),
    }
  } finally {
    await rm(dataFolder, { recursive: true, force: true })
  }
}

const inMs = ({ tookMs }: Start): Single => ({ figure: tookMs, unit: 'ms', note: 'polled every 25 ms' })
const inMb = (figure: number | undefined): Single | undefined =>
  figure === undefined ? undefined : { figure, unit: 'MB' }

/** Measures the time from start to first response, and memory use at that point. */
export const startPart: Part = {
  name: 'start',
  run: async ({ stages, options }) => {
    const count = options.isQuick ? 1 : 5
    const full = new Map<Column, Start>()
    for (const stage of stages) {
      full.set(stage.dialect, await stage.whileStopped((place) => startOften(place, count)))
    }
    const isOnSqlite = stages.some(({ dialect }) => dialect === 'sqlite')
    const empty = isOnSqlite ? await startEmpty(count) : undefined
    const alone = (start: Start) => new Map<Column, Single>([['sqlite', inMs(start)]])
    return [
      ...(empty ? [rowOfSingles(COLD_START_EMPTY, alone(empty.server))] : []),
      ...(empty?.npm
        ? [
            rowOfSingles(NPM_START, alone(empty.npm)),
            rowOfSingles(MEMORY_OF_NPM_START, new Map([['sqlite', inMb(empty.npm.idleMb)]])),
          ]
        : []),
      rowOfSingles(COLD_START, new Map([...full].map(([column, start]) => [column, inMs(start)]))),
      rowOfSingles(MEMORY_IDLE, new Map([...full].map(([column, { idleMb }]) => [column, inMb(idleMb)]))),
    ]
  },
}

/** Peak memory across all benchmark parts, so it is measured last. */
export const loadedPart: Part = {
  name: 'loaded',
  run: async ({ stages }) => {
    const stalls = new Map<Column, Single | undefined>()
    for (const stage of stages) stalls.set(stage.dialect, await eventLoopOf(stage.server()))
    return [
      rowOfSingles(MEMORY_LOADED, new Map(stages.map((stage) => [stage.dialect, inMb(stage.highestMb()?.ever)]))),
      rowOfSingles(noPromise('Longest event-loop stall afterwards'), stalls),
    ]
  },
}
