import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

const HOURS = 60 * 60 * 1000

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const makeToken = { name: 'Script', scopes: ['records:read'] }

test("setting the clock back doesn't extend re-authentication", async () => {
  const owner = await app.asOwner()
  expect((await owner.post('/api/tokens', makeToken)).status).toBe(201)
  app.clock.move(-5 * HOURS)
  expect((await owner.post('/api/tokens', makeToken)).body.code).toBe('step-up-needed')
})

test('records created after the clock is set back sort after earlier ones', async () => {
  const owner = await app.asOwner()
  await owner.post('/api/collections', { label: 'Notes', fields: [{ label: 'Title', kind: 'text' }] })
  const make = async (title: string): Promise<void> => {
    const made = await owner.post('/api/collections/notes/records', { values: { title } })
    expect(made.status).toBe(201)
  }
  for (const title of ['1', '2']) await make(title)
  const first = await owner.get('/api/collections/notes/records?sort=id&perPage=1')
  app.clock.move(-3 * HOURS)
  for (const title of ['3', '4']) await make(title)
  const titles: string[] = [first.body.items[0].values.title]
  for (let cursor = first.body.nextCursor; cursor; ) {
    const { body } = await owner.get(
      `/api/collections/notes/records?sort=id&perPage=1&cursor=${encodeURIComponent(cursor)}`,
    )
    titles.push(body.items[0].values.title)
    cursor = body.nextCursor
  }
  expect(titles).toEqual(['1', '2', '3', '4'])
})
