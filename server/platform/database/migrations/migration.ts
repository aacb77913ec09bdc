import type { DialectTypes, Transaction } from '#server/platform/database/database.ts'

/** One step from one form of our own tables to the next. Once released it is never changed. */
export type Migration = {
  /** Counts up from 1 without gaps; also the first part of its file's name. */
  readonly number: number
  readonly name: string
  readonly apply: (transaction: Transaction, facts: DialectTypes) => Promise<void>
}
