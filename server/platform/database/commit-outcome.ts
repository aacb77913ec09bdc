import { AsyncLocalStorage } from 'node:async_hooks'
import { Problem } from '#domain/shared/problem.ts'

type Request = { hasCommitted: boolean }

const requestStorage = new AsyncLocalStorage<Request>()

/** Notes a commit for the current request; called after every write. */
export function noteCommit(): void {
  const request = requestStorage.getStore()
  if (request) request.hasCommitted = true
}

/**
 * Runs the handler of a request. Errors of an unavailable database say that nothing was changed; if the handler fails
 * while it reads the response after its commit, that would be wrong, and a repeated request would change data twice.
 */
export async function withCommitOutcome<Answer>(handle: () => Promise<Answer>): Promise<Answer> {
  const request: Request = { hasCommitted: false }
  try {
    return await requestStorage.run(request, handle)
  } catch (error) {
    const isTemporary = error instanceof Problem && error.code === 'not-ready'
    throw request.hasCommitted && isTemporary ? responseUnreadable(error) : error
  }
}

const responseUnreadable = (cause: Problem): Problem =>
  Object.assign(
    new Problem(
      'not-ready',
      'The response couldn’t be read. Check whether the change was saved before you try again.',
      {
        retryAfterSeconds: 2,
      },
    ),
    { cause },
  )
