import { schemaChanging } from '#server/platform/database/errors/database-errors.ts'
import { StaleSchemaError } from '#server/platform/database/errors/stale-schema-error.ts'

const MAX_ATTEMPTS = 3

type RetryOptions = {
  /** Drops cached definitions. */
  readonly forget: () => void
  /** Whether the response has not started. */
  readonly isUnsaid: () => boolean
}

/** Repeats a read when a field or collection was deleted between planning and reading. */
export async function retryStaleRead<Answer>(
  read: () => Promise<Answer>,
  { forget, isUnsaid }: RetryOptions,
): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof StaleSchemaError) || !isUnsaid()) throw error
      if (tries === MAX_ATTEMPTS) throw schemaChanging()
      forget()
    }
  }
}
