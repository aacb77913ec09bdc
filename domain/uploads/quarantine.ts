/** How many days a file stays after the last reference to it is gone. */
export const QUARANTINE_DAYS = 30

const DAY_MS = 24 * 60 * 60 * 1000

/** A sweep that would remove more files than both of these removes none: somebody has to look first. */
const MAX_REMOVED = 100
const MAX_REMOVED_SHARE = 0.1

/**
 * On how many days sweeps ran, and the last of them. It is the second witness beside the clock: one that jumps ahead by
 * weeks counts as a single day. The mark is new on each day and is left in the storage, too.
 */
export type SweepDays = {
  readonly count: number
  readonly last: string
  readonly mark: string
  readonly markBefore: string
}

/** The count with a sweep at this moment. A clock that was set back counts no day twice. */
export function countSweepDay(days: SweepDays | undefined, now: Date, newMark: string): SweepDays {
  const last = now.toISOString().slice(0, 10)
  if (days === undefined) return { count: 1, last, mark: newMark, markBefore: '' }
  if (last <= days.last) return { ...days, last }
  return { count: days.count + 1, last, mark: newMark, markBefore: days.mark }
}

/**
 * Whether the last sweep of the storage was by this very database: not by a copy of it, and not by a later state of it that
 * a restore took back. The mark before counts as well, for a sweep that was killed before it left its own.
 */
export function isOwnMark(days: SweepDays | undefined, mark = ''): boolean {
  return days === undefined ? mark === '' : mark === days.mark || mark === days.markBefore
}

/** What went into quarantine at or before both of these has been there long enough. */
export type QuarantineEnd = { readonly since: string; readonly day: number }

/** The end of the quarantine by both witnesses: the clock, and the days on which sweeps ran. */
export const quarantineEnd = (now: Date, { count }: Pick<SweepDays, 'count'>): QuarantineEnd => ({
  since: new Date(now.getTime() - QUARANTINE_DAYS * DAY_MS).toISOString(),
  day: count - QUARANTINE_DAYS,
})

/** Whether so many of all known files are too many to be removed without a person. */
export const isLargeRemoval = (due: number, known: number): boolean =>
  due > MAX_REMOVED && due > known * MAX_REMOVED_SHARE
