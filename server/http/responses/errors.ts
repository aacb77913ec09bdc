import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ProblemBody } from '#api/endpoint.ts'
import { MAX_REPORTED, Problem, type ProblemCode } from '#domain/shared/problem.ts'
import { toDiskProblem } from '#server/platform/storage/disk/file-system.ts'
import { tokenProblemOf } from '#server/platform/http/guard.ts'
import type { MapProblem } from '#server/platform/http/route.ts'

/** Derives a short title from the code; the web app has longer ones. */
function titleOf(code: ProblemCode): string {
  const words = code.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const FASTIFY_PROBLEMS: { readonly [code: string]: readonly [ProblemCode, string] } = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['wrong-content-type', 'Send the body as application/json.'],
  FST_ERR_CTP_INVALID_JSON_BODY: [
    'invalid-request',
    'The body is not valid JSON, or has a key named “__proto__”. Nothing was changed.',
  ],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['invalid-request', 'The body is empty.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['invalid-request', 'The body length doesn’t match Content-Length.'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['too-large', 'The request is too large. Nothing was changed.'],
  FST_ERR_BAD_URL: ['invalid-request', 'Invalid URL.'],
  FST_ERR_MAX_PARAM_LENGTH: ['not-found', 'Not found: there is nothing at this URL.'],
  FST_STATIC_FORBIDDEN_PATH: ['not-found', 'Not found: there is nothing at this URL.'],
}

const isClientDisconnect = (error: Error): boolean =>
  'code' in error && (error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')

function problemOf(error: Error): Problem | undefined {
  if (error instanceof Problem) return error
  if (isClientDisconnect(error))
    return new Problem('invalid-request', 'The connection closed before the request was complete.')
  const known = 'code' in error && typeof error.code === 'string' ? FASTIFY_PROBLEMS[error.code] : undefined
  return known ? new Problem(known[0], known[1]) : toDiskProblem(error)
}

const internalError = (): Problem =>
  new Problem(
    'internal-error',
    'Internal server error. Try again. If it happens again, give the request ID to your administrator.',
  )

/** For endpoints open to guests: if a token was sent but rejected, reports why. */
function withTokenProblem(problem: Problem, request: FastifyRequest): Problem {
  return problem.code === 'token-missing' ? (tokenProblemOf(request) ?? problem) : problem
}

export const bodyOfProblem = (problem: Problem, requestId: string): ProblemBody => ({
  ...problem.details.extra,
  code: problem.code,
  title: titleOf(problem.code),
  status: problem.status,
  detail: problem.message,
  ...(problem.details.errors ? { errors: problem.details.errors.slice(0, MAX_REPORTED) } : {}),
  requestId,
})

/** Sends `application/problem+json`. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer')
  const { retryAfterSeconds } = problem.details
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  // The failed handler may have set headers for a successful response.
  for (const header of ['etag', 'content-length', 'content-disposition', 'content-encoding']) reply.removeHeader(header)
  return reply
    .code(problem.status)
    .header('cache-control', 'no-store')
    .type('application/problem+json; charset=utf-8')
    .send(JSON.stringify(bodyOfProblem(problem, request.id)))
}

/** Sends a problem unchanged, and any other error as 500 with the cause only in the log. */
export function answerFailure(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  retell: MapProblem = (problem) => problem,
): FastifyReply {
  const failure = error instanceof Error ? error : new Error(`A non-error value was thrown: ${typeof error}`)
  const problem = problemOf(failure)
  const isUnread = problem?.code === 'not-ready' && reply.raw.destroyed
  if ((problem === undefined || problem.status >= 500) && !isUnread)
    request.log.error({ err: failure }, 'request failed')
  return sendProblem(
    request,
    reply,
    retell(problem === undefined ? internalError() : withTokenProblem(problem, request)),
  )
}

export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => answerFailure(error, request, reply))
}
