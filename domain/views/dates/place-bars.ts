import type { DayRange } from './periods.ts'

export type Spanning = {
  readonly first: number
  readonly last: number
  readonly startMinute: number | null
  /** Placed above all others, so that it stays visible. */
  readonly isMoving?: boolean
}

/** A record in consecutive days. */
export type PlacedBar<Item> = {
  readonly item: Item
  /** Zero-based position from the top. */
  readonly lane: number
  /** Zero-based first day, and number of days. */
  readonly day: number
  readonly dayCount: number
  /** Whether the record continues in the days before or after. */
  readonly continuesBefore: boolean
  readonly continuesAfter: boolean
}

/** Longer records first, then by time of day; records without a time come before those with one. */
const byStartAndLength = (left: Spanning, right: Spanning): number =>
  Number(right.isMoving ?? false) - Number(left.isMoving ?? false) ||
  left.first - right.first ||
  right.last - left.last ||
  (left.startMinute ?? -1) - (right.startMinute ?? -1)

/** Stacks records in consecutive days, so that none overlap, in as few lanes as possible. */
export function placeBars<Item extends Spanning>(
  items: readonly Item[],
  { first, count }: DayRange,
): PlacedBar<Item>[] {
  const end = first + count
  const inSight = items.filter((item) => item.first < end && item.last >= first)
  /** The first free day of each lane. */
  const free: number[] = []
  return inSight.toSorted(byStartAndLength).map((item) => {
    const from = Math.max(item.first, first)
    const to = Math.min(item.last, end - 1)
    const found = free.findIndex((day) => day <= from)
    const lane = found < 0 ? free.length : found
    free[lane] = to + 1
    return {
      item,
      lane,
      day: from - first,
      dayCount: to - from + 1,
      continuesBefore: item.first < first,
      continuesAfter: item.last >= end,
    }
  })
}

export type VisibleBars<Item> = {
  readonly shown: readonly PlacedBar<Item>[]
  /** Number of hidden records of each day. */
  readonly hidden: readonly number[]
}

const daysOf = ({ day, dayCount }: PlacedBar<unknown>): readonly number[] =>
  Array.from({ length: dayCount }, (_, at) => day + at)

/** Keeps as many lanes as there is room for; on crowded days, the last lane is left for the number of hidden records. */
export function fitBars<Item>(bars: readonly PlacedBar<Item>[], count: number, lanes: number): VisibleBars<Item> {
  const isCrowded = Array.from({ length: count }, () => false)
  for (const bar of bars) if (bar.lane >= lanes) for (const at of daysOf(bar)) isCrowded[at] = true
  const isShown = (bar: PlacedBar<Item>) =>
    bar.lane < lanes - 1 || (bar.lane === lanes - 1 && daysOf(bar).every((at) => isCrowded[at] === false))
  const hidden = Array.from({ length: count }, () => 0)
  for (const bar of bars) if (!isShown(bar)) for (const at of daysOf(bar)) hidden[at] = (hidden[at] ?? 0) + 1
  return { shown: bars.filter(isShown), hidden }
}

export type Timed = { readonly startMinute: number | null; readonly endMinute: number | null }

/** A record in the hours of a day. */
export type PlacedTime<Item> = {
  readonly item: Item
  /** In minutes since midnight. */
  readonly from: number
  readonly to: number
  /** Zero-based position among the records that overlap in time, and their number. */
  readonly place: number
  readonly placeCount: number
}

const DAY_MINUTES = 1_440

/** Shorter records are drawn as long as this, so that their names can be read. */
const MIN_MINUTES = 30

/** Places the records of a day side by side where they overlap in time. */
export function placeTimes<Item extends Timed>(items: readonly Item[]): PlacedTime<Item>[] {
  const spans = items
    .map((item) => {
      const start = Math.min(item.startMinute ?? 0, DAY_MINUTES - MIN_MINUTES)
      return { item, from: start, to: Math.max(item.endMinute ?? 0, start + MIN_MINUTES) }
    })
    .toSorted((left, right) => left.from - right.from || right.to - left.to)
  const placed: PlacedTime<Item>[] = []
  let free: number[] = []
  let cluster: (typeof spans)[number][] = []
  let places: number[] = []
  const close = () => {
    for (const [at, span] of cluster.entries())
      placed.push({ ...span, place: places[at] ?? 0, placeCount: free.length })
    free = []
    cluster = []
    places = []
  }
  for (const span of spans) {
    if (free.every((minute) => minute <= span.from)) close()
    const found = free.findIndex((minute) => minute <= span.from)
    const place = found < 0 ? free.length : found
    free[place] = span.to
    cluster.push(span)
    places.push(place)
  }
  close()
  return placed
}
