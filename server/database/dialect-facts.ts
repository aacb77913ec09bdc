import type { Dialect } from './database.ts'

/** Where the two databases need other words for the same thing. */
export type DialectFacts = {
  /** The type of text whose order is that of its bytes: both compare alike, and as `domain/shared/compare-text.ts`. */
  readonly text: string
  /** The type of a whole number up to 2^53. */
  readonly integer: string
  /** Most parameters of one statement. */
  readonly mostParameters: number
}

/** The facts of each dialect. */
export const DIALECT_FACTS: { readonly [dialect in Dialect]: DialectFacts } = {
  // SQLITE_MAX_VARIABLE_NUMBER is 32,766 by default.
  sqlite: { text: 'text', integer: 'integer', mostParameters: 32_766 },
  // The protocol counts parameters in 16 bits.
  postgres: { text: 'text collate "C"', integer: 'bigint', mostParameters: 65_535 },
}
