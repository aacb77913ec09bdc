import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, openTestApp, TEST_PASSWORD, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let owner: Caller

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
})
afterAll(() => app.close())

const userOf = async (id: string | undefined) =>
  (await owner.get('/api/users?perPage=500')).body.items.find((one: { id: string }) => one.id === id)

describe('the user list', () => {
  test('returns all users with roles and no secrets', async () => {
    const editor = await app.asEditor()
    const { status, body, text } = await owner.get('/api/users?perPage=500')
    expect(status).toBe(200)
    expect(body.items.find((one: { id: string }) => one.id === editor.userId)).toEqual({
      id: editor.userId,
      email: expect.stringContaining('@example.org'),
      name: 'editor',
      roles: [{ id: 'editor', name: 'Editor' }],
      profile: {},
      createdAt: expect.stringMatching(/Z$/),
      isDisabled: false,
      hasSecondFactor: false,
      isInvited: false,
      lastSeenAt: expect.stringMatching(/Z$/),
    })
    expect(text).not.toContain('argon2')
  })

  test('is sorted by name, ignoring case and accents', async () => {
    const names = ['Ötzi', 'anna', 'Zoë', 'Bert']
    for (const [at, name] of names.entries()) {
      await owner.post('/api/users', { email: `named${at}@example.org`, name, roles: ['viewer'] })
    }
    const listed = (await owner.get('/api/users?perPage=500')).body.items.map(
      ({ name }: { readonly name: string }) => name,
    )
    expect(listed.filter((name: string) => names.includes(name))).toEqual(['anna', 'Bert', 'Ötzi', 'Zoë'])
  })

  test('is paged without duplicates while users are added', async () => {
    for (const at of [0, 1, 2, 3, 4]) {
      await owner.post('/api/users', { email: `paged${at}@example.org`, name: `Paged ${at}`, roles: ['viewer'] })
    }
    const all = (await owner.get('/api/users?perPage=500')).body
    expect(all).toMatchObject({ total: all.items.length, allUsers: all.items.length, nextCursor: null })
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { body, status } = await owner.get(`/api/users?perPage=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
      expect(status).toBe(200)
      expect(body).toMatchObject({ total: expect.any(Number), roles: expect.any(Array) })
      expect(body.items.length).toBeLessThanOrEqual(2)
      seen.push(...body.items.map(({ id }: { id: string }) => id))
      if (cursor === '') {
        await owner.post('/api/users', { email: 'first@example.org', name: ' 0 first', roles: ['viewer'] })
      }
      cursor = body.nextCursor
    }
    expect(seen).toEqual(all.items.map(({ id }: { id: string }) => id))
  })

  test('searches parts of names and addresses, ignoring case and accents', async () => {
    await owner.post('/api/users', { email: 'rene.m@example.net', name: 'René Müller', roles: ['editor'] })
    const found = async (query: string) => {
      const { body } = await owner.get(`/api/users?${query}`)
      expect(body.total).toBe(body.items.length)
      expect(body.allUsers).toBeGreaterThan(1)
      return body.items.map(({ name }: { name: string }) => name)
    }
    for (const words of ['mull rene', 'RENE.M', 'müller example.net']) {
      expect(await found(`search=${encodeURIComponent(words)}`), words).toEqual(['René Müller'])
    }
    expect(await found('search=rene smith')).toEqual([])
    expect(await found('search=rene&role=editor')).toEqual(['René Müller'])
    expect(await found('search=rene&role=owner')).toEqual([])
  })

  test('filters by status, with disabled taking precedence over all others', async () => {
    const name = 'Standing'
    const { body: invited } = await owner.post('/api/users', { email: 's@example.org', name, roles: ['viewer'] })
    const here = await app.asEditor()
    const found = async (standing: string, id: string | undefined) =>
      (await owner.get(`/api/users?perPage=500&standing=${standing}`)).body.items.some(
        (one: { id: string }) => one.id === id,
      )
    const standingsOf = async (id: string | undefined) => {
      const all = ['here', 'invited', 'locked-out', 'no-factor']
      const isSo = await Promise.all(all.map((standing) => found(standing, id)))
      return all.filter((_, at) => isSo[at])
    }
    expect(await standingsOf(invited.id)).toEqual(['invited'])
    expect(await standingsOf(here.userId)).toEqual(['here', 'no-factor'])
    await owner.patch(`/api/users/${invited.id}`, { isDisabled: true })
    expect(await standingsOf(invited.id)).toEqual(['locked-out'])
  })

  test.each([
    ['a cursor that is not one', 'cursor=x', 'invalid-cursor'],
    ['a cursor with a zero', `cursor=${Buffer.from('a\0').toString('base64url')}.0`, 'invalid-cursor'],
    ['more than 500', 'perPage=501', 'invalid-request'],
    ['a standing there is not', 'standing=gone', 'invalid-request'],
    ['a role with a zero', 'role=%00', 'invalid-request'],
    ['what is not there', 'colour=red', 'unknown-parameter'],
  ])('refuses %s', async (_, query, code) => {
    const answer = await owner.get(`/api/users?${query}`)
    expect([answer.status, answer.body.code]).toEqual([400, code])
  })

  test('returns no error when searching for U+0000', async () => {
    expect((await owner.get('/api/users?search=%00')).status).toBe(200)
    expect((await owner.get('/api/users?search=%ED%A0%80')).status).toBeLessThan(500)
  })

  test.each(['asEditor', 'asViewer'] as const)('is not available to %s', async (as) => {
    expect((await (await app[as]()).get('/api/users')).status).toBe(403)
  })
})

describe('a role', () => {
  test('takes effect on the next request', async () => {
    const editor = await app.asEditor()
    const changed = await owner.patch(`/api/users/${editor.userId}`, { roles: ['viewer'] })
    expect(changed.body).toMatchObject({ id: editor.userId, roles: [{ id: 'viewer' }] })
    const { body } = await editor.get('/api/auth/user')
    expect(body.user).toMatchObject({ scope: ['records:read'], roles: [{ id: 'viewer' }] })
  })

  test('can be assigned only within 15 minutes of re-authentication', async () => {
    const another = await app.asOwner()
    const viewer = await app.asViewer()
    app.clock.move(15 * 60 * 1000 + 1)
    const refused = await another.patch(`/api/users/${viewer.userId}`, { roles: ['editor'] })
    expect([refused.status, refused.body.code]).toEqual([401, 'step-up-needed'])
    expect((await another.get('/api/users')).status).toBe(200)
    owner = await app.asOwner()
    expect((await userOf(viewer.userId)).roles).toEqual([{ id: 'viewer', name: 'Viewer' }])
  })

  test('returns 404 when assigned to a missing user', async () => {
    expect((await owner.patch('/api/users/nobody', { roles: ['viewer'] })).status).toBe(404)
  })

  test('is rejected if it does not exist', async () => {
    const viewer = await app.asViewer()
    expect((await owner.patch(`/api/users/${viewer.userId}`, { roles: ['emperor'] })).status).toBe(422)
  })
})

describe('a disabled user', () => {
  test('loses sessions, tokens and password immediately', async () => {
    const editor = await app.asEditor()
    const { email } = await userOf(editor.userId)
    const { body: made } = await editor.post('/api/tokens', { name: 'Script', scopes: ['records:read'] })
    const program = app.withToken(made.token)
    expect((await program.get('/api/collections')).status).toBe(200)

    const disabled = await owner.patch(`/api/users/${editor.userId}`, { isDisabled: true })
    expect(disabled.body.isDisabled).toBe(true)
    expect((await editor.get('/api/auth/user')).body.code).toBe('session-ended')
    expect((await program.get('/api/collections')).body.code).toBe('token-invalid')
    const login = await app.guest.post('/api/auth/login', { email, password: TEST_PASSWORD, client: 'api' })
    expect(login.body.code).toBe('login-refused')
  })

  test('can sign in after reactivation, but old sessions and tokens remain invalid', async () => {
    const editor = await app.asEditor()
    const { email } = await userOf(editor.userId)
    const { body: made } = await editor.post('/api/tokens', { name: 'Script', scopes: ['records:read'] })
    await owner.patch(`/api/users/${editor.userId}`, { isDisabled: true })
    expect((await owner.patch(`/api/users/${editor.userId}`, { isDisabled: false })).body.isDisabled).toBe(false)
    expect((await editor.get('/api/auth/user')).status).toBe(401)
    expect((await app.withToken(made.token).get('/api/collections')).status).toBe(401)
    const login = await app.guest.post('/api/auth/login', { email, password: TEST_PASSWORD, client: 'api' })
    expect(login.status).toBe(200)
  })
})

describe('the last owner', () => {
  test("can't be demoted or disabled, and one remains if two owners demote each other", async () => {
    const [ada, bob] = [await app.asOwner(), await app.asOwner()]
    const { items } = (await ada.get('/api/users?perPage=500')).body
    const others = items.filter(
      (one: { id: string; roles: { id: string }[] }) =>
        one.roles.some(({ id }) => id === 'owner') && ![ada.userId, bob.userId].includes(one.id),
    )
    for (const { id } of others) await ada.patch(`/api/users/${id}`, { roles: ['viewer'] })

    const answers = await Promise.all([
      ada.patch(`/api/users/${bob.userId}`, { roles: ['viewer'] }),
      bob.patch(`/api/users/${ada.userId}`, { roles: ['viewer'] }),
    ])
    expect(answers.filter(({ status }) => status === 200).length).toBe(1)
    const left = (await Promise.all([ada, bob].map((one) => one.get('/api/users')))).findIndex(
      ({ status }) => status === 200,
    )
    const last = left === 0 ? ada : bob
    for (const change of [{ roles: ['editor'] }, { isDisabled: true }]) {
      const refused = await last.patch(`/api/users/${last.userId}`, change)
      expect([refused.status, refused.body.code]).toEqual([422, 'definition-invalid'])
      expect(refused.body.detail).toContain('last owner')
    }
    owner = last
  })

  test("isn't replaced by an owner with a pending invitation", async () => {
    const invited = await owner.post('/api/users', { email: 'new@owner.example', name: 'New', roles: ['owner'] })
    expect(invited.status).toBe(201)
    expect((await owner.patch(`/api/users/${owner.userId}`, { roles: ['viewer'] })).status).toBe(422)
  })
})

describe('your own name', () => {
  test('can be changed', async () => {
    const viewer = await app.asViewer()
    expect((await viewer.patch('/api/account/profile', { name: '  Ada Lovelace ' })).status).toBe(204)
    expect((await viewer.get('/api/auth/user')).body.user.name).toBe('Ada Lovelace')
    expect((await viewer.patch('/api/account/profile', { name: ' ' })).status).toBe(400)
    expect((await viewer.patch('/api/account/profile', { name: 'x', roles: ['owner'] })).status).toBe(400)
    expect((await viewer.patch('/api/account/profile', { language: 'de' })).status).toBe(204)
    expect((await viewer.patch('/api/account/profile', { language: 'xx' })).status).toBe(400)
    expect((await viewer.patch('/api/account/profile', {})).status).toBe(204)
    expect((await viewer.get('/api/auth/user')).body.user).toMatchObject({ name: 'Ada Lovelace', language: 'de' })
  })
})

describe('a password', () => {
  const NEXT = 'eleven herons count the tide'
  const change = (caller: Caller, current: string, next: string) =>
    caller.post('/api/account/password', { current, next })

  const aUser = async () => {
    const caller = await app.asEditor()
    const { email } = await userOf(caller.userId)
    const signIn = (password: string) => app.guest.post('/api/auth/login', { email, password, client: 'api' })
    return { caller, email, signIn }
  }

  test('can be changed, which ends every other session, keeps the current one, and emails the user', async () => {
    const { caller, email, signIn } = await aUser()
    const other = app.withToken((await signIn(TEST_PASSWORD)).body.token)
    expect((await change(caller, TEST_PASSWORD, NEXT)).status).toBe(204)
    expect((await caller.get('/api/auth/user')).status).toBe(200)
    expect((await other.get('/api/auth/user')).body.code).toBe('session-ended')
    expect((await signIn(TEST_PASSWORD)).status).toBe(401)
    expect((await signIn(NEXT)).status).toBe(200)
    const { items } = (await owner.get('/api/outbox')).body
    expect(items[0]).toMatchObject({ to: email, subject: 'Your Dossier password was changed' })
  })

  test('can be changed only with the current password or re-authentication', async () => {
    const { caller } = await aUser()
    const wrong = await change(caller, 'not the current one', NEXT)
    expect([wrong.status, wrong.body.code]).toEqual([401, 'login-refused'])
    app.clock.move(15 * 60 * 1000 + 1)
    expect((await change(caller, '', NEXT)).body.code).toBe('step-up-needed')
    expect((await change(caller, TEST_PASSWORD, NEXT)).status).toBe(204)
    owner = await ownerAgain()
  })

  test('can be changed with re-authentication alone', async () => {
    const { caller } = await aUser()
    expect((await change(caller, '', NEXT)).status).toBe(204)
  })

  test('is rejected by name if weak, and nothing changes', async () => {
    const { caller, signIn } = await aUser()
    const refused = await change(caller, TEST_PASSWORD, 'password1234567')
    expect([refused.status, refused.body.code]).toEqual([422, 'password-weak'])
    expect(refused.body.errors[0].path).toBe('next')
    expect((await signIn(TEST_PASSWORD)).status).toBe(200)
  })

  test('is delayed after some failed attempts, even if it is correct', async () => {
    const { caller } = await aUser()
    for (let round = 0; round < 5; round += 1) await change(caller, `wrong ${round}`, NEXT)
    expect((await change(caller, TEST_PASSWORD, NEXT)).status).toBe(429)
    app.clock.move(1000)
    expect((await change(caller, TEST_PASSWORD, NEXT)).status).toBe(204)
  })
})

/** An owner who signed in after the clock was advanced. */
const ownerAgain = async (): Promise<Caller> => app.asOwner()

describe("another user's sessions", () => {
  test('can be ended by user managers, and API tokens remain valid', async () => {
    const editor = await app.asEditor()
    const { body: made } = await editor.post('/api/tokens', { name: 'Script', scopes: ['records:read'] })
    const ended = await owner.delete(`/api/users/${editor.userId}/sessions`)
    expect([ended.status, ended.body]).toEqual([200, { ended: 1 }])
    expect((await editor.get('/api/auth/user')).body.code).toBe('session-ended')
    expect((await app.withToken(made.token).get('/api/collections')).status).toBe(200)
    const [entry] = (await owner.get('/api/audit?kind=sessions-ended')).body.items
    expect(entry).toMatchObject({ user: { id: owner.userId }, about: { id: editor.userId }, details: { ended: '1' } })
  })

  test("can't be ended without re-authentication or by a manager with fewer permissions, and managers can't end their own this way", async () => {
    const another = await app.asOwner()
    const manager = await app.asGranted([{ permission: 'users:manage', collection: null }])
    expect((await manager.delete(`/api/users/${another.userId}/sessions`)).status).toBe(403)
    expect((await owner.delete(`/api/users/${owner.userId}/sessions`)).status).toBe(403)
    expect((await owner.delete('/api/users/nobody/sessions')).status).toBe(404)
    app.clock.move(15 * 60 * 1000 + 1)
    expect((await owner.delete(`/api/users/${another.userId}/sessions`)).body.code).toBe('step-up-needed')
    expect((await another.get('/api/auth/user')).status).toBe(200)
  })
})
