import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLIENT_RETRY_SECONDS, MAX_OPEN_PER_CLIENT } from '#domain/shared/admission.ts'
import { type Answer, type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

// Concurrency limits apply per client, so they don't delay other clients.

const RECORDS = '/api/collections/papers/records'
const TOO_MANY = MAX_OPEN_PER_CLIENT + 100

let app: TestApp
let owner: Caller

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
  await owner.post('/api/collections', { label: 'Papers', fields: [{ label: 'Title', kind: 'text' }] })
  const create = Array.from({ length: 1000 }, (_, at) => ({ values: { title: `Paper ${at}` } }))
  expect((await owner.post(`${RECORDS}/bulk`, { create })).status).toBe(200)
})
afterAll(() => app.close())

const times = <Made>(count: number, make: (at: number) => Made): Made[] =>
  Array.from({ length: count }, (_, at) => make(at))

const statusesOf = (answers: readonly Answer[]) =>
  [...new Set(answers.map(({ status }) => status))].sort((one, other) => one - other)

/** Sends many requests concurrently and counts those without a response. */
function askGreedily(greedy: Caller, count: number, path: string) {
  const asking = { open: count }
  const answers = times(count, () =>
    greedy.get(path).finally(() => {
      asking.open -= 1
    }),
  )
  return { asking, answers: Promise.all(answers) }
}

describe('a client that sends too many concurrent requests', () => {
  test('gets 429 with Retry-After for excess requests and normal responses to the others', async () => {
    const greedy = await app.asViewer()
    const { answers } = askGreedily(greedy, TOO_MANY, RECORDS)
    const all = await answers
    expect(statusesOf(all)).toEqual([200, 429])
    const refused = all.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(TOO_MANY - MAX_OPEN_PER_CLIENT)
    for (const { body, headers } of refused) {
      expect(body).toMatchObject({ code: 'too-many-at-once', status: 429 })
      expect(headers['retry-after']).toBe(String(CLIENT_RETRY_SECONDS))
    }
    expect((await greedy.get(RECORDS)).status).toBe(200)
  })

  test('is identified by its user across all sessions and tokens', async () => {
    const greedy = await app.asEditor()
    const made = await greedy.post('/api/tokens', { name: 'Script', scopes: ['records:read'] })
    expect(made.status).toBe(201)
    const program = app.withToken(made.body.token)
    expect((await program.get(RECORDS)).status).toBe(200)
    const open = times(MAX_OPEN_PER_CLIENT, () => greedy.get(RECORDS))
    expect((await program.get(RECORDS)).status).toBe(429)
    expect(statusesOf(await Promise.all(open))).toEqual([200])
    expect((await program.get(RECORDS)).status).toBe(200)
  })

  test('is rejected before a write starts', async () => {
    const greedy = await app.asEditor()
    const before = (await owner.get(`${RECORDS}?count=exact`)).body.total
    const answers = await Promise.all(
      times(TOO_MANY, (at) => greedy.post(RECORDS, { values: { title: `Much ${at}` } })),
    )
    const made = answers.filter(({ status }) => status === 201).length
    expect(statusesOf(answers)).toEqual([201, 429])
    expect((await owner.get(`${RECORDS}?count=exact`)).body.total).toBe(before + made)
  })

  test('is identified by IP address if it is a guest', async () => {
    const answers = await Promise.all(times(TOO_MANY, () => app.guest.get('/api/auth/providers')))
    expect(statusesOf(answers)).toEqual([200, 429])
  })

  test('never blocks monitoring requests', async () => {
    const greedy = times(TOO_MANY, () => app.guest.get('/api/auth/providers'))
    expect((await app.guest.get('/api/health')).status).toBe(200)
    expect((await app.guest.get('/api/ready')).status).toBe(200)
    await Promise.all(greedy)
  })
})

describe('a client with few requests', () => {
  test("is never rejected because of a busy client, and six of its requests finish before the busy client's last one", async () => {
    const [greedy, modest] = [await app.asViewer(), await app.asViewer()]
    const path = `${RECORDS}?perPage=50&sort=-title`
    await modest.get(path)
    const { asking, answers } = askGreedily(greedy, MAX_OPEN_PER_CLIENT, path)
    const beside: Answer[] = []
    for (let times = 0; times < 6; times += 1) beside.push(await modest.get(path))
    const stillOpen = asking.open
    expect(statusesOf([...beside, ...(await answers)])).toEqual([200])
    // With a single queue, the second client's responses would come last. Depending on thread scheduling, up to half of
    // the first client's may finish earlier.
    expect(stillOpen).toBeGreaterThan(0)
  })
})

describe('a large request', () => {
  const ask = (body: string) =>
    owner.request('POST', `${RECORDS}/bulk`, { raw: body, headers: { 'content-type': 'application/json' } })
  const manyNames = (mark: string) => times(100_000, (at) => `"name${at}${mark}`).join(',')

  test.each([
    ['as they are', manyNames('":1')],
    ['with spaces behind them', manyNames('" \n:1')],
    ['with a backslash at their end', manyNames('\\\\":1')],
    ['with a quote in them', manyNames('\\"x":1')],
  ])('of distinct names is rejected before parsing, which would block others, %s', async (_, names) => {
    const { status, body } = await ask(`{"create":[{"values":{${names}}}]}`)
    expect([status, body.code]).toEqual([413, 'too-large'])
    expect(body.detail).toContain('different property names')
  })

  test.each([
    ['lists', '[]'],
    ['objects', '{}'],
    ['numbers', '1'],
    ['texts', '"a"'],
  ])('with more %s than can be parsed quickly is rejected before parsing', async (_, value) => {
    const { status, body } = await ask(`{"create":[{"values":{"title":[${times(450_000, () => value).join(',')}]}}]}`)
    expect([status, body.code]).toEqual([413, 'too-large'])
    expect(body.detail).toContain('400,000 values')
  })

  test('is validated if it has the maximum number of values', async () => {
    const values = `{"title":[${times(390_000, () => '1').join(',')}]}`
    expect((await ask(`{"create":[{"values":${values}}]}`)).body.code).toBe('values-invalid')
    expect((await ask('{"create":[{"values":["title"]}]}')).body).toMatchObject({
      code: 'invalid-request',
      errors: [{ path: 'create.0.values', code: 'invalid-type', message: 'Must be an object.' }],
    })
  })

  test('can contain 900 records with arbitrary text', async () => {
    const title = '{"a": 1}, '.repeat(60)
    const create = times(900, (at) => ({ values: { title: `${title} "${at}": "x"` } }))
    const { status, body } = await ask(JSON.stringify({ create }))
    expect(status, body.detail).toBe(200)
  })
})

describe('a guest', () => {
  test('is rejected before parsing if it exceeds the size limit of its endpoint', async () => {
    const body = Object.fromEntries(times(200_000, (at) => [`name${at}`, at]))
    const startedAt = performance.now()
    const { status, body: said } = await app.guest.post('/api/auth/login', body)
    expect([status, said.code]).toEqual([413, 'too-large'])
    expect(performance.now() - startedAt).toBeLessThan(1000)
    const password = 'x'.repeat(50_000)
    expect((await app.guest.post('/api/auth/login', { email: 'a@example.org', password })).status).toBe(400)
  })
})
