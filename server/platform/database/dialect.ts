import type { Dialect } from './database.ts'

/** Where the two databases need other words for the same thing. */
export type DialectTypes = {
  /** The type of text whose order is that of its bytes: both compare alike, and as `domain/shared/compare-text.ts`. */
  readonly text: string
  /** The type of a whole number up to 2^53. */
  readonly integer: string
}

/** The facts of each dialect. */
export const DIALECT_TYPES: { readonly [dialect in Dialect]: DialectTypes } = {
  sqlite: { text: 'text', integer: 'integer' },
  postgres: { text: 'text collate "C"', integer: 'bigint' },
}
