/**
 * A statement named a table or a column that is gone: it was made from definitions that somebody changed since. Whoever
 * reads makes it anew from the definitions as they are.
 */
export class StaleSchemaError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'OutdatedRead'
  }
}
