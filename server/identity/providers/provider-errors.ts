import { AuthorizationResponseError, ClientError, ResponseBodyError } from 'openid-client'
import { Problem } from '#domain/shared/problem.ts'

const isServerFault = (error: Error): boolean => {
  const cause: unknown = error.cause
  return cause instanceof Response && cause.status >= 500
}

/** Whether the provider could not be reached or was not able to answer, rather than saying no. */
function isUnavailable(error: Error): boolean {
  if (error instanceof TypeError) return true
  if (!(error instanceof ClientError)) return false
  return error.code === 'OAUTH_TIMEOUT' || error.code === 'OAUTH_ABORT' || isServerFault(error)
}

/** The sentence for a provider that cannot be asked. */
export const providerUnavailable = (label: string): Problem =>
  new Problem('not-ready', `Can’t reach ${label}. Try again in a moment, or sign in another way.`)

/** What whoever signs in is told of a failure at the provider; the log knows more. */
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

/** Whether the provider refused the way in which we proved who we are; then another way may do. */
export const isClientAuthRejected = (error: Error): boolean =>
  error instanceof ResponseBodyError && error.error === 'invalid_client'

/** What is logged of a failure: words of the protocol, never a token, a code or an address with one. */
export function describeProviderFault(error: Error): { readonly [word: string]: unknown } {
  const code = 'code' in error ? error.code : undefined
  const said =
    error instanceof ResponseBodyError || error instanceof AuthorizationResponseError ? error.error : undefined
  return { type: error.name, message: error.message, code, said }
}
