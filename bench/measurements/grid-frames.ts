import {
  BLANK_IN_SCROLL,
  ELEMENTS_SCROLLED,
  frameRateAt,
  HEAP_SCROLLED,
  LAST_ROW,
  noPromise,
  ROWS_AT_REST,
} from '../report/budgets.ts'
import type { Bench, Part } from '../measure.ts'
import { type OpenedList, openList } from '../client/open-list.ts'
import { type Column, type Row, rowOfSingles, type Single } from '../report/result.ts'
import { jumpTo, type ScrollResult, recordScroll } from '../client/scroll-page.ts'
import { USERS } from '../setup/create-users.ts'
import type { Environment } from '../setup/environment.ts'

/** Scroll speeds for reading, searching and flinging, in pixels per frame. */
const SPEEDS = [40, 400, 4000] as const

type Speed = (typeof SPEEDS)[number]

/** Scroll bar positions as fractions of the list; the last one is the end. */
const JUMPS = [0.31, 0.9, 0.07, 0.55, 0.77, 0.13, 0.62, 0.98, 0.44, 1] as const

type Seen = {
  readonly rides: ReadonlyMap<Speed, ScrollResult>
  readonly jumpsMs: readonly number[]
  readonly requests: ReturnType<OpenedList['requests']>
  readonly weight: Awaited<ReturnType<OpenedList['weigh']>>
}

/** Duration per speed in ms: one minute in total, or five with `--long`. */
function shareMs({ options: { isQuick, isLong } }: Bench): number {
  if (isQuick) return 2000
  return isLong ? 100_000 : 20_000
}

async function scrollThrough(bench: Bench, stage: Environment): Promise<Seen> {
  const list = await openList(stage.server().url, { email: USERS.bound, password: USERS.password })
  try {
    const rides = new Map<Speed, ScrollResult>()
    for (const pxPerFrame of SPEEDS) {
      rides.set(pxPerFrame, await list.page.evaluate(recordScroll, { pxPerFrame, forMs: shareMs(bench) }))
    }
    const jumpsMs: number[] = []
    for (const share of JUMPS) jumpsMs.push(await list.page.evaluate(jumpTo, share))
    return { rides, jumpsMs, requests: list.requests(), weight: await list.weigh() }
  } finally {
    await list.close()
  }
}

const frameRate = ({ frames, tookMs, longestFrameMs }: ScrollResult): Single => ({
  figure: (frames * 1000) / tookMs,
  unit: 'fps',
  note: `longest frame ${longestFrameMs.toFixed(0)} ms`,
})

const inMs = (figure: number, note?: string): Single => ({ figure, unit: 'ms', note })

const ridden = ({ rides }: Seen, speed: Speed, tell: (ride: ScrollResult) => Single): Single | undefined => {
  const ride = rides.get(speed)
  return ride && tell(ride)
}

/** Scrolls the grid through all records, in a browser without a GPU. */
export const gridPart: Part = {
  name: 'grid',
  run: async (bench): Promise<Row[]> => {
    const seen = new Map<Column, Seen>()
    for (const stage of bench.stages) seen.set(stage.dialect, await scrollThrough(bench, stage))
    const each = (tell: (one: Seen) => Single | undefined) => new Map([...seen].map(([on, one]) => [on, tell(one)]))
    return [
      ...SPEEDS.map((speed) =>
        rowOfSingles(
          frameRateAt(speed),
          each((one) => ridden(one, speed, frameRate)),
        ),
      ),
      rowOfSingles(
        BLANK_IN_SCROLL,
        each((one) => ridden(one, 400, (ride) => inMs(Math.max(ride.longestBareMs, ride.longestWaitMs)))),
      ),
      rowOfSingles(
        ROWS_AT_REST,
        each(({ jumpsMs }) => inMs(Math.max(...jumpsMs))),
      ),
      rowOfSingles(
        LAST_ROW,
        each(({ jumpsMs }) => inMs(jumpsMs.at(-1) ?? Number.NaN)),
      ),
      rowOfSingles(
        noPromise('Grid: row requests while scrolling'),
        each(({ requests: { sent, calledOff } }) => ({ figure: sent, unit: 'sent', note: `${calledOff} called off` })),
      ),
      rowOfSingles(
        ELEMENTS_SCROLLED,
        each(({ weight }) => ({ figure: weight.elements, unit: 'elements' })),
      ),
      rowOfSingles(
        HEAP_SCROLLED,
        each(({ weight }) => ({ figure: weight.heapMb, unit: 'MB' })),
      ),
    ]
  },
}
