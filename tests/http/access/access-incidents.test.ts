import { createServer } from 'node:http'
import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import { MAX_AGGREGATES, MAX_COMPARISONS, MAX_FILTER_DEPTH } from '#domain/query/query-limits.ts'
import { currentActor } from '#server/identity/users/current-actor.ts'
import { createRightsResolver } from '#server/access/rights/rights.ts'
import { createAccessRulesCache } from '#server/access/rights/access-rules-cache.ts'
import { startIdentityProvider, type TestIdentityProvider } from '#tests/support/identity/identity-provider.ts'
import { type Answer, type Caller, openTestApp, TEST_PASSWORD, type TestApp } from '#tests/support/server/test-app.ts'
import { tusSender } from '#tests/support/files/tus-sender.ts'

// Classes of attacks known from other products, each attempted against this server.

const PEOPLE = '/api/collections/people'
const RECORDS = `${PEOPLE}/records`
const OWN_PAGE = { 'x-requested-with': 'dossier', origin: 'http://localhost:4100', 'sec-fetch-site': 'same-origin' }

let app: TestApp
let url: string
let provider: TestIdentityProvider
let owner: Caller
/** A user who can read people in the north, except their salary. */
let ana: Caller
let people: string
let field: Readonly<Record<string, string>>
let north = ''
let south = ''
let photo = ''

const codeOf = ({ status, body }: Answer): string => `${status} ${body?.code ?? ''}`.trim()
const reading = (part: Partial<Grant>): Grant => ({ permission: 'records:read', collection: people, ...part })

beforeAll(async () => {
  provider = await startIdentityProvider('acme', 'http://localhost:4100/callback')
  app = await openTestApp({ config: { oidcProviders: [provider.settings] } })
  url = await app.listen()
  owner = await app.asOwner()
  const made = await owner.post('/api/collections', {
    label: 'People',
    fields: [
      { label: 'Name', kind: 'text' },
      { label: 'Region', kind: 'text' },
      { label: 'Salary', kind: 'number' },
      { label: 'Notes', kind: 'rich-text' },
      { label: 'Photo', kind: 'files' },
    ],
  })
  people = made.body.id
  const boss = await owner.post(`${PEOPLE}/fields`, {
    label: 'Boss',
    kind: 'relation',
    options: { collection: people },
  })
  expect(boss.status, boss.text).toBe(201)
  const { body } = await owner.get(PEOPLE)
  field = Object.fromEntries(body.fields.map(({ name, id }: { name: string; id: string }) => [name, id]))
  photo = await tusSender(url, owner).send({ collection: 'people', field: 'photo' }, Buffer.from('a picture'), 'a.txt')
  const make = async (values: object) => (await owner.post(RECORDS, { values })).body.id
  south = await make({ name: 'Sue', region: 'South', salary: 900, photo: [photo] })
  north = await make({ name: 'Nora', region: 'North', salary: 500, boss: south })
  const where = { field: field['region'] ?? '', op: '=', value: 'North' } as const
  const fields = { except: [field['salary'] ?? ''] }
  ana = await app.asGranted([
    reading({ where, fields }),
    { ...reading({ where, fields }), permission: 'records:update' },
    { ...reading({ where }), permission: 'records:delete' },
  ])
})
afterAll(async () => {
  await app.close()
  await provider.goAway()
})

describe('an access path without a permission check', () => {
  test('never leads to a hidden record', async () => {
    const target = `${RECORDS}/${south}`
    const said = [
      await ana.get(target),
      await ana.patch(target, { values: { name: 'x' } }),
      await ana.delete(target),
      await ana.get(`${target}/transitions`),
      await ana.get(`/api/files/${photo}`),
    ]
    expect(said.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
    const lists = ['records', 'records?search=Sue', 'records?expand=boss', 'groups?by=name', 'sums?aggregates=count']
    for (const list of lists) expect((await ana.get(`${PEOPLE}/${list}`)).text, list).not.toMatch(/Sue|South|"900"/)
    expect((await ana.get('/api/search?q=Sue')).text).not.toContain('Sue ')
    for (const body of [{ delete: [south] }, { update: [{ id: south, values: { name: 'x' } }] }]) {
      expect((await ana.post(`${RECORDS}/bulk`, body)).status).toBeGreaterThanOrEqual(400)
    }
    await ana.post(`${RECORDS}/bulk`, { where: { filter: 'name = "Sue"' }, delete: true })
    expect((await owner.get(target)).body.values.name).toBe('Sue')
  })

  test("isn't available for export or import, because the server rejects it too", async () => {
    expect(codeOf(await ana.get(`${PEOPLE}/export.csv`))).toBe('403 forbidden')
    expect(codeOf(await ana.request('POST', `${PEOPLE}/imports`, { raw: 'name\nx\n' }))).toBe('403 forbidden')
    expect(codeOf(await ana.request('POST', '/api/imports?name=x.csv', { raw: 'name\nx\n' }))).toBe('403 forbidden')
  })

  test("doesn't exist for uploads, because creating, sending and attaching are each authorized", async () => {
    const upload = await tusSender(url, owner).begin({ collection: 'people', field: 'photo' }, 10)
    const theirs = tusSender(url, ana)
    const tries = [
      await theirs.head(upload),
      await theirs.patch(upload, 0, Buffer.from('0')),
      await theirs.remove(upload),
    ]
    expect(tries.map(({ status }) => status)).toEqual([404, 404, 404])
    const filePond = [
      await ana.request('PATCH', `/api/uploads?patch=${upload}`, { raw: 'x', headers: { 'upload-offset': '0' } }),
      await ana.request('DELETE', `/api/uploads?id=${upload}`),
      await ana.request('HEAD', `/api/uploads?patch=${upload}`),
    ]
    // Reverting a nonexistent upload succeeds without an effect.
    expect(filePond.map(({ status }) => status)).toEqual([404, 204, 404])
    expect((await theirs.create({ collection: 'people', field: 'salary' }, { 'upload-length': '1' })).status).not.toBe(
      201,
    )
    const attached = await ana.patch(`${RECORDS}/${north}`, { values: { photo: [photo] } })
    expect(attached.status).toBe(422)
    expect((await tusSender(url, owner).head(upload)).headers.get('upload-offset')).toBe('0')
  })
})

describe('a link or token', () => {
  test('has limited permissions: no code or token creates accounts, tokens or roles', async () => {
    const everything = await owner.post('/api/tokens', {
      name: 'all',
      scopes: ['records:read', 'collections:manage', 'workspace:manage', 'audit:read'],
    })
    const program = app.withToken(everything.body.token)
    const doors: readonly (readonly [string, string])[] = [
      ['GET', '/api/users'],
      ['POST', '/api/users'],
      ['POST', '/api/tokens'],
      ['POST', '/api/roles'],
      ['POST', '/api/policies'],
      ['POST', '/api/view-as'],
      ['GET', '/api/outbox'],
    ]
    for (const [method, path] of doors) expect(codeOf(await program.request(method, path))).toBe('403 forbidden')
  })

  test('becomes invalid when its user is disabled', async () => {
    const email = 'guest@example.org'
    const { body: guest } = await owner.post('/api/users', { email, name: 'Guest', roles: ['viewer'] })
    const emails = (await owner.get('/api/outbox')).body.items
    const code: string = /code=([\w-]+)/.exec(emails[0].text)?.[1] ?? ''
    expect(codeOf(await app.withToken(code).get('/api/collections'))).toBe('401 token-invalid')
    expect((await app.guest.post('/api/invitations/read', { code })).body).toEqual({ email, name: 'Guest' })
    await owner.patch(`/api/users/${guest.id}`, { isDisabled: true })
    const accepted = await app.guest.post('/api/invitations/accept', { code, name: 'G', password: TEST_PASSWORD })
    expect(codeOf(accepted)).toBe('410 gone')
  })
})

describe('an oracle for hidden values', () => {
  /** Two paths for the same request: one with a hidden field, one with a nonexistent field. */
  const pairs = (path: (name: string) => string) => [path('salary'), path('salarz')] as const

  test.each([
    ['filter', (name: string) => `records?filter=${encodeURIComponent(`${name} > 1`)}`],
    ['range', (name: string) => `records?filter=${encodeURIComponent(`${name} between 1 and 9`)}`],
    ['relation', (name: string) => `records?filter=${encodeURIComponent(`boss.${name} > 1`)}`],
    ['sort', (name: string) => `records?sort=-${name}`],
    ['sort by a relation', (name: string) => `records?sort=boss.${name}`],
    ['group', (name: string) => `groups?by=${name}`],
    ['sum', (name: string) => `sums?aggregates=sum(${name})`],
    ['sum of a group', (name: string) => `groups?by=region&aggregates=max(${name})`],
    ['column', (name: string) => `records?fields=name,${name}`],
  ])('%s: a hidden field is answered like a missing one', async (_, path) => {
    const [hidden, unknown] = pairs(path)
    const [one, other] = [await ana.get(`${PEOPLE}/${hidden}`), await ana.get(`${PEOPLE}/${unknown}`)]
    expect(one.status).toBe(400)
    const said = ({ body }: Answer, name: string) => JSON.stringify({ ...body, requestId: '' }).replaceAll(name, '…')
    expect(said(one, 'salary')).toBe(said(other, 'salarz'))
  })

  test("doesn't exist in search and ranges, because hidden values change no response", async () => {
    const requested = [
      'records?search=500',
      'records?search=Sue',
      'records?filter=boss.name ~ "S"',
      'records?sort=boss.name',
    ]
    const before = await Promise.all(requested.map(async (path) => (await ana.get(`${PEOPLE}/${path}`)).text))
    const held = (await owner.get(`${RECORDS}/${south}`)).body.values
    await owner.patch(`${RECORDS}/${south}`, { values: { name: 'Zed', salary: 1 } })
    const after = await Promise.all(requested.map(async (path) => (await ana.get(`${PEOPLE}/${path}`)).text))
    await owner.patch(`${RECORDS}/${south}`, { values: { name: held.name, salary: held.salary } })
    expect(after).toEqual(before)
  })
})

describe('a stored script', () => {
  const link = (href: string) => ({
    type: 'doc',
    content: [
      { type: 'paragraph', content: [{ type: 'text', text: 'x', marks: [{ type: 'link', attrs: { href } }] }] },
    ],
  })

  test('is rejected in documents and remains plain text in other fields', async () => {
    const vectors = ['javascript:alert(1)', ' jAvascript:alert(1)', 'data:text/html,<script>1</script>', 'vbscript:x']
    for (const href of vectors) {
      expect((await owner.post(RECORDS, { values: { notes: link(href) } })).status, href).toBe(422)
    }
    const raw = { type: 'doc', content: [{ type: 'html', attrs: { raw: '<script>1</script>' } }] }
    expect((await owner.post(RECORDS, { values: { notes: raw } })).status).toBe(422)
    const text = {
      type: 'doc',
      content: [{ type: 'paragraph', content: [{ type: 'text', text: '<script>1</script>' }] }],
    }
    const { body } = await owner.post(RECORDS, { values: { name: '<script>1</script>', notes: text } })
    const shown = await owner.get(`${RECORDS}?richText=text&filter=name ^= "<script"`)
    expect(shown.body.items[0].values.notes).toBe('<script>1</script>')
    expect(shown.headers['content-type']).toContain('application/json')
    await owner.delete(`${RECORDS}/${body.id}`)
  })

  test.each([
    ['page.html', '<script>alert(1)</script>'],
    ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
  ])('in a file does not run: %s', async (name, text) => {
    const file = await tusSender(url, owner).send({ collection: 'people', field: 'photo' }, Buffer.from(text), name)
    const { headers } = await owner.get(`/api/files/${file}`)
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(String(headers['content-security-policy'])).toContain('sandbox')
    const isShown = !String(headers['content-disposition']).startsWith('attachment')
    expect(isShown && /html|svg/.test(String(headers['content-type']))).toBe(false)
  })
})

describe('user access', () => {
  test('ends immediately when the user is disabled, including impersonation, tokens and background work', async () => {
    const [seen, them] = [await app.asEditor(), await app.asOwner()]
    const { body: token } = await them.post('/api/tokens', { name: 't', scopes: ['records:read'] })
    await them.post('/api/view-as', { user: seen.userId })
    const asSeen = { 'view-as': seen.userId ?? '' }
    expect((await them.get(RECORDS, asSeen)).status).toBe(200)
    const userId = them.userId ?? ''
    const beside = {
      type: 'user',
      userId,
      sessionId: null,
      name: '',
      grants: [],
      scopes: [],
      tokenId: token.id,
    } as const
    const now = {
      database: app.database,
      clock: app.clock.now,
      rightsOf: createRightsResolver(createAccessRulesCache(app.database)),
    }
    expect(await currentActor(now, beside)).toBeDefined()
    const lookedAt = { ...beside, impersonatedBy: { userId: owner.userId ?? '', name: '', permissions: [] } }
    expect(await currentActor(now, lookedAt)).toBeUndefined()

    await owner.patch(`/api/users/${userId}`, { isDisabled: true })
    expect(codeOf(await them.get(RECORDS))).toBe('401 session-ended')
    expect(codeOf(await them.get(RECORDS, asSeen))).toBe('401 session-ended')
    expect(codeOf(await app.withToken(token.token).get(RECORDS))).toBe('401 token-invalid')
    expect(await currentActor(now, beside)).toBeUndefined()
  })

  test('ends in all other sessions on a password change, and in the current session on sign-out', async () => {
    const them = await app.asEditor()
    const { email } = (await them.get('/api/auth/user')).body.user
    const login = { email, password: TEST_PASSWORD, client: 'api' }
    const other = app.withToken((await app.guest.post('/api/auth/login', login)).body.token)
    await them.post('/api/account/password', { current: TEST_PASSWORD, next: 'eleven herons count the tide' })
    expect(codeOf(await other.get(RECORDS))).toBe('401 session-ended')
    await them.post('/api/auth/logout')
    expect(codeOf(await them.get(RECORDS))).toBe('401 session-ended')
  })
})

describe('account linking', () => {
  test('never happens based on an email address, verified or not', async () => {
    const them = await app.asEditor()
    const { email } = (await them.get('/api/auth/user')).body.user
    for (const [subject, emailVerified] of [
      ['proven', true],
      ['unproven', false],
    ] as const) {
      provider.addPerson(subject, { email, emailVerified })
      const begun = await app.guest.post('/api/auth/providers/acme/begin', {}, OWN_PAGE)
      const [cookie = ''] = [begun.headers['set-cookie'] ?? []].flat().map(String)
      const visited = await provider.visit(begun.body.url, subject)
      const headers = { ...OWN_PAGE, cookie: cookie.split(';', 1)[0] ?? '' }
      expect(codeOf(await app.guest.post('/api/auth/providers/finish', { url: visited }, headers))).toBe(
        '401 login-refused',
      )
    }
  })
})

describe('an ID of one type', () => {
  test('gives no access to an object of another type or in another collection', async () => {
    const { body: other } = await owner.post('/api/collections', {
      label: 'Others',
      fields: [{ label: 'A', kind: 'text' }],
    })
    const { session_id: session, id: user } = (await owner.get('/api/auth/user')).body.user
    const elsewhere = `/api/collections/${other.id}`
    const said = await Promise.all([
      owner.get(`${elsewhere}/records/${north}`),
      owner.patch(`${elsewhere}/records/${north}`, { values: { a: 'x' } }),
      owner.delete(`${elsewhere}/records/${north}`),
      owner.patch(`${elsewhere}/fields/${field['name']}`, { label: 'x' }),
      owner.delete(`${elsewhere}/fields/${field['name']}`),
      owner.get(`${RECORDS}/${people}`),
      owner.get(`${RECORDS}/${user}`),
      owner.get(`/api/files/${north}`),
      owner.get(`/api/jobs/${north}`),
      owner.get(`/api/imports/${people}`),
      owner.delete(`/api/tokens/${session}`),
      owner.delete(`/api/account/sessions/${user}`),
      owner.patch(`/api/users/${session}`, { isDisabled: true }),
      owner.post('/api/view-as', { user: session }),
      owner.get(`/api/policies/${people}`),
    ])
    expect(said.map(({ status }) => status)).toEqual(said.map(() => 404))
    const values = { boss: other.id, photo: [north] }
    expect((await owner.patch(`${RECORDS}/${north}`, { values })).status).toBe(422)
    expect((await owner.get(`${RECORDS}/${north}`)).body.values).toMatchObject({ name: 'Nora', boss: south })
  })
})

describe('a server-side request', () => {
  test('is never sent to an address chosen by a user', async () => {
    let knocks = 0
    const inside = createServer((_, answer) => void answer.end(String((knocks += 1))))
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve))
    const address = inside.address()
    const port = typeof address === 'object' ? address?.port : 0
    for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', 'localhost', '0x7f000001']) {
      const target = encodeURIComponent(`http://${host}:${port}/`)
      expect(codeOf(await owner.get(`/api/uploads?fetch=${target}`))).toBe('403 forbidden')
    }
    const text = `http://127.0.0.1:${port}/`
    await owner.patch(`${RECORDS}/${north}`, { values: { name: text } })
    await owner.patch(`${RECORDS}/${north}`, { values: { name: 'Nora' } })
    expect(knocks).toBe(0)
    await new Promise((resolve) => inside.close(resolve))
  })
})

describe('a rate limit key', () => {
  test('identifies the intended account, regardless of spelling', async () => {
    const them = await app.asEditor()
    const { email } = (await them.get('/api/auth/user')).body.user as { email: string }
    const spellings = [
      email,
      email.toUpperCase(),
      ` ${email}`,
      `${email} `,
      `${email[0]?.toUpperCase()}${email.slice(1)}`,
    ]
    const tried: number[] = []
    for (let round = 0; round < 12; round += 1) {
      const attempt = { email: spellings[round % spellings.length], password: `wrong ${round}`, client: 'api' }
      const headers = { 'user-agent': `agent ${round}`, 'x-forwarded-for': `10.1.1.${round}` }
      tried.push((await app.guest.post('/api/auth/login', attempt, headers)).status)
    }
    expect(tried.at(-1)).toBe(429)
    const more = { email, password: TEST_PASSWORD, client: 'api', nonce: 'x' }
    expect(codeOf(await app.guest.post('/api/auth/login', more))).toBe('400 invalid-request')
  })
})

describe('exhaustion', () => {
  const nested = (depth: number): object =>
    depth === 0 ? { field: 'name', op: '=', value: 'x' } : { all: [nested(depth - 1)] }
  const filter = (text: string) => `records?filter=${encodeURIComponent(text)}`
  const many = (count: number, what: string, by: string) => Array.from({ length: count }, () => what).join(by)

  test('limits the depth, length, joins, pages and sums of one request', async () => {
    const paths = [
      filter(`${'('.repeat(MAX_FILTER_DEPTH + 2)}name = "x"${')'.repeat(MAX_FILTER_DEPTH + 2)} && name = "y"`),
      filter(many(MAX_COMPARISONS + 1, 'name = "x"', ' || ')),
      filter('boss.boss.boss.boss.name = "x"'),
      'records?perPage=501',
      `records?sort=${many(9, 'name', ',')}`,
      'groups?by=name,region,boss,id',
      `sums?aggregates=${Array.from({ length: MAX_AGGREGATES + 1 }, (_, at) => `count${at}`).join(',')}`,
      `records?search=${Array.from({ length: 17 }, (_, at) => `word${at}`).join(' ')}`,
    ]
    for (const path of paths) expect((await owner.get(`${PEOPLE}/${path}`)).status, path.slice(0, 80)).toBe(400)
    const where = { filter: nested(5000), search: '' }
    expect((await owner.post(`${RECORDS}/bulk`, { where, delete: true })).status).toBe(400)
    expect((await owner.get(RECORDS)).body.total).toBe(2)
  })

  test('limits the size of one value, so no document can make the server unavailable', async () => {
    let deep: object = { type: 'paragraph' }
    for (let depth = 0; depth < 3000; depth += 1) deep = { type: 'blockquote', content: [deep] }
    const values = { notes: { type: 'doc', content: [deep] } }
    expect((await owner.post(RECORDS, { values })).status).toBe(422)
    expect((await app.guest.get('/api/health')).status).toBe(200)
  })

  test("isn't possible for guests, who can only call a cheap health check", async () => {
    const { body } = await app.guest.get('/api/health')
    expect(Object.keys(body).length).toBeLessThanOrEqual(2)
  })
})

describe('code in cells', () => {
  test('remains plain text: no formula is exported, and no name is executed', async () => {
    const { body } = await owner.post(RECORDS, { values: { name: '=HYPERLINK("http://x")' } })
    const csv = await owner.get(`${PEOPLE}/export.csv?escapeFormulas=yes`)
    expect(csv.status).toBe(200)
    expect(csv.text).toContain("'=HYPERLINK(")
    expect(csv.text).not.toMatch(/(?:^|,)"?=HYPERLINK/m)
    await owner.delete(`${RECORDS}/${body.id}`)
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      expect((await owner.get(`${PEOPLE}/records?filter=${name} = "x"`)).status, name).toBe(400)
      expect((await owner.get(`${PEOPLE}/groups?by=${name}`)).status, name).toBe(400)
      const raw = `{"values":{"${name}":"x"}}`
      const sent = { raw, headers: { 'content-type': 'application/json' } }
      expect((await owner.request('POST', RECORDS, sent)).status, name).toBeGreaterThanOrEqual(400)
    }
    for (const text of ['name = "x"; drop table users', 'name = (select 1)', "name = 'x' --", 'name = "x" or 1=1']) {
      expect((await owner.get(`${PEOPLE}/records?filter=${encodeURIComponent(text)}`)).status, text).toBe(400)
    }
  })
})

describe('a secret in settings', () => {
  test('is never returned by a read endpoint, not even to owners', async () => {
    const them = await app.asOwner()
    const { body: token } = await them.post('/api/tokens', { name: 't', scopes: ['records:read'] })
    await them.post('/api/account/factors/totp')
    const { read } = app.database
    const secrets = [
      ...(await read.selectFrom('users').select('password_hash as secret').execute()),
      ...(await read.selectFrom('sessions').select('refresh_salt as secret').execute()),
      ...(await read.selectFrom('api_tokens').select('hash as secret').execute()),
      ...(await read.selectFrom('totp_secrets').select('secret').execute()),
      { secret: String(token.token) },
      { secret: provider.settings.clientSecret.reveal() },
    ].flatMap(({ secret }) => (secret === '' ? [] : [secret]))
    const reading = app.routes.filter(({ endpoint }) => endpoint.method === 'GET' && !endpoint.path.includes(':'))
    expect(reading.length).toBeGreaterThan(10)
    for (const { endpoint } of reading) {
      const { text } = await them.get(endpoint.path)
      expect(
        secrets.filter((secret) => text.includes(secret)),
        endpoint.path,
      ).toEqual([])
    }
    expect(secrets.filter((secret) => app.logged().includes(secret))).toEqual([])
  })
})

describe('an upload path', () => {
  test.each(['../../outside.txt', '/etc/passwd', '..\\..\\x', 'a\u0000b.txt', 'con.txt\r\nset-cookie: x=1'])(
    'never contains the file name that the client sent: %j',
    async (name) => {
      const file = await tusSender(url, owner).send({ collection: 'people', field: 'photo' }, Buffer.from('here'), name)
      const answer = await owner.get(`/api/files/${file}?download`)
      expect(answer.text).toBe('here')
      expect(String(answer.headers['content-disposition'])).not.toMatch(/[\r\n\0]|\.\.[/\\]/)
      expect(answer.headers['set-cookie']).toBeUndefined()
      const stored = await readdir(app.config.dataFolder, { recursive: true })
      expect(stored.filter((path) => /outside|passwd|con\.txt/.test(path))).toEqual([])
    },
  )
})

describe('a limit on related records', () => {
  const MANY = 1500

  test("doesn't weaken a condition on a relation to more than 1,000 records", async () => {
    const { body: teams } = await owner.post('/api/collections', {
      label: 'Teams',
      fields: [
        { label: 'Name', kind: 'text' },
        { label: 'Place', kind: 'text' },
      ],
    })
    await owner.post('/api/collections/teams/fields', {
      label: 'Above',
      kind: 'relation',
      options: { collection: teams.id },
    })
    const create = async (all: readonly object[]): Promise<string[]> =>
      (await owner.post('/api/collections/teams/records/bulk', { create: all.map((values) => ({ values })) })).body
        .created
    const level = async (above: readonly string[]) =>
      create(
        Array.from({ length: MANY }, (_, at) => ({ name: `T ${at}`, place: `P${at % 2}`, above: above[at] ?? null })),
      )
    const bottom = await level(await level(await level([])))
    const where = 'above.above.place = "P0" || above.above.place = "P1"'
    const grants = [{ permission: 'records:read', collection: 'teams', where }]
    const { body: policy } = await owner.post('/api/policies', { name: 'Two steps below', grants })
    const { body: role } = await owner.post('/api/roles', { name: 'Below', policies: [policy.id] })
    const there = await app.asViewer()
    expect((await owner.patch(`/api/users/${there.userId}`, { roles: [role.id] })).status).toBe(200)
    const { body } = await there.get('/api/collections/teams/records?perPage=1&count=exact')
    // Only teams at the lowest level have a team two levels above them. This reader can't see that team, but the
    // grant's condition is still evaluated on it.
    expect(body.total).toBe(bottom.length)
  })
})
