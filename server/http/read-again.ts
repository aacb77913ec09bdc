import { changedJustNow } from '#server/database/database-problems.ts'
import { OutdatedRead } from '#server/database/outdated-read.ts'

/** So often a read may meet a change of definitions before we say so. */
const MOST_TRIES = 3

/** What a read needs to be begun again. */
type Again = {
  /** Forgets the definitions it was made from, so that the next ones are those of now. */
  readonly forget: () => void
  /** Whether nothing of the answer left yet. */
  readonly isUnsaid: () => boolean
}

/** Reads; begins anew when a field or a collection went away, by this server or another, between the plan and the reading. */
export async function readAgain<Answer>(read: () => Promise<Answer>, { forget, isUnsaid }: Again): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof OutdatedRead) || !isUnsaid()) throw error
      if (tries === MOST_TRIES) throw changedJustNow()
      forget()
    }
  }
}
