import { type IndexSpec, indexCovers } from './index-selection.ts'

/** From so many records on a collection gets indexes by itself; a smaller one is read through in a few ms. */
export const INDEX_MIN_RECORDS = 5_000

/** Most indexes that the server makes for one collection by itself: every write pays for each. */
export const MAX_INDEXES = 16

/** A query that takes longer than this is slow enough for an index, in ms. */
export const SLOW_QUERY_MS = 5

const DAY_MS = 24 * 60 * 60 * 1000

/** Unused indexes are dropped after this time, in ms. */
const UNUSED_AFTER_MS = 30 * DAY_MS

/** Where there are as many as there may be, one unused for so long makes room, in ms. */
const REPLACEABLE_AFTER_MS = DAY_MS

/** What index maintenance knows of an index. */
export type KnownIndex = { readonly id: string; readonly spec: IndexSpec; readonly usedAt: string }

/** The decision on a requested index. */
export type IndexDecision =
  | { readonly type: 'served'; readonly by: string }
  | { readonly type: 'build'; readonly insteadOf: string | null }
  | { readonly type: 'full' }

/** Decides on a requested index: already served, build it, replace a rarely used one, or no room. */
export function decideIndex(want: IndexSpec, have: readonly KnownIndex[], now: Date): IndexDecision {
  const serving = have.find(({ spec }) => indexCovers(spec, want))
  if (serving) return { type: 'served', by: serving.id }
  if (have.length < MAX_INDEXES) return { type: 'build', insteadOf: null }

  const [idlest] = have.toSorted((left, right) => Date.parse(left.usedAt) - Date.parse(right.usedAt))
  const isIdle = idlest !== undefined && now.getTime() - Date.parse(idlest.usedAt) >= REPLACEABLE_AFTER_MS
  return isIdle ? { type: 'build', insteadOf: idlest.id } : { type: 'full' }
}

/** Whether an index has not been used for so long that it only costs. */
export const isUnused = ({ usedAt }: Pick<KnownIndex, 'usedAt'>, now: Date): boolean =>
  now.getTime() - Date.parse(usedAt) >= UNUSED_AFTER_MS
