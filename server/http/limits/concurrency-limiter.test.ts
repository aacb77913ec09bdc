import { EventEmitter } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Actor } from '#domain/access/actor.ts'
import {
  EVENT_LOOP_LAG_MS,
  EVENT_LOOP_LAG_SAMPLES,
  MAX_OPEN_PER_CLIENT,
  MAX_OPEN_TOTAL,
  OVERLOAD_RETRY_SECONDS,
} from '#domain/shared/admission.ts'
import { createConcurrencyLimiter, monitorEventLoopLag, onResponseEnd } from './concurrency-limiter.ts'

const ADA: Actor = { type: 'user', userId: 'ada', sessionId: null, name: 'Ada', grants: [] }

/** A request from an address, optionally with a token, and a function that ends it. */
function arrival(ip: string, authorization?: string) {
  const raw = Object.assign(new EventEmitter(), { statusCode: 200 })
  // The limiter uses only these properties of the request and the reply.
  const request = { ip, headers: { authorization } } as FastifyRequest
  const reply = { raw } as unknown as FastifyReply
  return {
    request,
    reply,
    end: (status = 200) => void (Object.assign(raw, { statusCode: status }), raw.emit('finish')),
  }
}

const quiet = { lateMs: () => [] }

describe('concurrent requests', () => {
  test("are rejected at the client's limit, and accepted again after responses are sent", () => {
    const limiter = createConcurrencyLimiter(quiet)
    const all = Array.from({ length: MAX_OPEN_TOTAL }, (_, at) => arrival(`10.0.${at >> 8}.${at & 255}`))
    for (const { request, reply } of all) limiter.enter(request, reply)
    const late = arrival('10.9.9.9')
    const enter = () => limiter.enter(late.request, late.reply)
    expect(enter).toThrow(
      expect.objectContaining({ code: 'overloaded', details: { retryAfterSeconds: OVERLOAD_RETRY_SECONDS } }),
    )
    all[0]?.end()
    expect(enter().clientId()).toBe('10.9.9.9')
  })

  test('are rejected after repeated event-loop lag', () => {
    const limiter = createConcurrencyLimiter({
      lateMs: () => Array.from({ length: EVENT_LOOP_LAG_SAMPLES }, () => EVENT_LOOP_LAG_MS),
    })
    const { request, reply } = arrival('10.0.0.1')
    expect(() => limiter.enter(request, reply)).toThrow(expect.objectContaining({ code: 'overloaded' }))
  })

  test('are counted per token, regardless of the address, until the token is rejected', () => {
    const limiter = createConcurrencyLimiter(quiet)
    const first = arrival('10.0.0.1', 'Bearer one')
    const visit = limiter.enter(first.request, first.reply)
    expect(visit.clientId()).toBe('10.0.0.1')
    visit.isOf(ADA)
    expect(visit.clientId()).toBe('ada')
    const second = arrival('10.0.0.2', 'Bearer one')
    expect(limiter.enter(second.request, second.reply).clientId()).toBe('ada')
    second.end(401)
    const third = arrival('10.0.0.2', 'Bearer one')
    expect(limiter.enter(third.request, third.reply).clientId()).toBe('10.0.0.2')
  })

  test('are counted for the impersonating user during impersonation', () => {
    const limiter = createConcurrencyLimiter(quiet)
    const { request, reply } = arrival('10.0.0.1', 'Bearer one')
    const visit = limiter.enter(request, reply)
    visit.isOf({ ...ADA, impersonatedBy: { userId: 'olga', name: 'Olga', permissions: [] } })
    expect(visit.clientId()).toBe('olga')
  })

  test('are counted together for all addresses of one IPv6 network', () => {
    const limiter = createConcurrencyLimiter(quiet)
    for (let at = 0; at < MAX_OPEN_PER_CLIENT; at += 1) {
      const { request, reply } = arrival(`2001:db8:1:2::${at.toString(16)}`)
      limiter.enter(request, reply)
    }
    const more = arrival('2001:db8:1:2:ffff::1')
    expect(() => limiter.enter(more.request, more.reply)).toThrow(expect.objectContaining({ code: 'too-many-at-once' }))
    const other = arrival('2001:db8:1:3::1')
    expect(limiter.enter(other.request, other.reply).clientId()).toBe('2001:db8:1:3')
  })
})

test('runs the callback immediately if the response has already ended', () => {
  let count = 0
  const raw = Object.assign(new EventEmitter(), { destroyed: true })
  // Only these members of the reply are used.
  onResponseEnd(raw as unknown as FastifyReply['raw'], () => (count += 1))
  expect(count).toBe(1)
  raw.emit('close')
  expect(count).toBe(1)
})

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('reports the latest event-loop lag last', () => {
  let nowMs = 0
  const looks = monitorEventLoopLag(() => nowMs)
  const passes = (ms: number): void => {
    nowMs += ms
    vi.advanceTimersToNextTimer()
  }
  expect(looks.lateMs()).toEqual([])
  for (const ms of [500, 3500, 500, 600]) passes(ms)
  expect(looks.lateMs()).toEqual([3000, 0, 100])
  looks.stop()
  expect(vi.getTimerCount()).toBe(0)
})
