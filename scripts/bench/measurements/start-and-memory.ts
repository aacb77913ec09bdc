import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { COLD_START, COLD_START_EMPTY, EVENT_LOOP, MEMORY_IDLE, MEMORY_LOADED } from '../budgets.ts'
import { lineOfFigure } from '../line.ts'
import type { Measurement } from '../measure.ts'
import { memoryOf } from '../process-figures.ts'
import { type Stage, type StagePlace, startOn } from '../stage.ts'

const STARTS = 5
const REST_MS = 2000

type Start = { readonly tookMs: number; readonly idleMb: number | undefined }

/** Starts the server as it is started every day, looks at it once it rests, and stops it. */
async function startOnce(place: StagePlace): Promise<Start> {
  const startedAt = performance.now()
  const server = await startOn(place)
  const tookMs = performance.now() - startedAt
  await pause(REST_MS)
  const idleMb = memoryOf(server.pid)?.now
  await server.stop()
  return { tookMs, idleMb }
}

/** The median of several starts. */
async function startOften(place: StagePlace): Promise<Start> {
  const starts: Start[] = []
  for (let count = 0; count < STARTS; count += 1) starts.push(await startOnce(place))
  const middle = starts.toSorted((left, right) => left.tookMs - right.tookMs)[Math.floor(STARTS / 2)]
  return middle ?? { tookMs: 0, idleMb: undefined }
}

/** A folder in which the server was started before, and that is removed afterwards. */
async function startEmpty(): Promise<Start> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'dossier-bench-empty-'))
  const place = { dataFolder, databaseUrl: undefined }
  try {
    await startOnce(place)
    return await startOften(place)
  } finally {
    await rm(dataFolder, { recursive: true, force: true })
  }
}

const NOTE = ' (waiting asks every 25 ms)'

/** How soon the server answers after its start, and what it holds in memory then. */
export const startMeasurement: Measurement = {
  name: 'start',
  run: async (stage) => {
    const full = await stage.whileStopped(startOften)
    const empty = stage.options.dialect === 'sqlite' ? [await startEmpty()] : []
    return [
      ...empty.map(({ tookMs }) => lineOfFigure(COLD_START_EMPTY, tookMs, 'ms', NOTE)),
      lineOfFigure(COLD_START, full.tookMs, 'ms', NOTE),
      lineOfFigure(MEMORY_IDLE, full.idleMb, 'MB'),
    ]
  },
}

/** What the server says of its event loop since it was asked last. */
async function eventLoopOf(stage: Stage): Promise<{ readonly max: number; readonly p99: number } | undefined> {
  if (process.platform === 'win32') return undefined
  process.kill(stage.server().pid, 'SIGUSR2')
  await pause(200)
  const said = [
    ...stage
      .server()
      .printed()
      .matchAll(/event-loop p99 ([\d.]+) max ([\d.]+)/g),
  ].at(-1)
  return said && { p99: Number(said[1]), max: Number(said[2]) }
}

/** The highest memory and the longest delay of everything measured before; so it comes last. */
export const loadedMeasurement: Measurement = {
  name: 'loaded',
  run: async (stage) => {
    const loop = await eventLoopOf(stage)
    return [
      lineOfFigure(MEMORY_LOADED, memoryOf(stage.server().pid)?.highest, 'MB'),
      lineOfFigure(EVENT_LOOP, loop?.max, 'ms', loop && ` (p99 ${loop.p99} ms)`),
    ]
  },
}
