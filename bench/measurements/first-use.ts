import { setTimeout as pause } from 'node:timers/promises'
import { fetchJson, get, listPath } from '../client/requests.ts'
import { FIRST_USE, noPromise, READ_AT_FIRST_USE, WRITE_AT_FIRST_USE } from '../report/budgets.ts'
import { type Bench, restrictedViewer, indexesOf, type Part, singleReads } from '../measure.ts'
import { type Column, rowOfSingles, type Single } from '../report/result.ts'
import type { Environment } from '../setup/environment.ts'
import { later, watch } from './background-watch.ts'
import { newRecord } from './writes.ts'

/** Sort order not used by any earlier request. */
const NEVER_SORTED = get(listPath({ sort: '-due,made_at', count: 'none' }))

const BEFORE_MS = 1500
/** After this pause in ms, the next request of a session stores when the session was last used. */
const REST_MS = 61_000
const LOOK_EVERY_MS = 50
/** Stops waiting if no index build has started by then, because small collections get no index. */
const BEGINS_WITHIN_MS = 2000
const BUILT_WITHIN_MS = 120_000

const NEW_RECORDS = Array.from({ length: 500 }, (_, at) => newRecord(at))

/** Waits for a new index and returns the time in ms, or undefined if no index is created. */
async function untilIndexed(stage: Environment, known: ReadonlySet<string>): Promise<number | undefined> {
  const startedAt = performance.now()
  for (;;) {
    const fresh = (await indexesOf(stage)).filter(({ id }) => !known.has(id))
    const tookMs = performance.now() - startedAt
    if (fresh.some(({ state }) => state === 'ready')) return tookMs
    if (tookMs > (fresh.length > 0 ? BUILT_WITHIN_MS : BEGINS_WITHIN_MS)) return undefined
    await pause(LOOK_EVERY_MS)
  }
}

type Seen = Readonly<Record<'first' | 'built' | 'read' | 'write', Single>>

/** Measures a reader and a writer, first without background work, then while an index for a new sort order is built. */
async function measureOn(bench: Bench, stage: Environment): Promise<Seen> {
  const viewer = restrictedViewer(bench, stage)
  const known = new Set((await indexesOf(stage)).map(({ id }) => id))
  const begin = async () =>
    [await watch(viewer, singleReads(viewer), 200), await watch(viewer, NEW_RECORDS, 201)] as const
  const [readerBefore, writerBefore] = await begin()
  await pause(bench.options.isQuick ? BEFORE_MS / 5 : BEFORE_MS)
  const [readsBefore, writesBefore] = [await readerBefore.end(), await writerBefore.end()]
  if (!bench.options.isQuick) await pause(REST_MS)

  const [reader, writer] = await begin()
  const startedAt = performance.now()
  await fetchJson(viewer.port, { ...NEVER_SORTED, token: viewer.token })
  const firstMs = performance.now() - startedAt
  const builtMs = await untilIndexed(stage, known)
  const [reads, writes] = [await reader.end(), await writer.end()]
  return {
    first: { figure: firstMs, unit: 'ms' },
    built: { figure: builtMs ?? 0, unit: 'ms', note: builtMs === undefined ? 'none was needed' : undefined },
    read: later(readsBefore, reads),
    write: later(writesBefore, writes),
  }
}

export const firstUsePart: Part = {
  name: 'first-use',
  run: async (bench) => {
    const seen = new Map<Column, Seen>()
    for (const stage of bench.stages) seen.set(stage.dialect, await measureOn(bench, stage))
    const each = (of: keyof Seen) => new Map([...seen].map(([column, figures]) => [column, figures[of]]))
    return [
      rowOfSingles(FIRST_USE, each('first')),
      rowOfSingles(noPromise('Index build'), each('built')),
      rowOfSingles(READ_AT_FIRST_USE, each('read')),
      rowOfSingles(WRITE_AT_FIRST_USE, each('write')),
    ]
  },
}
