import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Endpoint } from '#api/endpoint.ts'
import type { Actor } from '#domain/access/actor.ts'
import { isImpersonated } from '#domain/access/impersonation.ts'
import { REQUEST_COSTS } from '#domain/shared/admission.ts'
import { Problem } from '#domain/shared/problem.ts'
import { withCancellation } from '#server/platform/database/cancellation.ts'
import { withCommitOutcome } from '#server/platform/database/commit-outcome.ts'
import { schemaChanging, StaleSchemaError } from '#server/platform/database/database-errors.ts'
import { runAsClient } from '#server/platform/database/scheduling/read-limiter.ts'
import { disconnectSignal } from '#server/platform/http/client-connection.ts'
import { type Authenticate, authorize, READING_METHODS } from '#server/platform/http/guard.ts'
import { parseRequestPart } from '#server/platform/http/parse-request.ts'
import {
  assertFewDistinctNames,
  assertStorableJson,
  JSON_BODY_MAX_BYTES,
  OPEN_BODY_MAX_BYTES,
  readText,
  yieldBetweenLargeSteps,
} from '#server/platform/http/read-json-body.ts'
import type { Route } from '#server/platform/http/route.ts'
import { type ConcurrencyLimiter, onResponseEnd, type OpenRequest } from './limits/concurrency-limiter.ts'
import { answerFailure } from './responses/errors.ts'
import { createShaper } from './responses/shape-response.ts'

/** Maximum bytes of a rejected body that are still read, so that the client receives the response. */
export const MAX_DRAINED_BYTES = 64 * 1024 * 1024

/** Enough for 5 MB at 1 Mbit/s, with some margin. */
const MAX_DRAIN_MS = 60_000

const CHECK_INTERVAL_MS = 100

/**
 * Reads and discards the rest of a request body after an early response, within limits. Browsers read a response only
 * after sending the whole body, and would miss it if the connection were closed earlier.
 */
function drainUnreadBodies(room: FastifyInstance): void {
  room.addHook('onResponse', (request, _reply, done) => {
    if (!request.raw.complete) drain(request)
    done()
  })
}

function drain({ raw }: FastifyRequest): void {
  const { socket } = raw
  // Injected requests have no socket.
  if (!(socket instanceof Socket)) return
  const readBefore = socket.bytesRead
  const endsAtMs = performance.now() + MAX_DRAIN_MS
  // A client that disconnected may have left the body paused.
  raw.removeAllListeners('data')
  raw.removeAllListeners('readable')
  raw.on('error', () => undefined)
  raw.resume()
  const watch = setInterval(() => {
    if (raw.complete || socket.destroyed) return clearInterval(watch)
    if (socket.bytesRead - readBefore <= MAX_DRAINED_BYTES && performance.now() < endsAtMs) return
    clearInterval(watch)
    socket.destroy()
  }, CHECK_INTERVAL_MS)
  watch.unref()
}

/** Transfers take a long time but little CPU, so they have a separate limit. */
type RequestCost = { readonly of: 'work' | 'bytes'; readonly cost: number }

/** Undefined if requests to this endpoint are never queued. */
function requestCostOf({ method, body, response: answer, cost }: Endpoint): RequestCost | undefined {
  if (cost === 'none') return undefined
  const of = body === 'stream' || answer === 'raw' ? 'bytes' : 'work'
  if (cost === 'high') return { of, cost: REQUEST_COSTS.bulk }
  return { of, cost: READING_METHODS.has(method) ? REQUEST_COSTS.read : REQUEST_COSTS.write }
}

/** Accepts no body or an empty object. */
const NO_BODY = z.strictObject({}).optional()

const ACTOR = 'actor'
const OPEN_REQUEST = 'visit'
const OK = 200

function parseJsonBodies(room: FastifyInstance): void {
  const parse = room.getDefaultJsonParser('error', 'error')
  room.removeAllContentTypeParsers()
  room.addContentTypeParser('application/json', async (request: FastifyRequest, stream: Readable) => {
    const text = await readText(stream, request.routeOptions.bodyLimit)
    if (text.trim() === '') return undefined
    assertFewDistinctNames(text)
    await yieldBetweenLargeSteps(text)
    const value = await new Promise<unknown>((resolve, reject) => {
      void parse(request, text, (error, parsed: unknown) => (error ? reject(error) : resolve(parsed)))
    })
    await yieldBetweenLargeSteps(text)
    assertStorableJson(text)
    await yieldBetweenLargeSteps(text)
    return value
  })
}

function passStreamBodies(room: FastifyInstance): void {
  room.removeAllContentTypeParsers()
  room.addContentTypeParser('*', async (_request: FastifyRequest, stream: Readable) => stream)
}

function bodyOf(endpoint: Endpoint, request: FastifyRequest): unknown {
  if (endpoint.body === 'stream') return request.body ?? request.raw
  return parseRequestPart('body', endpoint.body === 'none' ? NO_BODY : endpoint.body, request.body)
}

/** Parses path parameters. Rejects U+0000, which PostgreSQL can't store. */
function paramsOf<Params>({ params }: { readonly params: z.ZodType<Params> }, request: FastifyRequest): Params {
  if (/%00/.test(request.url.split('?', 1)[0] ?? '')) throw new Problem('invalid-request', 'Invalid URL.')
  return parseRequestPart('address', params, request.params)
}

/** Sends responses that match the endpoint's schema; undeclared properties are dropped. */
function senderOf({ response: answer, status }: Endpoint): (reply: FastifyReply, said: unknown) => FastifyReply {
  if (answer === 'raw') return (reply) => reply
  if (answer === 'empty') return (reply) => reply.code(status).send()
  const shape = createShaper(answer)
  return (reply, said) =>
    reply
      // A handler can set a different status, such as 202.
      .code(reply.statusCode === OK ? status : reply.statusCode)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(shape(said)))
}

type Mounting = {
  readonly authenticate: Authenticate
  readonly forgetDefinitions: () => void
  readonly limiter: ConcurrencyLimiter
}

/** Queues an endpoint's requests under the client's concurrency limit. */
function limiterFor(endpoint: Endpoint, { turns }: ConcurrencyLimiter) {
  const weight = requestCostOf(endpoint)
  return async <Answer>(
    { request, reply }: RouteRequest,
    gone: AbortSignal,
    work: () => Promise<Answer>,
  ): Promise<Answer> => {
    const visit = request.getDecorator<OpenRequest | null>(OPEN_REQUEST)
    if (weight === undefined || visit === null) return work()
    const clientId = visit.clientId()
    const giveBack = await turns[weight.of]({ client: clientId, cost: weight.cost, gone })
    if (weight.of === 'bytes') {
      onResponseEnd(reply.raw, giveBack)
      return runAsClient(clientId, work)
    }
    return runAsClient(clientId, work).finally(giveBack)
  }
}

type RouteRequest = { readonly request: FastifyRequest; readonly reply: FastifyReply }

function mount(
  room: FastifyInstance,
  { endpoint, access, handle, retell }: Route,
  { authenticate, forgetDefinitions, limiter }: Mounting,
): void {
  const send = senderOf(endpoint)
  const inTurn = limiterFor(endpoint, limiter)
  room.route({
    method: endpoint.method,
    url: endpoint.path,
    bodyLimit: access.type === 'open' ? OPEN_BODY_MAX_BYTES : JSON_BODY_MAX_BYTES,
    ...(retell && { errorHandler: (error, request, reply) => void answerFailure(error, request, reply, retell) }),
    onRequest: async (request, reply) => {
      const visit = endpoint.cost === 'none' ? null : limiter.enter(request, reply)
      request.setDecorator(OPEN_REQUEST, visit)
      const actor = await runAsClient(visit?.clientId() ?? '', () => authorize(access, authenticate, request))
      visit?.isOf(actor)
      request.setDecorator(ACTOR, actor)
    },
    onSend: (request, reply, _payload, done) => {
      const actor = request.getDecorator<Actor | null>(ACTOR)
      // Responses to an impersonated session must not be reused from a cache after it ends.
      if (actor !== null && isImpersonated(actor)) reply.header('cache-control', 'no-store')
      done()
    },
    handler: async (request, reply) => {
      const params = paramsOf(endpoint, request)
      const query = parseRequestPart('query', endpoint.query, request.query)
      const body = bodyOf(endpoint, request)
      const actor = request.getDecorator<Actor>(ACTOR)
      const requested = { actor, params, query, body, request, reply }
      const gone = disconnectSignal(reply)
      const read = () =>
        retryStaleRead(() => handle(requested), { forget: forgetDefinitions, isUnsaid: () => !reply.raw.headersSent })
      const work =
        endpoint.method === 'GET'
          ? () => withCancellation(gone, read)
          : () => withCommitOutcome(() => handle(requested))
      return send(reply, await inTurn(requested, gone, work))
    },
  })
}

/** Mounts all routes: JSON bodies in one Fastify context, streamed bodies in another. */
export function mountRoutes(app: FastifyInstance, routes: readonly Route[], mounting: Mounting): void {
  app.decorateRequest(ACTOR, null)
  app.decorateRequest(OPEN_REQUEST, null)
  const isStream = ({ endpoint }: Route): boolean => endpoint.body === 'stream'
  app.register(async (room) => {
    parseJsonBodies(room)
    for (const one of routes.filter((each) => !isStream(each))) mount(room, one, mounting)
  })
  app.register(async (room) => {
    passStreamBodies(room)
    drainUnreadBodies(room)
    for (const one of routes.filter(isStream)) mount(room, one, mounting)
  })
}

const MAX_ATTEMPTS = 3

type RetryOptions = {
  /** Clears the cached definitions. */
  readonly forget: () => void
  /** Whether the response hasn't started yet. */
  readonly isUnsaid: () => boolean
}

/** Retries a read if a field or collection was deleted between planning and reading. */
async function retryStaleRead<Answer>(
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
