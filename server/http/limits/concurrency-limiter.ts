import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '#domain/access/actor.ts'
import {
  CLIENT_RETRY_SECONDS,
  decideAdmission,
  EVENT_LOOP_LAG_SAMPLES,
  MAX_COST_PER_CLIENT,
  MAX_COST_TOTAL,
  OVERLOAD_RETRY_SECONDS,
} from '#domain/shared/admission.ts'
import { Problem } from '#domain/shared/problem.ts'
import { type Acquire, createFairLimiter } from '#server/platform/concurrency/fair-limiter.ts'
import { createLruMap } from '#server/platform/lru-map.ts'
import { clientAddressKey } from '#server/platform/http/client-connection.ts'

const SAMPLE_INTERVAL_MS = 500

/** Recent event-loop lag in ms, newest last. */
type EventLoopLag = { readonly lateMs: () => readonly number[]; readonly stop: () => void }

export function monitorEventLoopLag(nowMs = () => performance.now()): EventLoopLag {
  let looks: readonly number[] = []
  let expectedAt = nowMs() + SAMPLE_INTERVAL_MS
  const look = (): void => {
    const now = nowMs()
    looks = [...looks, Math.max(0, now - expectedAt)].slice(-EVENT_LOOP_LAG_SAMPLES)
    expectedAt = now + SAMPLE_INTERVAL_MS
  }
  const timer = setInterval(look, SAMPLE_INTERVAL_MS).unref()
  return { lateMs: () => looks, stop: () => clearInterval(timer) }
}

/** A request, from arrival to the last byte of its response. */
export type OpenRequest = {
  /** Identifies the client: a user across all sessions and tokens, otherwise the address. */
  readonly clientId: () => string
  /** Assigns the request to its authenticated user; throws if that user has too many open requests. */
  readonly isOf: (actor: Actor) => void
}

export type ConcurrencyLimiter = {
  /** Registers a request, or throws before processing starts. */
  readonly enter: (request: FastifyRequest, reply: FastifyReply) => OpenRequest
  /** Separate limits for processing and for transfers, so that slow clients don't block others. */
  readonly turns: { readonly work: Acquire; readonly bytes: Acquire }
}

/** Maximum cached credentials; the least recently used are evicted. */
const MAX_KNOWN_CLIENTS = 10_000

export function createConcurrencyLimiter({ lateMs }: Pick<EventLoopLag, 'lateMs'>): ConcurrencyLimiter {
  const open = createOpenRequestCounts()
  const known = createClientCache()

  function refuseWhereFull(clientId: string): void {
    const outcome = decideAdmission({ perClient: open.of(clientId), total: open.all(), lagMs: lateMs() })
    if (outcome === 'too-many-at-once') throw tooManyConcurrentRequests()
    if (outcome === 'overloaded') throw overloaded()
  }

  return {
    enter: ({ headers, ip }, { raw }) => {
      const { authorization } = headers
      let clientId = known.find(authorization) ?? clientAddressKey(ip)
      refuseWhereFull(clientId)
      open.change(clientId, 1)
      onResponseEnd(raw, () => {
        open.change(clientId, -1)
        // Stops associating a rejected credential with its previous user.
        if (raw.statusCode === 401) known.remember(authorization, undefined)
      })
      return {
        clientId: () => clientId,
        isOf: (actor) => {
          const user = actor.type === 'user' ? (actor.impersonatedBy?.userId ?? actor.userId) : undefined
          if (user === clientId) return
          known.remember(authorization, user)
          if (user === undefined) return
          refuseWhereFull(user)
          open.change(clientId, -1)
          clientId = user
          open.change(clientId, 1)
        },
      }
    },
    turns: {
      work: createFairLimiter({ perClient: MAX_COST_PER_CLIENT, total: MAX_COST_TOTAL }),
      bytes: createFairLimiter({ perClient: MAX_COST_PER_CLIENT, total: Number.POSITIVE_INFINITY }),
    },
  }
}

/** Calls `action` once, when a response ends or is aborted; immediately if it already has. */
export function onResponseEnd(raw: FastifyReply['raw'], action: () => void): void {
  let isOver = false
  const end = (): void => {
    if (isOver) return
    isOver = true
    action()
  }
  raw.once('finish', end)
  raw.once('close', end)
  if (raw.destroyed) end()
}

function createOpenRequestCounts() {
  const counts = new Map<string, number>()
  let sum = 0
  const of = (clientId: string): number => counts.get(clientId) ?? 0
  return {
    of,
    all: () => sum,
    change: (clientId: string, by: 1 | -1): void => {
      sum += by
      const now = of(clientId) + by
      if (now === 0) counts.delete(clientId)
      else counts.set(clientId, now)
    },
  }
}

/** Caches the user of each credential, so that a client can be identified before authentication. */
function createClientCache() {
  const known = createLruMap<string>(MAX_KNOWN_CLIENTS)
  return {
    find: (credential: string | undefined): string | undefined =>
      credential === undefined ? undefined : known.peek(credential),
    remember: (credential: string | undefined, user: string | undefined): void => {
      if (credential === undefined) return
      if (user === undefined) known.delete(credential)
      else known.set(credential, user)
    },
  }
}

const tooManyConcurrentRequests = (): Problem =>
  new Problem(
    'too-many-at-once',
    'Too many concurrent requests. Nothing was changed. Wait for some to finish, then try again.',
    { retryAfterSeconds: CLIENT_RETRY_SECONDS },
  )

const overloaded = (): Problem =>
  new Problem('overloaded', 'Server busy. Nothing was changed. Try again in a moment.', {
    retryAfterSeconds: OVERLOAD_RETRY_SECONDS,
  })
