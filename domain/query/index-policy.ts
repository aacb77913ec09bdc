import { type IndexSpec, indexCovers } from './index-selection.ts'

/** From so many records on a collection gets indexes by itself; a smaller one is read through in a few ms. */
export const INDEX_MIN_RECORDS = 5_000

/** Most indexes that the server makes for one collection by itself: every write pays for each. */
export const MAX_INDEXES = 16

/** A query that takes longer than this is slow enough for an index, in ms. */
export const SLOW_QUERY_MS = 5

const DAY_MS = 24 * 60 * 60 * 1000

/** An index that nobody used for so long goes, in ms. */
const UNUSED_AFTER_MS = 30 * DAY_MS

/** Where there are as many as there may be, one unused for so long makes room, in ms. */
const REPLACEABLE_AFTER_MS = DAY_MS

/** What the judges of upkeep know of an index. */
export type KnownIndex = { readonly id: string; readonly spec: IndexSpec; readonly usedAt: string }

/** What becomes of a wish for an index, among those its collection has. */
export type IndexDecision =
  | { readonly type: 'served'; readonly by: string }
  | { readonly type: 'build'; readonly insteadOf: string | null }
  | { readonly type: 'full' }

/** Judges a wish: it may be served already, be built, take the place of one that is hardly used, or find no room. */
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
