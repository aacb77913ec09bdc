import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client'
import { Problem } from '#domain/shared/problem.ts'
import { fail, ok, type Result } from '#domain/shared/result.ts'

const isServerFault = (error: Error): boolean => {
  const cause: unknown = error.cause
  return cause instanceof Response && cause.status >= 500
}

/** Whether the provider was unreachable or failed to respond, rather than rejecting the request. */
function isUnavailable(error: Error): boolean {
  if (error instanceof TypeError) return true
  if (!(error instanceof ClientError)) return false
  return error.code === 'OAUTH_TIMEOUT' || error.code === 'OAUTH_ABORT' || isServerFault(error)
}

export const providerUnavailable = (label: string): Problem =>
  new Problem('not-ready', `Can’t reach ${label}. Try again in a moment, or sign in another way.`)

/** The Problem that the user sees for a provider failure; the log has more details. */
export function providerProblem(label: string, error: Error): Problem {
  if (error instanceof AuthorizationResponseError) {
    return new Problem('login-refused', `${label} denied access, or you canceled. Start again.`)
  }
  if (isUnavailable(error)) return providerUnavailable(label)
  return new Problem(
    'login-refused',
    `The response from ${label} couldn’t be verified, so you weren’t signed in. Start again. If it happens again, contact your administrator.`,
  )
}

/** Whether the provider rejected our client authentication method; another method may work. */
export const isClientAuthRejected = (error: Error): boolean =>
  error instanceof ResponseBodyError && error.error === 'invalid_client'

/** Failure details for the log: protocol error codes, but never tokens, authorization codes or addresses. */
export function describeProviderFault(error: Error): { readonly [word: string]: unknown } {
  const code = 'code' in error ? error.code : undefined
  const said =
    error instanceof ResponseBodyError || error instanceof AuthorizationResponseError ? error.error : undefined
  return { type: error.name, message: error.message, code, said }
}

export const callProvider = <Answer>(requested: Promise<Answer>): Promise<Result<Answer, Error>> =>
  requested.then(
    (answer) => ok(answer),
    (error: unknown) => fail(error instanceof Error ? error : new Error(String(error))),
  )
