import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Route } from '#server/platform/http/route.ts'
import { importInto } from '#tests/conformance/csv-import.ts'
import { type Answer, type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let owner: Caller
let tasks: { readonly id: string; readonly name: string }
let notes: { readonly id: string; readonly name: string }

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
  tasks = (await owner.post('/api/collections', { label: 'Tasks' })).body
  notes = (await owner.post('/api/collections', { label: 'Notes' })).body
})
afterAll(() => app.close())

const make = (by: Caller, scopes: readonly string[], more = {}): Promise<Answer> =>
  by.post('/api/tokens', { name: 'Script', scopes, ...more })

async function aProgram(by: Caller, scopes: readonly string[], more = {}): Promise<Caller> {
  const { body } = await make(by, scopes, more)
  return app.withToken(body.token)
}

const records = ({ name }: { readonly name: string }) => `/api/collections/${name}/records`

describe('an API token', () => {
  test('is shown once and stored as a hash', async () => {
    const { status, body } = await make(owner, ['records:read'])
    expect(status).toBe(201)
    expect(body).toEqual({ id: expect.any(String), token: expect.stringMatching(/^dsr_[\w-]{43}$/) })
    const list = await owner.get('/api/tokens')
    expect(list.body.items[0]).toEqual({
      id: body.id,
      name: 'Script',
      scopes: ['records:read'],
      createdAt: expect.stringMatching(/Z$/),
      usedAt: null,
      expiresAt: expect.stringMatching(/Z$/),
    })
    const rows = await app.database.read.selectFrom('api_tokens').selectAll().execute()
    for (const text of [list.text, JSON.stringify(rows), app.logged()]) expect(text).not.toContain(body.token)
  })

  test('allows only what its scopes permit', async () => {
    const program = await aProgram(owner, ['records:read', 'records:create'])
    expect((await program.post(records(tasks), { values: { title: 'One' } })).status).toBe(201)
    const { body } = await program.get(records(tasks))
    expect(body.items.length).toBeGreaterThan(0)
    const path = `${records(tasks)}/${body.items[0].id}`
    expect((await program.patch(path, { values: { title: 'Two' } })).status).toBe(403)
    expect((await program.delete(path)).status).toBe(403)
    expect((await program.post('/api/collections', { label: 'More' })).status).toBe(403)
    expect((await program.get('/api/audit')).status).toBe(403)
  })

  test("can access its user's imports if it has the import scope", async () => {
    const { body } = await importInto(owner, tasks.name, 'title\nBrought\n')
    const importer = (of: { readonly id: string }) => aProgram(owner, [`records:import@${of.id}`])
    expect((await (await importer(tasks)).get(`/api/imports/${body.id}`)).status).toBe(200)
    const elsewhere = await importer(notes)
    expect((await elsewhere.get(`/api/imports/${body.id}`)).status).toBe(404)
    expect((await elsewhere.delete(`/api/imports/${body.id}`)).status).toBe(404)
  })

  test('writes records on behalf of its user', async () => {
    const program = await aProgram(owner, ['records:read', 'records:create'])
    const { body } = await program.post(records(tasks), { values: { title: 'Mine' } })
    expect(body.createdBy).toBe(owner.userId)
  })

  test('can access only the collection it is limited to', async () => {
    const program = await aProgram(owner, [`records:read@${tasks.id}`])
    expect((await program.get(records(tasks))).status).toBe(200)
    expect((await program.get(records(notes))).status).toBe(404)
    const { body } = await program.get('/api/collections')
    expect(body.items.map((one: { id: string }) => one.id)).toEqual([tasks.id])
  })

  test("with permission to manage one collection can't create others", async () => {
    const program = await aProgram(owner, [`collections:manage@${tasks.id}`, `records:read@${tasks.id}`])
    expect((await program.patch(`/api/collections/${tasks.name}`, { label: 'Tasks' })).status).toBe(200)
    expect((await program.post('/api/collections', { label: 'More' })).status).toBe(403)
    expect((await program.post('/api/sample')).status).toBe(403)
  })

  test("never exceeds its user's permissions, even after they are reduced", async () => {
    const editor = await app.asEditor()
    const program = await aProgram(editor, ['records:read', 'records:create', 'collections:manage', 'audit:read'])
    const scope = async () => (await program.get('/api/auth/user')).body.user.scope
    expect(await scope()).toEqual(['records:read', 'records:create'])
    expect((await program.get('/api/audit')).status).toBe(403)
    await owner.patch(`/api/users/${editor.userId}`, { roles: ['viewer'] })
    expect(await scope()).toEqual(['records:read'])
    expect((await program.post(records(tasks), { values: { title: 'No' } })).status).toBe(403)
  })

  test('identifies its user but is not a session', async () => {
    const program = await aProgram(owner, ['audit:read'])
    const { body } = await program.get('/api/auth/user')
    expect(body.user).toMatchObject({ id: owner.userId, scope: ['audit:read'], methods: [], session_id: null })
    expect((await program.get('/api/audit')).status).toBe(200)
  })
})

describe('the validity period of an API token', () => {
  test('ends immediately when the token is revoked', async () => {
    const { body } = await make(owner, ['records:read'])
    const program = app.withToken(body.token)
    expect((await program.get('/api/collections')).status).toBe(200)
    expect((await owner.delete(`/api/tokens/${body.id}`)).status).toBe(204)
    const refused = await program.get('/api/collections')
    expect([refused.status, refused.body.code]).toEqual([401, 'token-invalid'])
    expect((await owner.delete(`/api/tokens/${body.id}`)).status).toBe(404)
    expect((await owner.get('/api/tokens')).text).not.toContain(body.id)
  })

  test('ends on the expiry date', async () => {
    const expiresAt = new Date(app.clock.now().getTime() + 60_000).toISOString()
    const program = await aProgram(owner, ['records:read'], { expiresAt })
    expect((await program.get('/api/collections')).status).toBe(200)
    app.clock.move(60_000)
    const refused = await program.get('/api/collections')
    expect([refused.status, refused.body.code]).toEqual([401, 'token-expired'])
  })

  test('is not affected by password changes or by signing out', async () => {
    const editor = await app.asEditor()
    const program = await aProgram(editor, ['records:read'])
    await editor.post('/api/auth/logout', { scope: 'all' })
    expect((await program.get('/api/collections')).status).toBe(200)
  })

  test('cannot be ended by other users', async () => {
    const { body } = await make(owner, ['records:read'])
    const editor = await app.asEditor()
    expect((await editor.delete(`/api/tokens/${body.id}`)).status).toBe(404)
    expect((await editor.get('/api/tokens')).body.items).toEqual([])
    expect((await app.withToken(body.token).get('/api/collections')).status).toBe(200)
  })
})

describe('creating an API token', () => {
  test.each([
    ['records:everything'],
    ['users:manage'],
    ['roles:manage'],
    ['records:read@tasks'],
    ['workspace:manage@00000000000000000000000000'],
  ])('rejects the invalid scope %s by name', async (scope) => {
    const refused = await make(owner, ['records:read', scope])
    expect([refused.status, refused.body.code]).toEqual([422, 'definition-invalid'])
    expect(refused.body.errors[0].path).toBe('scopes.1')
  })

  test('rejects an expiry in the past', async () => {
    const refused = await make(owner, ['records:read'], { expiresAt: app.clock.now().toISOString() })
    expect(refused.body.errors[0].path).toBe('expiresAt')
  })

  test('requires re-authentication, while listing and revoking tokens do not', async () => {
    const editor = await app.asEditor()
    const { body } = await make(editor, ['records:read'])
    app.clock.move(15 * 60 * 1000 + 1)
    expect((await make(editor, ['records:read'])).body.code).toBe('step-up-needed')
    expect((await editor.get('/api/tokens')).status).toBe(200)
    expect((await editor.delete(`/api/tokens/${body.id}`)).status).toBe(204)
    owner = await app.asOwner()
  })

  test('is limited to a hundred active tokens', async () => {
    const editor = await app.asEditor()
    for (let count = 0; count < 100; count += 1) expect((await make(editor, ['records:read'])).status).toBe(201)
    expect((await make(editor, ['records:read'])).body.code).toBe('definition-invalid')
  })
})

describe('changing the scopes of an API token', () => {
  const change = (by: Caller, id: string, scopes: readonly string[]) => by.patch(`/api/tokens/${id}`, { scopes })

  test('takes effect on the next request, is audited and is announced by email', async () => {
    const { body } = await make(owner, ['records:read'])
    const program = app.withToken(body.token)
    const create = () => program.post(records(tasks), { values: { title: 'By script' } })
    expect((await create()).status).toBe(403)
    const changed = await change(owner, body.id, ['records:read', `records:create@${tasks.id}`])
    expect([changed.status, changed.body.scopes]).toEqual([200, ['records:read', `records:create@${tasks.id}`]])
    expect((await create()).status).toBe(201)
    expect((await program.post(records(notes), { values: {} })).status).toBe(403)
    expect((await change(owner, body.id, [`records:read@${notes.id}`])).status).toBe(200)
    expect((await program.get(records(tasks))).status).toBe(404)

    const entries = (await owner.get('/api/audit?kind=token-changed')).body.items
    expect(entries).toHaveLength(2)
    expect(entries[0]).toMatchObject({
      user: { id: owner.userId },
      details: { token: body.id, name: 'Script', to: `records:read@${notes.id}` },
    })
    const [email] = (await owner.get('/api/outbox')).body.items
    expect(email.text).toContain(`changed to records:read@${notes.id}`)
    expect((await change(owner, body.id, [`records:read@${notes.id}`])).status).toBe(200)
    expect((await owner.get('/api/audit?kind=token-changed')).body.items).toHaveLength(2)
  })

  test("can't add permissions the user lacks, but can keep existing ones", async () => {
    const editor = await app.asEditor()
    const { body } = await make(editor, ['records:read', 'audit:read'])
    const refused = await change(editor, body.id, ['records:read', 'collections:manage'])
    expect([refused.status, refused.body.errors[0].code]).toEqual([422, 'scope-not-held'])
    expect((await change(editor, body.id, ['records:create', 'audit:read'])).status).toBe(200)
    expect((await change(editor, body.id, ['records:everything'])).body.errors[0].code).toBe('scope-unknown')
    expect((await change(editor, body.id, [])).status).toBe(400)
  })

  test("requires re-authentication, and works only for the user's own active tokens", async () => {
    const editor = await app.asEditor()
    const { body } = await make(editor, ['records:read'])
    expect((await change(owner, body.id, ['records:read'])).status).toBe(404)
    app.clock.move(15 * 60 * 1000 + 1)
    expect((await change(editor, body.id, ['records:create'])).body.code).toBe('step-up-needed')
    owner = await app.asOwner()
    const own = (await make(owner, ['records:read'])).body
    expect((await owner.delete(`/api/tokens/${own.id}`)).status).toBe(204)
    expect((await change(owner, own.id, ['records:create'])).status).toBe(404)
  })
})

describe('an API token with every scope', () => {
  const nameOf = ({ endpoint }: Route): string => `${endpoint.method} ${endpoint.path}`

  const isForHands = ({ endpoint: { method, path } }: Route): boolean =>
    /^\/api\/(?:auth|account|tokens|users|outbox)(?:\/|$)/.test(path) &&
    !(method === 'GET' && path === '/api/auth/user')

  test('cannot access sign-in, account, security, token or user endpoints', async () => {
    const all = ['records:read', 'collections:manage', 'workspace:manage', 'audit:read', 'metrics:read']
    const program = await aProgram(owner, all)
    const closed = app.routes.filter(isForHands)
    expect(closed.length).toBeGreaterThan(20)
    const answers = await Promise.all(
      closed.map(async (route) => {
        const path = route.endpoint.path.replace(/:[^/]+/g, 'x')
        const headers = { 'content-type': 'application/json' }
        const { status, body } = await program.request(route.endpoint.method, path, { headers })
        return `${nameOf(route)} ${status} ${body?.code}`
      }),
    )
    expect(answers).toEqual(closed.map((route) => `${nameOf(route)} 403 forbidden`))
  })
})

describe('the last-used time of an API token', () => {
  const usedAt = async (id: string) =>
    (await owner.get('/api/tokens')).body.items.find((one: { id: string }) => one.id === id)?.usedAt

  test('is stored at most once a minute', async () => {
    const { body } = await make(owner, ['records:read'])
    const program = app.withToken(body.token)
    await program.get('/api/collections')
    const first = app.clock.now().toISOString()
    await expect.poll(() => usedAt(body.id)).toBe(first)
    app.clock.move(59_999)
    await program.get('/api/collections')
    // A use would have been stored before this write.
    await app.database.write(() => Promise.resolve())
    expect(await usedAt(body.id)).toBe(first)
    app.clock.move(1)
    await program.get('/api/collections')
    await expect.poll(() => usedAt(body.id)).toBe(app.clock.now().toISOString())
  })
})

describe('a bearer token with the API token prefix', () => {
  test.each(['dsr_', 'dsr_x', `dsr_${'a'.repeat(43)}`])('“%s” is rejected', async (token) => {
    const refused = await app.withToken(token).get('/api/auth/user')
    expect([refused.status, refused.body.code]).toEqual([401, 'token-invalid'])
  })
})
