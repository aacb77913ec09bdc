import { AsyncLocalStorage } from 'node:async_hooks'
import { Problem } from '#domain/shared/problem.ts'
import { NOTHING_CHANGED } from './database-errors.ts'

type Request = { hasCommitted: boolean }

const requestStorage = new AsyncLocalStorage<Request>()

/** Notes a commit for the current request; called after every write. */
export function noteCommit(): void {
  const request = requestStorage.getStore()
  if (request) request.hasCommitted = true
}

const MAY_BE_SAVED = 'The change may have been saved, so check before you repeat it.'

/**
 * Runs the handler of a request. Errors of the database say that nothing was changed, which is wrong if the handler
 * fails after a commit, for example while it reads the record for the response.
 */
export async function withCommitOutcome<Answer>(handle: () => Promise<Answer>): Promise<Answer> {
  const request: Request = { hasCommitted: false }
  try {
    return await requestStorage.run(request, handle)
  } catch (error) {
    const isTemporary = error instanceof Problem && error.code === 'not-ready'
    if (!request.hasCommitted || !isTemporary || !error.message.includes(NOTHING_CHANGED)) throw error
    const problem = new Problem(error.code, error.message.replace(NOTHING_CHANGED, MAY_BE_SAVED), error.details)
    throw Object.assign(problem, { cause: error })
  }
}
