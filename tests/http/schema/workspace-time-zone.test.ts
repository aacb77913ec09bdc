import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

// Grants, rules and guards use the workspace's time zone, whatever time zone a request specifies.

const ZONE = '/api/workspace/time-zone'
const NEWS = '/api/collections/news'
/** It is already the 25th in Kiritimati and still the 23rd in Pago Pago. */
const NOW = '2026-10-24T10:30:00.000Z'
const [EARLY, LATE] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago']

let app: TestApp
let owner: Caller
let collection = ''
let reader: Caller
let fields: Readonly<Record<string, string>>

beforeAll(async () => {
  app = await openTestApp()
  app.clock.set(NOW)
  owner = await app.asOwner()
  const made = await owner.post('/api/collections', {
    label: 'News',
    fields: [
      { label: 'Title', kind: 'text' },
      { label: 'Day', kind: 'date' },
      { label: 'At', kind: 'date-time' },
      { label: 'State', kind: 'state', options: { choices: [{ name: 'draft' }, { name: 'out' }] } },
    ],
  })
  expect(made.status, made.text).toBe(201)
  collection = made.body.id
  fields = Object.fromEntries(made.body.fields.map(({ name, id }: { name: string; id: string }) => [name, id]))
  for (const day of ['2026-10-23', '2026-10-24', '2026-10-25']) {
    const values = { title: day, day, at: `${day}T12:00:00.000Z` }
    expect((await owner.post(`${NEWS}/records`, { values })).status).toBe(201)
  }
  const where = { field: fields['day'] ?? '', op: '<=', value: { marker: '@today' } } as const
  reader = await app.asGranted([
    { permission: 'records:read', collection, where },
    { permission: 'records:export', collection },
  ] satisfies Grant[])
})
beforeEach(async () => {
  expect((await owner.patch(ZONE, { timeZone: 'UTC' })).status).toBe(200)
})
afterAll(() => app.close())

const titles = async (who: Caller, headers: Record<string, string> = {}, query = ''): Promise<readonly string[]> => {
  const { body, text, status } = await who.get(`${NEWS}/records${query}`, headers)
  expect(status, text).toBe(200)
  return body.items.map(({ values }: { values: { title: string } }) => values.title)
}

describe('a grant with a condition on @today', () => {
  test("ignores the request's time zone", async () => {
    const open = ['2026-10-23', '2026-10-24']
    for (const zone of [EARLY, LATE, 'Asia/Tokyo', 'utc']) {
      expect(await titles(reader, { 'time-zone': zone }), zone).toEqual(open)
    }
    const all = (await owner.get(`${NEWS}/records`)).body.items
    const hidden = all.find(({ values }: { values: { title: string } }) => values.title === '2026-10-25').id
    const headers = { 'time-zone': EARLY }
    expect((await reader.get(`${NEWS}/records/${hidden}`, headers)).status).toBe(404)
    for (const each of ['export.csv', 'groups?by=title', 'records?search=2026', 'sums?aggregates=max(day)']) {
      expect((await reader.get(`${NEWS}/${each}`, headers)).text, each).not.toContain('2026-10-25')
    }
    expect((await reader.get('/api/search?q=2026', headers)).text).not.toContain('2026-10-25')
  })

  test('uses a changed workspace time zone starting with the next request', async () => {
    expect((await owner.patch(ZONE, { timeZone: EARLY })).body).toEqual({ timeZone: EARLY })
    expect(await titles(reader, { 'time-zone': LATE })).toEqual(['2026-10-23', '2026-10-24', '2026-10-25'])
    expect((await owner.patch(ZONE, { timeZone: LATE })).status).toBe(200)
    expect(await titles(reader, { 'time-zone': EARLY })).toEqual(['2026-10-23'])
  })

  test("doesn't affect filters, which use the time zone of the request", async () => {
    const query = `?filter=${encodeURIComponent('day = @today')}`
    expect(await titles(owner, { 'time-zone': EARLY }, query)).toEqual(['2026-10-25'])
    expect(await titles(owner, { 'time-zone': LATE }, query)).toEqual(['2026-10-23'])
  })

  test('uses the date in the workspace time zone as a default value', async () => {
    const maker = await app.asGranted([
      { permission: 'records:read', collection },
      { permission: 'records:create', collection, presets: { [fields['day'] ?? '']: { marker: '@today' } } },
    ])
    const made = await maker.post(`${NEWS}/records`, { values: { title: 'New' } }, { 'time-zone': EARLY })
    expect(made.body.values.day).toBe('2026-10-24')
    expect((await owner.delete(`${NEWS}/records/${made.body.id}`)).status).toBe(204)
  })
})

describe('a validation rule and a guard with @today', () => {
  test('ignore the time zone of the request', async () => {
    const rules = [{ then: 'day <= @today', message: 'No news of tomorrow.' }]
    const saved = await owner.patch(NEWS, { rules })
    expect(saved.status, saved.text).toBe(200)
    expect((await owner.get(NEWS)).body.timeZone).toBe('UTC')
    const values = { title: 'Tomorrow', day: '2026-10-25' }
    expect((await owner.post(`${NEWS}/records`, { values }, { 'time-zone': EARLY })).status).toBe(422)
    const today = { title: 'Today', day: '2026-10-24' }
    const made = await owner.post(`${NEWS}/records`, { values: today }, { 'time-zone': LATE })
    expect(made.status, made.text).toBe(201)
    expect((await owner.patch(NEWS, { rules: [] })).status).toBe(200)

    const state = made.body.id && (await owner.get(NEWS)).body.fields.at(-1)
    const [from, to] = state.options.choices.map(({ id }: { id: string }) => id)
    const workflow = { transitions: [{ name: 'Publish', from, to, when: 'day < @today' }] }
    const kept = await owner.patch(NEWS, { workflow })
    expect(kept.status, kept.text).toBe(200)
    const path = `${NEWS}/records/${made.body.id}/transitions`
    for (const zone of [EARLY, LATE]) {
      expect((await owner.get(path, { 'time-zone': zone })).body.items, zone).toEqual([])
      expect((await owner.post(path, { to: 'out' }, { 'time-zone': zone })).status, zone).toBe(422)
    }
    expect((await owner.patch(NEWS, { workflow: null })).status).toBe(200)
  })
})

describe('the workspace time zone', () => {
  test('is readable by all users, but can be changed only by owners', async () => {
    expect((await reader.get(ZONE)).body).toEqual({ timeZone: 'UTC' })
    const manager = await app.asGranted([{ permission: 'workspace:manage', collection: null }])
    expect((await manager.patch(ZONE, { timeZone: EARLY })).status).toBe(403)
    expect((await reader.patch(ZONE, { timeZone: EARLY })).status).toBe(403)
    const [entry] = (await owner.get('/api/audit')).body.items
    expect((await owner.patch(ZONE, { timeZone: 'europe/vienna' })).body).toEqual({ timeZone: 'Europe/Vienna' })
    const [last] = (await owner.get('/api/audit')).body.items
    expect(last.id).not.toBe(entry.id)
    expect(last).toMatchObject({ kind: 'time-zone-changed', details: { before: 'UTC', after: 'Europe/Vienna' } })
  })

  test.each(['Middle/Earth', '+02:00', '', 'x'.repeat(100)])("can't be “%s”", async (timeZone) => {
    const refused = await owner.patch(ZONE, { timeZone })
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect(refused.status).toBeLessThan(500)
    expect((await owner.get(ZONE)).body).toEqual({ timeZone: 'UTC' })
  })

  test("can't be changed if a policy example would fail", async () => {
    const grants = [{ permission: 'records:read', collection, where: 'day <= @today' }]
    const policy = await owner.post('/api/policies', { name: 'Out', grants })
    const role = await owner.post('/api/roles', { name: 'Out', policies: [policy.body.id] })
    const all = (await owner.get(`${NEWS}/records`)).body.items
    const record = all.find(({ values }: { values: { title: string } }) => values.title === '2026-10-25').id
    const example = { who: { role: role.body.id }, may: false, permission: 'records:read', collection, record }
    expect((await owner.patch(`/api/policies/${policy.body.id}`, { examples: [example] })).status).toBe(200)
    const refused = await owner.patch(ZONE, { timeZone: EARLY })
    expect([refused.status, refused.body.code]).toEqual([422, 'example-broken'])
    expect(refused.body.detail).toContain('Out')
    expect((await owner.get(ZONE)).body).toEqual({ timeZone: 'UTC' })
    expect((await owner.patch(ZONE, { timeZone: LATE })).status).toBe(200)
  })
})
