import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { DEVICE_MARK_MS, rotateKeys } from '#server/platform/crypto/key-ring.ts'
import { type Answer, type Caller, openTestApp, TEST_PASSWORD, type TestApp } from '#tests/support/server/test-app.ts'
import { EVENTUALLY } from '#tests/support/clock/eventually.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0'
const OWN_PAGE = { 'x-requested-with': 'dossier', origin: 'http://localhost:4100', 'sec-fetch-site': 'same-origin' }

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

async function aUser() {
  const caller = await app.asEditor()
  const { email } = (await caller.get('/api/auth/user')).body.user as { email: string }
  return { caller, email }
}

const signIn = (email: string, headers = {}, password = TEST_PASSWORD) =>
  app.guest.post('/api/auth/login', { email, password, client: 'browser' }, { ...OWN_PAGE, ...headers })

const list = async (caller: Caller) => (await caller.get('/api/account/sessions')).body.items

/** The cookies set by a response, by name. */
function cookiesOf(answer: Answer): string {
  const set = answer.headers['set-cookie']
  const all = Array.isArray(set) ? set : [String(set)]
  return all.map((one) => one.split(';', 1)[0]).join('; ')
}

describe('the session list', () => {
  test('shows device and address, and marks the current session', async () => {
    const { caller, email } = await aUser()
    app.clock.move(1000)
    await signIn(email, { 'user-agent': FIREFOX })
    const items = await list(caller)
    expect(items).toEqual([
      {
        id: expect.any(String),
        kind: 'browser',
        isCurrent: false,
        device: 'Firefox on Linux',
        address: '127.0.0.1',
        createdAt: app.clock.now().toISOString(),
        usedAt: app.clock.now().toISOString(),
        endsAt: expect.stringMatching(/Z$/),
      },
      expect.objectContaining({ kind: 'api', isCurrent: true }),
    ])
  })

  test("shows only the user's own sessions", async () => {
    const [ada, bob] = [await aUser(), await aUser()]
    expect(await list(ada.caller)).toHaveLength(1)
    expect((await list(bob.caller))[0].id).not.toBe((await list(ada.caller))[0].id)
  })

  test('omits ended and idle sessions', async () => {
    const { caller, email } = await aUser()
    const other = (await signIn(email)).body
    await app.withToken(other.token).post('/api/auth/logout')
    expect(await list(caller)).toHaveLength(1)
    app.clock.move(8 * 24 * 60 * 60 * 1000)
    const later = app.withToken((await signIn(email)).body.token)
    expect(await list(later)).toHaveLength(1)
  })

  test('answers while the database is busy with a long write', async () => {
    const { caller } = await aUser()
    app.clock.move(60_000)
    const longWrite = Promise.withResolvers<void>()
    const written = app.database.write(() => longWrite.promise)
    try {
      expect(await list(caller)).toHaveLength(1)
    } finally {
      longWrite.resolve()
      await written
    }
  })

  /** A use would have been stored before this write. */
  const pendingWrites = () => app.database.write(() => Promise.resolve())

  test('shows the last use with minute precision', async () => {
    const { caller } = await aUser()
    const start = app.clock.now().toISOString()
    app.clock.move(30_000)
    await list(caller)
    await pendingWrites()
    expect((await list(caller))[0].usedAt).toBe(start)
    app.clock.move(30_000)
    await expect.poll(async () => (await list(caller))[0].usedAt).toBe(app.clock.now().toISOString())
  })
})

describe('ending a session', () => {
  test('signs its device out immediately', async () => {
    const { caller, email } = await aUser()
    const other = (await signIn(email)).body
    expect((await caller.delete(`/api/account/sessions/${other.session_id}`)).status).toBe(204)
    expect((await app.withToken(other.token).get('/api/auth/user')).body.code).toBe('session-ended')
    expect((await caller.get('/api/auth/user')).status).toBe(200)
    expect((await caller.delete(`/api/account/sessions/${other.session_id}`)).status).toBe(404)
  })

  test('of another user is treated as missing', async () => {
    const [ada, bob] = [await aUser(), await aUser()]
    const [{ id }] = await list(bob.caller)
    const strange = await ada.caller.delete(`/api/account/sessions/${id}`)
    const unknown = await ada.caller.delete('/api/account/sessions/nothing')
    expect(strange.status).toBe(404)
    expect({ ...strange.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' })
    expect((await bob.caller.get('/api/auth/user')).status).toBe(200)
  })

  test('can end all other sessions, or all including the current one', async () => {
    const { caller, email } = await aUser()
    const others = [await signIn(email), await signIn(email)].map(({ body }) => app.withToken(body.token))
    expect((await caller.post('/api/auth/logout', { scope: 'others' })).status).toBe(204)
    for (const other of others) expect((await other.get('/api/auth/user')).status).toBe(401)
    expect(await list(caller)).toHaveLength(1)
    await caller.post('/api/auth/logout', { scope: 'all' })
    expect((await caller.get('/api/auth/user')).body.code).toBe('session-ended')
  })
})

describe('the current user', () => {
  test('includes the sign-in method and session', async () => {
    const { email } = await aUser()
    const { body } = await signIn(email)
    const { user } = (await app.withToken(body.token).get('/api/auth/user')).body
    expect(user).toMatchObject({ methods: ['password'], session_id: body.session_id })
  })
})

const fail = (email: string, address: string) =>
  app.app.inject({
    method: 'POST',
    url: '/api/auth/login',
    remoteAddress: address,
    payload: { email, password: 'not it', client: 'api' },
  })

const attack = async (email: string, times: number) => {
  const codes = []
  for (let round = 0; round < times; round += 1) codes.push((await fail(email, `10.0.${round}.1`)).statusCode)
  return codes
}

describe('an account under attack', () => {
  test('is locked after ten failed sign-ins, except for known browsers', async () => {
    const { email } = await aUser()
    const cookie = cookiesOf(await signIn(email))
    expect(cookie).toContain('dossier_device=d1.')
    expect(await attack(email, 11)).toEqual([...Array<number>(10).fill(401), 429])
    const stranger = await signIn(email)
    expect([stranger.status, stranger.headers['retry-after']]).toEqual([429, '900'])
    expect((await signIn(email, { cookie })).status).toBe(200)
    app.clock.move(900_000)
    expect((await signIn(email)).status).toBe(200)
  })

  test("isn't unlocked by another account's device cookie or a forged one", async () => {
    const [ada, bob] = [await aUser(), await aUser()]
    const cookie = cookiesOf(await signIn(bob.email)).replace(/dossier_refresh=[^;]+; /, '')
    const forged = cookie.replace(/(d1\.[\w-]+\.)[\w-]+/, `$1${ada.caller.userId}`)
    await attack(ada.email, 10)
    for (const each of [cookie, forged]) expect((await signIn(ada.email, { cookie: each })).status).toBe(429)
  })

  test('also has a limit on password attempts from a known browser', async () => {
    const { email } = await aUser()
    const cookie = cookiesOf(await signIn(email))
    const codes = []
    for (let round = 0; round < 6; round += 1) codes.push((await signIn(email, { cookie }, 'not it')).status)
    expect(codes).toEqual([401, 401, 401, 401, 401, 429])
  })

  test('gets the same response as a nonexistent account', async () => {
    const { email } = await aUser()
    expect(await attack(email, 11)).toEqual(await attack('nobody@example.org', 11))
  })
})

describe('the device cookie', () => {
  test('is opaque and not readable by scripts or other sites', async () => {
    const { email } = await aUser()
    const set = (await signIn(email)).headers['set-cookie']
    const mark = (Array.isArray(set) ? set : []).find((one) => one.startsWith('dossier_device='))
    expect(mark).toContain('HttpOnly')
    expect(mark).toContain('SameSite=Strict')
    expect(mark).not.toContain(email)
  })

  test('is set at sign-in but not at every refresh, and is not a credential', async () => {
    const { email } = await aUser()
    const cookie = cookiesOf(await signIn(email))
    const refreshed = await app.guest.post('/api/auth/refresh', undefined, { cookie, ...OWN_PAGE })
    expect(String(refreshed.headers['set-cookie'])).not.toContain('dossier_device')
    const only = cookie.replace(/dossier_refresh=[^;]+; /, '')
    const refused = await app.guest.post('/api/auth/refresh', undefined, { cookie: only, ...OWN_PAGE })
    expect(refused.body.code).toBe('refresh-invalid')
  })

  describe('signed with a rotated key', () => {
    const DAY_MS = 24 * 60 * 60 * 1000

    const markOf = (answer: Answer): string => /dossier_device=[^;]+/.exec(cookiesOf(answer))?.[0] ?? ''

    /** A locked account, and a device cookie of a known browser that was signed with a replaced key. */
    async function atRest({ idleMs, atOnce = false }: { readonly idleMs: number; readonly atOnce?: boolean }) {
      const { email } = await aUser()
      const cookie = markOf(await signIn(email))
      const { id } = rotateKeys(app.config.dataFolder, app.clock.now(), { atOnce })
      await vi.waitFor(async () => expect(markOf(await signIn(email))).toContain(`d1.${id}.`), EVENTUALLY)
      app.clock.move(idleMs)
      await attack(email, 10)
      expect((await signIn(email)).status).toBe(429)
      return { email, cookie, keyId: id }
    }

    test('is valid for its full lifetime and is renewed', async () => {
      const { email, cookie } = await atRest({ idleMs: 60 * DAY_MS })
      const back = await signIn(email, { cookie })
      expect(back.status).toBe(200)
      const [before, after] = [cookie.split('.'), markOf(back).split('.')]
      expect(after[1], 'the key').not.toBe(before[1])
      expect(after.slice(2, 4), 'whose, and which browser').toEqual(before.slice(2, 4))
    })

    test('expires after half a year', async () => {
      const { email, cookie } = await atRest({ idleMs: DEVICE_MARK_MS })
      expect((await signIn(email, { cookie })).status).toBe(429)
    })

    test('is invalid immediately if the old key may be compromised', async () => {
      const { email, cookie } = await atRest({ idleMs: 0, atOnce: true })
      expect((await signIn(email, { cookie })).status).toBe(429)
    })
  })
})
