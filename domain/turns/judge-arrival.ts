import { LATE_LOOKS, LATE_MS, MOST_OPEN_OF_ALL, MOST_OPEN_OF_ONE } from './turn-limits.ts'

/** What a server has to do when one more request arrives. */
export type House = {
  /** Requests that are not answered yet, of whoever asks now and of all. */
  readonly own: number
  readonly all: number
  /** By how much the event loop was late at the last looks, the newest last, in ms. */
  readonly lateMs: readonly number[]
}

/** What becomes of a request that arrives. */
export type ArrivalVerdict = 'welcome' | 'too-many-at-once' | 'overloaded'

/** Judges a request before it has cost anything. Whoever has too much open is told that, also where all have. */
export function judgeArrival({ own, all, lateMs }: House): ArrivalVerdict {
  if (own >= MOST_OPEN_OF_ONE) return 'too-many-at-once'
  return all >= MOST_OPEN_OF_ALL || isOverItsHead(lateMs) ? 'overloaded' : 'welcome'
}

const isOverItsHead = (lateMs: readonly number[]): boolean =>
  lateMs.length >= LATE_LOOKS && lateMs.slice(-LATE_LOOKS).every((ms) => ms >= LATE_MS)
