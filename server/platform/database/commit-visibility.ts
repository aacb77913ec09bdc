import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from './database.ts'

/**
 * Names one commit among those that write to the change log. What a statement saw can be asked of it exactly: a count
 * that was read while others wrote is put right by the changes that it did not see, and by no other.
 */
export type CommitId = bigint

/** What one statement saw of the commits. */
export type CommitSnapshot = { readonly includes: (mark: CommitId) => boolean }

/**
 * The mark of the write under way, as a column that an insert into the change log returns. SQLite has one writer, so the
 * number of the entry counts the commits up; PostgreSQL gives every transaction a number.
 */
export const commitIdColumn = (dialect: Dialect): RawBuilder<string> =>
  dialect === 'sqlite' ? sql<string>`cast(rowid as text)` : sql<string>`cast(pg_current_xact_id() as text)`

/** What this very statement sees, as a column of it; `readView` reads the cell. */
export const commitSnapshotColumn = (dialect: Dialect): RawBuilder<string> =>
  dialect === 'sqlite'
    ? sql<string>`(select cast(coalesce(max(rowid), 0) as text) from changes)`
    : sql<string>`cast(pg_current_snapshot() as text)`

/** Reads a cell of `viewColumn`: on SQLite the last entry, on PostgreSQL `xmin:xmax:` and what ran in between. */
export function parseCommitSnapshot(cell: string): CommitSnapshot {
  const [first = '0', end, underWay = ''] = cell.split(':')
  if (end === undefined) {
    const last = BigInt(first)
    return { includes: (mark) => mark <= last }
  }
  const [oldest, next] = [BigInt(first), BigInt(end)]
  const running = new Set(underWay === '' ? [] : underWay.split(',').map(BigInt))
  return { includes: (mark) => mark < oldest || (mark < next && !running.has(mark)) }
}

/** The view of something read before anybody wrote: every change is still to come. */
export const EMPTY_SNAPSHOT: CommitSnapshot = { includes: () => false }
