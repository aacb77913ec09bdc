import { schemaChanging } from '#server/platform/database/errors/database-errors.ts'
import { StaleSchemaError } from '#server/platform/database/errors/stale-schema-error.ts'

/** So often a read may meet a change of definitions before we say so. */
const MAX_ATTEMPTS = 3

/** What a read needs to be begun again. */
type RetryOptions = {
  /** Forgets the definitions it was made from, so that the next ones are those of now. */
  readonly forget: () => void
  /** Whether nothing of the answer left yet. */
  readonly isUnsaid: () => boolean
}

/** Reads; begins anew when a field or a collection went away, by this server or another, between the plan and the reading. */
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
