import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type DestinationStream, type Logger, pino } from 'pino'
import { actorOfRequest } from './guard.ts'

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'

/** Selects the error properties to log; others can contain record values. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error }
  const code = 'code' in error ? error.code : undefined
  const cause = error.cause === undefined ? undefined : describeError(error.cause)
  return { type: error.name, message: error.message, code, stack: error.stack, cause }
}

/** Writes JSON lines to standard output. Must never receive whole requests or responses. */
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

/** Successful reads are frequent and rarely of interest. */
function levelOf(request: FastifyRequest, reply: FastifyReply): LineLevel {
  if (reply.statusCode >= 500) return 'error'
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  return isRead && reply.statusCode < 400 ? 'debug' : 'info'
}

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
 * Logs one line per response, with the path but not the query string, which can contain signatures, codes and search
 * terms.
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
