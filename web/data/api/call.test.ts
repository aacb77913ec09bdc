import { expect, test } from 'vitest'
import { listRecords } from '#api/records.ts'
import { buildUrl, createCaller } from './call.ts'
import type { HttpRequest } from './send-request.ts'
import { createSessionState } from '#web/data/session/session-state.ts'

test('path parameters are escaped, and undefined query parameters are omitted', () => {
  const params = { collection: 'a/b' }
  const query = { filter: 'x = "1&2"', page: '2', sort: undefined }
  expect(buildUrl(listRecords, { params, query })).toBe(
    '/api/collections/a%2Fb/records?filter=x+%3D+%221%262%22&page=2',
  )
})

test('a call can override the time zone of the browser', async () => {
  const state = createSessionState()
  state.reset(null)
  state.keepToken(state.epoch(), { value: 'token', expiresAtMs: 3_600_000, sessionId: 's' })
  const zones: (string | undefined)[] = []
  const { call } = createCaller({
    state,
    exchange: async ({ headers }: HttpRequest) => {
      zones.push(headers?.['time-zone'])
      return { ok: true, body: undefined }
    },
    refresh: async () => 'refused',
    now: () => 0,
    onOtherUser: () => undefined,
    calendar: { headers: () => ({ 'time-zone': 'Asia/Tokyo' }), giveUp: () => false },
  })
  await call(listRecords, { params: { collection: 'a' } })
  await call(listRecords, { params: { collection: 'a' }, timeZone: 'Europe/Vienna' })
  expect(zones).toEqual(['Asia/Tokyo', 'Europe/Vienna'])
})
