/** A statement used a removed table or column, because definitions changed; retry it with the current ones. */
export class StaleSchemaError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause })
    this.name = 'OutdatedRead'
  }
}
