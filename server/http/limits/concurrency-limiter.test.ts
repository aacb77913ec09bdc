import { EventEmitter } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import type { Actor } from '#domain/access/actor.ts'
import {
  EVENT_LOOP_LAG_MS,
  EVENT_LOOP_LAG_SAMPLES,
  MAX_OPEN_PER_CLIENT,
  MAX_OPEN_TOTAL,
  OVERLOAD_RETRY_SECONDS,
} from '#domain/concurrency/admission.ts'
import { onResponseEnd, createConcurrencyLimiter } from './concurrency-limiter.ts'

const ADA: Actor = { type: 'user', userId: 'ada', sessionId: null, name: 'Ada', grants: [] }

/** A request from an address, with or without a token, and what ends its answer. */
function arrival(ip: string, authorization?: string) {
  const raw = Object.assign(new EventEmitter(), { statusCode: 200 })
  // Nothing else of either is looked at.
  const request = { ip, headers: { authorization } } as FastifyRequest
  const reply = { raw } as unknown as FastifyReply
  return {
    request,
    reply,
    end: (status = 200) => void (Object.assign(raw, { statusCode: status }), raw.emit('finish')),
  }
}

const quiet = { lateMs: () => [] }

describe('a crowd', () => {
  test('is let in until it is as large as may be, and again as answers are through', () => {
    const crowd = createConcurrencyLimiter(quiet)
    const all = Array.from({ length: MAX_OPEN_TOTAL }, (_, at) => arrival(`10.0.${at >> 8}.${at & 255}`))
    for (const { request, reply } of all) crowd.enter(request, reply)
    const late = arrival('10.9.9.9')
    const enter = () => crowd.enter(late.request, late.reply)
    expect(enter).toThrow(
      expect.objectContaining({ code: 'overloaded', details: { retryAfterSeconds: OVERLOAD_RETRY_SECONDS } }),
    )
    all[0]?.end()
    expect(enter().asker()).toBe('10.9.9.9')
  })

  test('is not let in where the server has been late again and again', () => {
    const crowd = createConcurrencyLimiter({
      lateMs: () => Array.from({ length: EVENT_LOOP_LAG_SAMPLES }, () => EVENT_LOOP_LAG_MS),
    })
    const { request, reply } = arrival('10.0.0.1')
    expect(() => crowd.enter(request, reply)).toThrow(expect.objectContaining({ code: 'overloaded' }))
  })

  test('knows somebody by a token that was theirs, whatever address they come from, until it is refused', () => {
    const crowd = createConcurrencyLimiter(quiet)
    const first = arrival('10.0.0.1', 'Bearer one')
    const visit = crowd.enter(first.request, first.reply)
    expect(visit.asker()).toBe('10.0.0.1')
    visit.isOf(ADA)
    expect(visit.asker()).toBe('ada')
    const second = arrival('10.0.0.2', 'Bearer one')
    expect(crowd.enter(second.request, second.reply).asker()).toBe('ada')
    second.end(401)
    const third = arrival('10.0.0.2', 'Bearer one')
    expect(crowd.enter(third.request, third.reply).asker()).toBe('10.0.0.2')
  })

  test('counts whoever looks as somebody else as themselves', () => {
    const crowd = createConcurrencyLimiter(quiet)
    const { request, reply } = arrival('10.0.0.1', 'Bearer one')
    const visit = crowd.enter(request, reply)
    visit.isOf({ ...ADA, seenBy: { userId: 'olga', name: 'Olga', held: [] } })
    expect(visit.asker()).toBe('olga')
  })

  test('counts an IPv6 customer once, however many addresses they have', () => {
    const crowd = createConcurrencyLimiter(quiet)
    for (let at = 0; at < MAX_OPEN_PER_CLIENT; at += 1) {
      const { request, reply } = arrival(`2001:db8:1:2::${at.toString(16)}`)
      crowd.enter(request, reply)
    }
    const more = arrival('2001:db8:1:2:ffff::1')
    expect(() => crowd.enter(more.request, more.reply)).toThrow(expect.objectContaining({ code: 'too-many-at-once' }))
    const other = arrival('2001:db8:1:3::1')
    expect(crowd.enter(other.request, other.reply).asker()).toBe('2001:db8:1:3')
  })
})

test('what is to be done once an answer is over is done at once where it is over already', () => {
  let count = 0
  const raw = Object.assign(new EventEmitter(), { destroyed: true })
  // Nothing else of it is looked at.
  onResponseEnd(raw as unknown as FastifyReply['raw'], () => (count += 1))
  expect(count).toBe(1)
  raw.emit('close')
  expect(count).toBe(1)
})
