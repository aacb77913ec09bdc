/** Days that a file is kept after its last reference was removed. */
export const QUARANTINE_DAYS = 30

const DAY_MS = 24 * 60 * 60 * 1000

/** A sweep that would exceed both limits removes nothing, so that an operator can review it first. */
const MAX_REMOVED = 100
const MAX_REMOVED_SHARE = 0.1

/**
 * Counts the days on which sweeps ran, so that a clock jump of weeks counts as one day. `mark` is also written to file
 * storage.
 */
export type SweepDays = {
  readonly count: number
  readonly last: string
  readonly mark: string
  readonly markBefore: string
}

/** Never counts a day twice, even if the clock was set back. */
export function countSweepDay(days: SweepDays | undefined, now: Date, newMark: string): SweepDays {
  const last = now.toISOString().slice(0, 10)
  if (days === undefined) return { count: 1, last, mark: newMark, markBefore: '' }
  if (last <= days.last) return { ...days, last }
  return { count: days.count + 1, last, mark: newMark, markBefore: days.mark }
}

/**
 * Whether this database was the last to sweep the file storage, rather than a copy or an earlier state that was
 * restored. The previous mark is also accepted, in case a sweep was killed before writing the new one.
 */
export function isOwnMark(days: SweepDays | undefined, mark = ''): boolean {
  return days === undefined ? mark === '' : mark === days.mark || mark === days.markBefore
}

/** Files quarantined at or before both this time and this sweep day can be removed. */
export type QuarantineEnd = { readonly since: string; readonly day: number }

/** Quarantine ends only after enough elapsed time and enough days with sweeps. */
export const quarantineEnd = (now: Date, { count }: Pick<SweepDays, 'count'>): QuarantineEnd => ({
  since: new Date(now.getTime() - QUARANTINE_DAYS * DAY_MS).toISOString(),
  day: count - QUARANTINE_DAYS,
})

/** Whether the number of files to remove requires confirmation by an operator. */
export const isLargeRemoval = (due: number, known: number): boolean =>
  due > MAX_REMOVED && due > known * MAX_REMOVED_SHARE
