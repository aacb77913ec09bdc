import { setTimeout as pause } from 'node:timers/promises'
import { noPromise, READ_BESIDE_HEAVY } from '../report/budgets.ts'
import { metricsOf, runLoad } from '../client/load.ts'
import { type Bench, loadOf, messageOf, allViewers, type Part, singleReads, type Viewer } from '../measure.ts'
import type { RawRequest } from '../client/raw-client.ts'
import { get, listPath } from '../client/requests.ts'
import { type Column, type Outcome, type Row, rowOf, rowOfSingles, type Single } from '../report/result.ts'
import { baselineReads } from './small-reads.ts'

const WORDS = ['corden', 'fiho', 'gal in', 'kelko', 'marol', 'né pra', 'suri', 'lolo', 'denju', 'hoba']

const grouped = (word: string) =>
  new URLSearchParams({ by: 'owner,status', aggregates: 'count,avg(amount),max(amount)', filter: `title !~ "${word}"` })

/**
 * Queries that neither indexes nor caches can speed up: text scans with sort and count, groups by two fields, short
 * search terms. There are enough variants that none repeats within a short time.
 */
const HEAVIEST: readonly RawRequest[] = WORDS.flatMap((word) => [
  get(listPath({ filter: `body ~ "${word}" || title ~ "${word}"`, sort: '-title', count: 'exact' })),
  get(`/api/collections/items/groups?${grouped(word).toString()}`),
  get(listPath({ filter: `body !~ "${word}"`, sort: '-body', count: 'exact' })),
  get(listPath({ search: word.slice(0, 2), sort: 'due', count: 'exact' })),
])

const BARE: readonly RawRequest[] = WORDS.map((word) => get(`/contains?word=${encodeURIComponent(word)}`))

const HEAVY_CLIENTS = 4
const HEAVY_LEADS_MS = 1000

/** Reads while four clients send the most expensive queries. */
async function besideHeavy(
  bench: Bench,
  viewer: Viewer,
  [heaviest, reads]: readonly [readonly RawRequest[], readonly RawRequest[]],
): Promise<Outcome> {
  const reading = loadOf(bench, { viewer, requests: reads, status: 200 }, 1)
  const countedMs = 3 * reading.countedMs
  const asking = loadOf(bench, { viewer, requests: heaviest, status: 200 }, HEAVY_CLIENTS)
  const both = Promise.all([
    runLoad({ ...asking, warmUpMs: 0, countedMs: HEAVY_LEADS_MS + countedMs, minAnswers: 1, longestMs: 60_000 }),
    runLoad({ ...reading, warmUpMs: HEAVY_LEADS_MS, countedMs, minAnswers: 1, longestMs: 60_000 }),
  ])
  return both.then(
    ([, seen]) => metricsOf(seen),
    (error: unknown) => ({ failure: messageOf(error) }),
  )
}

const SAID = /event-loop p99 ([\d.]+) max ([\d.]+)/g

/** Server under test, with the event-loop probe. */
type Probed = { readonly pid: number; readonly printed: () => string }

/** Event-loop delay since the last call. */
export async function eventLoopOf({ pid, printed }: Probed): Promise<Single | undefined> {
  if (process.platform === 'win32') return undefined
  process.kill(pid, 'SIGUSR2')
  await pause(300)
  const last = [...printed().matchAll(SAID)].at(-1)
  return last && { figure: Number(last[2]), unit: 'ms', note: `p99 ${last[1]}` }
}

/** Measures the latency of small reads, and the event-loop delay, while expensive queries run. */
export const slowQueriesPart: Part = {
  name: 'heaviest',
  run: async (bench): Promise<Row[]> => {
    const reads = new Map<Column, Outcome>()
    const stalls = new Map<Column, Single | undefined>()
    for (const viewer of bench.stages.flatMap((stage) => allViewers(bench, stage))) {
      await eventLoopOf(viewer.stage.server())
      reads.set(viewer.column, await besideHeavy(bench, viewer, [HEAVIEST, singleReads(viewer)]))
      stalls.set(viewer.column, await eventLoopOf(viewer.stage.server()))
    }
    if (bench.floor) {
      const viewer: Viewer = { column: 'floor', ...bench.floor, truth: bench.files.truths.floor }
      reads.set('floor', await besideHeavy(bench, viewer, [BARE, baselineReads(bench.options.size)]))
    }
    return [
      rowOf(READ_BESIDE_HEAVY, reads),
      rowOfSingles(noPromise('Longest event-loop stall during these queries'), stalls),
    ]
  },
}
