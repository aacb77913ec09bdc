import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type TestApp, openTestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let owner: Caller

const VIENNA = { 'time-zone': 'Europe/Vienna' }
const AUCKLAND = { 'time-zone': 'Pacific/Auckland' }

beforeAll(async () => {
  app = await openTestApp()
  app.clock.set('2026-10-24T22:30:00.000Z')
  owner = await app.asOwner()
  await owner.post('/api/collections', {
    label: 'Calls',
    fields: [
      { name: 'title', label: 'Title', kind: 'text' },
      { name: 'dueOn', label: 'Due on', kind: 'date' },
      { name: 'calledAt', label: 'Called at', kind: 'date-time' },
    ],
  })
  await owner.post('/api/collections/calls/records/bulk', {
    create: [
      ['a', '2026-10-24', '2026-10-24T21:59:59.999Z'],
      ['b', '2026-10-25', '2026-10-24T22:00:00.000Z'],
      ['c', '2026-10-25', '2026-10-25T00:30:00.000Z'],
      ['d', '2026-10-26', '2026-10-25T22:59:59.999Z'],
      ['e', '2026-10-26', '2026-10-25T23:00:00.000Z'],
    ].map(([title, dueOn, calledAt]) => ({ values: { title, dueOn, calledAt } })),
  })
})
afterAll(() => app.close())

const query = (path: string, parts: Record<string, string>) =>
  `/api/collections/calls/${path}?${new URLSearchParams(parts)}`

async function found(filter: string, headers?: Record<string, string>): Promise<string> {
  const { body } = await owner.get(query('records', { filter }), headers)
  return body.items.map((item: { values: { title: string } }) => item.values.title).join('')
}

describe('today', () => {
  test('@today is the date in the time zone of the request, or otherwise in UTC', async () => {
    expect(await found('dueOn = @today')).toBe('a')
    expect(await found('dueOn = @today', VIENNA)).toBe('bc')
    expect(await found('dueOn = @today+1d', VIENNA)).toBe('de')
    expect(await found('dueOn = @today-1d', { 'time-zone': 'America/New_York' })).toBe('')
  })

  test('@today lasts 25 hours on the day when clocks are set back', async () => {
    expect(await found('calledAt = @today', VIENNA)).toBe('bcd')
    expect(await found('calledAt = "2026-10-25"', VIENNA)).toBe('bcd')
    expect(await found('calledAt > @today', VIENNA)).toBe('e')
    // In Auckland, it is noon on the 25th; that day started at 11:00 UTC on the 24th.
    expect(await found('calledAt = @today', AUCKLAND)).toBe('abc')
  })

  test('@today has the same date in groups and exports', async () => {
    const groups = await owner.get(query('groups', { by: 'dueOn', filter: 'calledAt = @today' }), VIENNA)
    expect(groups.body.groups.map((group: { count: number }) => group.count)).toEqual([2, 1])
    const csv = await owner.get(query('export.csv', { filter: 'calledAt = @today', fields: 'title' }), VIENNA)
    expect(csv.text.trim().split('\r\n').slice(1).join('')).toBe('bcd')
  })

  test("@today doesn't change while paging, even after midnight", async () => {
    const requested = { filter: 'calledAt = @today', perPage: '2' }
    const first = await owner.get(query('records', requested), VIENNA)
    app.clock.set('2026-10-26T00:30:00.000Z')
    const late = await app.asOwner()
    const rest = await late.get(query('records', { ...requested, cursor: first.body.nextCursor }), VIENNA)
    expect(rest.body.items.map((item: { values: { title: string } }) => item.values.title)).toEqual(['d'])
    const elsewhere = await late.get(query('records', { ...requested, cursor: first.body.nextCursor }), AUCKLAND)
    expect(elsewhere).toMatchObject({ status: 400, body: { code: 'invalid-cursor' } })
    app.clock.set('2026-10-24T22:30:00.000Z')
  })
})

describe('the time zone of a request', () => {
  test('is rejected by name if it is unknown', async () => {
    for (const zone of ['Middle/Earth', '+02:00', '']) {
      const answer = await owner.get(query('records', {}), { 'time-zone': zone })
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'time-zone-unknown', errors: [{ path: 'Time-Zone', code: 'time-zone-unknown' }] },
      })
      expect(answer.body.detail).toContain(`“${zone}”`)
    }
  })

  test('is recognized regardless of case', async () => {
    expect(await found('dueOn = @today', { 'time-zone': 'eUROPE/vIENNA' })).toBe('bc')
  })

  test('is ignored before sign-in', async () => {
    expect(await app.guest.get('/api/health', { 'time-zone': 'Middle/Earth' })).toMatchObject({ status: 200 })
  })
})
