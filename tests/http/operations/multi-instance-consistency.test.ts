import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callerOf, type Caller, openTestApp, TEST_PASSWORD, type TestApp } from '#tests/support/server/test-app.ts'
import { type TusSender, tusSender } from '#tests/support/files/tus-sender.ts'

let app: TestApp
let other: Awaited<ReturnType<TestApp['startAnother']>>

beforeAll(async () => {
  app = await openTestApp()
  other = await app.startAnother()
})
afterAll(async () => {
  await other.stop()
  await app.close()
})

describe('two servers', () => {
  test('accept a setup link printed by either server', async () => {
    const code = new URL(app.setupLink ?? '').searchParams.get('code')
    const owner = { email: 'ada@example.org', name: 'Ada', password: TEST_PASSWORD }
    const done = await callerOf(other).post('/api/setup', { ...owner, code })
    expect([done.status, done.body.code]).toEqual([201, undefined])
  })

  test('apply field changes made on the other server on the next request, for sessions and tokens', async () => {
    const here = await app.asOwner()
    const fields = [{ label: 'Title', kind: 'text' }]
    expect((await here.post('/api/collections', { label: 'Books', fields })).status).toBe(201)
    const { token } = (await here.post('/api/tokens', { name: 'T', scopes: ['records:read'] })).body
    const there = [here.token, token].map((shown) => callerOf(other, { token: shown }))
    const found = async (name: string) => {
      const requested = there.map(({ get }) => get(`/api/collections/books/records?filter=${name}%20is%20empty`))
      return (await Promise.all(requested)).map(({ status }) => status)
    }
    for (let round = 0; round < 3; round += 1) {
      await here.post('/api/collections/books/fields', { name: 'pages', label: 'Pages', kind: 'number' })
      expect(await found('pages')).toEqual([200, 200])
      await here.patch('/api/collections/books/fields/pages', { name: 'leaves' })
      expect(await found('leaves')).toEqual([200, 200])
      expect(await found('pages')).toEqual([400, 400])
      await here.delete('/api/collections/books/fields/leaves')
      expect(await found('leaves')).toEqual([400, 400])
    }
  })
})

describe('a complete upload', () => {
  let one: TusSender
  let another: TusSender
  let owner: Caller
  beforeAll(async () => {
    owner = await app.asOwner()
    await owner.post('/api/collections', { label: 'Plans', fields: [{ label: 'Files', kind: 'files' }] })
    one = tusSender(await app.listen(), owner)
    another = tusSender(await other.listen(), owner)
  })

  test('is finished only once, even if the other server receives a request in the meantime', async () => {
    const statuses = new Set<number>()
    for (let round = 0; round < 12; round += 1) {
      const bytes = randomBytes(20_000)
      const id = await one.begin({ collection: 'plans', field: 'files' }, bytes.length)
      const sent = one.patch(id, 0, bytes)
      const isOver = sent.then(() => true)
      while (!(await Promise.race([isOver, another.head(id).then(({ status }) => void statuses.add(status))])));
      expect((await sent).status).toBe(204)
      expect((await another.head(id)).headers.get('upload-offset')).toBe('20000')
    }
    expect([...statuses]).toEqual([200])
  })
})
