/** Days to keep a file after its last reference was removed. */
export const QUARANTINE_DAYS = 30

const DAY_MS = 24 * 60 * 60 * 1000

/** A sweep that would remove more than both limits removes nothing; an operator must check. */
const MAX_REMOVED = 100
const MAX_REMOVED_SHARE = 0.1

/** Days with sweeps: if the clock jumps by weeks, they count as one day. `mark` is also in the storage. */
export type SweepDays = {
  readonly count: number
  readonly last: string
  readonly mark: string
  readonly markBefore: string
}

/** If the clock was set back, no day is counted twice. */
export function countSweepDay(days: SweepDays | undefined, now: Date, newMark: string): SweepDays {
  const last = now.toISOString().slice(0, 10)
  if (days === undefined) return { count: 1, last, mark: newMark, markBefore: '' }
  if (last <= days.last) return { ...days, last }
  return { count: days.count + 1, last, mark: newMark, markBefore: days.mark }
}

/**
 * Whether the storage was last swept by this database, not by a copy or by a state from before a restore. The previous
 * mark counts too, in case a sweep was killed before writing its own.
 */
export function isOwnMark(days: SweepDays | undefined, mark = ''): boolean {
  return days === undefined ? mark === '' : mark === days.mark || mark === days.markBefore
}

/** Files quarantined at or before both of these times can be removed. */
export type QuarantineEnd = { readonly since: string; readonly day: number }

/** By the clock and by the number of days with sweeps. */
export const quarantineEnd = (now: Date, { count }: Pick<SweepDays, 'count'>): QuarantineEnd => ({
  since: new Date(now.getTime() - QUARANTINE_DAYS * DAY_MS).toISOString(),
  day: count - QUARANTINE_DAYS,
})

/** Whether removing this many files requires an operator's confirmation. */
export const isLargeRemoval = (due: number, known: number): boolean =>
  due > MAX_REMOVED && due > known * MAX_REMOVED_SHARE
