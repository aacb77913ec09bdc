import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type DestinationStream, type Logger, pino } from 'pino'
import { actorOfRequest } from './guard.ts'

/** How much is logged; `silent` is for tests. */
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

/** What of an error is written down: never its other members, which may hold values of records. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = 'code' in error ? error.code : undefined
  const cause = error.cause === undefined ? undefined : describeError(error.cause)
  return { type: error.name, message: error.message, code, stack: error.stack, cause }
}

/** The logger: JSON lines on standard output. Requests and answers are never handed to it as they are. */
export function openLog(level: LogLevel, destination: DestinationStream = pino.destination(1)): Logger {
  return pino(
    {
      level,
      base: null,
      formatters: { level: (name) => ({ level: name }) },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
    },
    destination,
  )
}

type LineLevel = 'error' | 'info' | 'debug'

/** Reads that went well are many and tell little. */
function levelOf(request: FastifyRequest, reply: FastifyReply): LineLevel {
  if (reply.statusCode >= 500) return 'error'
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  return isRead && reply.statusCode < 400 ? 'debug' : 'info'
}

/** Who asked, by their ids: the user, the token that stands for them, and who looks as them. */
function idsOf(request: FastifyRequest): { readonly [name: string]: string } {
  const actor = actorOfRequest(request)
  if (actor?.type !== 'user') return {}
  return {
    user: actor.userId,
    ...(actor.tokenId !== undefined && { token: actor.tokenId }),
    ...(actor.impersonatedBy !== undefined && { seenBy: actor.impersonatedBy.userId }),
  }
}

/**
 * One line for each answered request: what was asked, by whom, the answer, the time. Of the address only the path: queries may
 * carry signatures, codes and what people search for. No bodies, no headers.
 */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    const line = {
      method: request.method,
      path: request.url.split('?', 1)[0],
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      address: request.ip,
      ...idsOf(request),
    }
    request.log[levelOf(request, reply)](line, 'answered')
  })
}
