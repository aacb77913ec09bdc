import { generateSync } from 'otplib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_SESSION_POLICY } from '#domain/sessions/session-policy.ts'
import { REAUTHENTICATION_LIFETIME_MS } from '#server/identity/reauthentication/require-reauthentication.ts'
import { startIdentityProvider, type TestIdentityProvider } from '#tests/support/identity/identity-provider.ts'
import { createTestUser, auditEntriesOf } from '#tests/support/identity/test-user.ts'
import { makeSoftwarePasskey } from '#tests/support/identity/software-authenticator.ts'
import { type Answer, type Caller, openTestApp, TEST_PASSWORD, type TestApp } from '#tests/support/server/test-app.ts'

const OWN_PAGE = { 'x-requested-with': 'dossier', origin: 'http://localhost:4100', 'sec-fetch-site': 'same-origin' }
const POLICY = '/api/workspace/session-policy'
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

let app: TestApp
let provider: TestIdentityProvider

beforeAll(async () => {
  provider = await startIdentityProvider('acme', 'http://localhost:4100/callback')
  app = await openTestApp({ config: { oidcProviders: [provider.settings] } })
})
afterAll(async () => {
  await app.close()
  await provider.goAway()
})
afterEach(async () => {
  expect((await change(DEFAULT_SESSION_POLICY)).status).toBe(200)
})

const signIn = (email: string, more: object = {}, headers = {}) =>
  app.guest.post('/api/auth/login', { email, password: TEST_PASSWORD, ...more }, { ...OWN_PAGE, ...headers })

/** The Set-Cookie headers for one cookie. */
const linesOf = (answer: Answer, name = 'dossier_refresh'): string[] =>
  [answer.headers['set-cookie'] ?? []]
    .flat()
    .map(String)
    .filter((line) => line.startsWith(`${name}=`))

/** The refresh cookie for the next request, and whether it is persistent. */
function refreshCookieOf(answer: Answer): { readonly cookie: string; readonly maxAge: number | undefined } {
  expect(linesOf(answer)).toHaveLength(1)
  const [line = ''] = linesOf(answer)
  expect(line).not.toContain('Expires')
  const maxAge = /Max-Age=(\d+)/.exec(line)?.[1]
  return { cookie: line.split(';', 1)[0] ?? '', maxAge: maxAge === undefined ? undefined : Number(maxAge) }
}

const refresh = (cookie: string) => app.guest.post('/api/auth/refresh', undefined, { cookie, ...OWN_PAGE })

const outcomeOf = ({ status, body }: Answer): [number, string | undefined] => [status, body?.code]

/**
 * Refreshes at a fixed interval, as an active page does, until a refresh is rejected; returns the session's lifetime in
 * ms.
 */
async function lifeOf(first: Answer, everyMs: number): Promise<number> {
  const begunMs = app.clock.now().getTime()
  for (let { cookie } = refreshCookieOf(first); ; ) {
    app.clock.move(everyMs)
    const answer = await refresh(cookie)
    if (answer.status !== 200) return app.clock.now().getTime() - begunMs
    ;({ cookie } = refreshCookieOf(answer))
  }
}

/** Changes the session policy as a recently authenticated owner. */
async function change(changes: object, owner?: Caller): Promise<Answer> {
  const caller = owner ?? (await app.asOwner())
  return caller.patch(POLICY, changes)
}

describe('a sign-in without “Keep me signed in”', () => {
  test('gets a session cookie at every rotation; one that is remembered gets a persistent cookie', async () => {
    const { email } = await createTestUser(app)
    const kept = await signIn(email)
    expect(refreshCookieOf(kept).maxAge).toBe(30 * 24 * 3600)
    const first = await signIn(email, { remember: false })
    for (let { cookie, maxAge } = refreshCookieOf(first), round = 0; round < 3; round += 1) {
      expect(maxAge).toBeUndefined()
      app.clock.move(MINUTE_MS)
      ;({ cookie, maxAge } = refreshCookieOf(await refresh(cookie)))
    }
  })

  test('keeps the device cookie', async () => {
    const { email } = await createTestUser(app)
    const [mark = ''] = linesOf(await signIn(email, { remember: false }), 'dossier_device')
    expect(mark).toMatch(/Max-Age=\d{7,}/)
  })

  test('expires after 12 hours of inactivity', async () => {
    const { email } = await createTestUser(app)
    const idle = refreshCookieOf(await signIn(email, { remember: false })).cookie
    const kept = refreshCookieOf(await signIn(email)).cookie
    app.clock.move(12 * HOUR_MS - 1)
    const still = refreshCookieOf(await refresh(idle)).cookie
    app.clock.move(12 * HOUR_MS)
    expect(outcomeOf(await refresh(still))).toEqual([401, 'session-ended'])
    expect((await refresh(kept)).status).toBe(200)
  })

  test('expires after 24 hours even if active', async () => {
    const { email } = await createTestUser(app)
    expect(await lifeOf(await signIn(email, { remember: false }), 6 * HOUR_MS)).toBe(24 * HOUR_MS)
  })

  test('expires after the same time for an API client', async () => {
    const { email } = await createTestUser(app)
    const { body } = await app.guest.post('/api/auth/login', {
      email,
      password: TEST_PASSWORD,
      client: 'api',
      remember: false,
    })
    app.clock.move(12 * HOUR_MS)
    const answer = await app.guest.post('/api/auth/refresh', { refresh_token: body.refresh_token })
    expect(outcomeOf(answer)).toEqual([401, 'session-ended'])
  })
})

describe('the “Keep me signed in” option', () => {
  test('is preserved in the second-factor step', async () => {
    const person = await createTestUser(app)
    const { secret } = (await person.caller.post('/api/account/factors/totp')).body
    const codeNow = () => generateSync({ secret, epoch: app.clock.now().getTime() / 1000 })
    await person.caller.put('/api/account/factors/totp', { code: codeNow() })
    for (const remember of [false, true]) {
      app.clock.move(30_000)
      const { challenge } = (await signIn(person.email, { remember })).body
      const proof = { method: 'totp', code: codeNow() }
      const answer = await app.guest.post('/api/auth/challenge', { id: challenge.id, proof }, OWN_PAGE)
      expect(refreshCookieOf(answer).maxAge === undefined).toBe(!remember)
    }
  })

  test('is applied to a passkey sign-in', async () => {
    const person = await createTestUser(app)
    const passkey = makeSoftwarePasskey()
    const options = (await person.caller.post('/api/account/factors/passkeys/options')).body
    const response = passkey.register(options)
    expect((await person.caller.post('/api/account/factors/passkeys', { name: 'Phone', response })).status).toBe(201)
    for (const remember of [false, true]) {
      const { id, options: requested } = (await app.guest.post('/api/auth/passkey/options')).body
      const body = { id, response: passkey.sign(requested), remember }
      const answer = await app.guest.post('/api/auth/passkey/login', body, OWN_PAGE)
      expect(refreshCookieOf(answer).maxAge === undefined).toBe(!remember)
    }
  })

  test('is preserved during a provider sign-in', async () => {
    const user = await app.asEditor()
    const throughProvider = async (caller: Caller, body: object) => {
      const begun = await caller.post('/api/auth/providers/acme/begin', body, OWN_PAGE)
      const url = await provider.visit(begun.body.url, 'remembered-person')
      const [line = ''] = linesOf(begun, 'dossier_provider')
      const headers = { ...OWN_PAGE, cookie: line.split(';', 1)[0] ?? '' }
      return caller.post('/api/auth/providers/finish', { url }, headers)
    }
    expect((await throughProvider(user, { purpose: 'link' })).status).toBe(200)
    for (const remember of [false, true]) {
      const answer = await throughProvider(app.guest, { remember })
      expect(refreshCookieOf(answer).maxAge === undefined).toBe(!remember)
    }
  })

  test('is applied when accepting an invitation', async () => {
    const owner = await app.asOwner()
    for (const remember of [false, true]) {
      const email = `invited-${remember}@example.org`
      await owner.post('/api/users', { email, name: 'Invited', roles: ['viewer'] })
      const { items } = (await owner.get('/api/outbox')).body
      const code = /code=([\w-]{43})/.exec(items.find(({ to }: { to: string }) => to === email).text)?.[1]
      const body = { code, name: 'Invited', password: TEST_PASSWORD, remember }
      const answer = await app.guest.post('/api/invitations/accept', body, OWN_PAGE)
      expect(refreshCookieOf(answer).maxAge === undefined).toBe(!remember)
    }
  })
})

describe('the session policy', () => {
  test('can be changed only by workspace managers with a session and re-authentication', async () => {
    const [owner, editor] = [await app.asOwner(), await app.asEditor()]
    expect((await owner.get(POLICY)).body).toEqual(DEFAULT_SESSION_POLICY)
    expect(outcomeOf(await editor.get(POLICY))).toEqual([403, 'forbidden'])
    expect(outcomeOf(await change({ mostSessions: 1 }, editor))).toEqual([403, 'forbidden'])
    const { token } = (await owner.post('/api/tokens', { name: 't', scopes: ['workspace:manage'] })).body
    expect(outcomeOf(await change({ mostSessions: 1 }, app.withToken(token)))).toEqual([403, 'forbidden'])
    app.clock.move(REAUTHENTICATION_LIFETIME_MS + 1)
    expect(outcomeOf(await change({ mostSessions: 1 }, owner))).toEqual([401, 'step-up-needed'])
    expect((await owner.get(POLICY)).body).toEqual(DEFAULT_SESSION_POLICY)
  })

  test('can be partially updated, and is audited with the previous and new values', async () => {
    const owner = await app.asOwner()
    const answer = await change({ remembered: { idleMinutes: 60 }, mostSessions: 5 }, owner)
    const expected = {
      ...DEFAULT_SESSION_POLICY,
      remembered: { ...DEFAULT_SESSION_POLICY.remembered, idleMinutes: 60 },
      mostSessions: 5,
    }
    expect([answer.status, answer.body]).toEqual([200, expected])
    expect((await owner.get(POLICY)).body).toEqual(expected)
    await change(expected, owner)
    const entries = await auditEntriesOf(app, owner.userId ?? '')
    expect(entries.filter(({ kind }) => kind === 'session-policy-changed')).toEqual([
      {
        kind: 'session-policy-changed',
        before: '10080/43200 720/1440 -',
        after: '60/43200 720/1440 5',
        ended: expect.any(String),
      },
    ])
  })

  test.each([
    [{ remembered: { idleMinutes: 4 } }, 'remembered.idleMinutes'],
    [{ remembered: { longestMinutes: 43_201 } }, 'remembered.longestMinutes'],
    [{ remembered: { longestMinutes: 10_079 } }, 'remembered.idleMinutes'],
    [{ notRemembered: { longestMinutes: 1441 } }, 'notRemembered.longestMinutes'],
    [{ mostSessions: 0 }, 'mostSessions'],
  ])('rejects %j with an error on the field and changes nothing', async (changes, path) => {
    const owner = await app.asOwner()
    const answer = await change(changes, owner)
    expect(outcomeOf(answer)).toEqual([422, 'values-invalid'])
    expect(answer.body.errors).toEqual([{ path, code: expect.any(String), message: expect.stringMatching(/\.$/) }])
    expect((await owner.get(POLICY)).body).toEqual(DEFAULT_SESSION_POLICY)
  })

  test('rejects fractions and unknown properties', async () => {
    for (const changes of [{ mostSessions: 1.5 }, { remembered: { idleMinutes: '60' } }, { idleMinutes: 60 }]) {
      expect((await change(changes)).status).toBe(400)
    }
  })
})

describe('shortening the session policy', () => {
  test('ends sessions that exceed the new limits on their next request', async () => {
    const person = await createTestUser(app)
    app.clock.move(10 * MINUTE_MS)
    expect((await person.caller.get('/api/auth/user')).status).toBe(200)
    app.clock.move(6 * MINUTE_MS)
    await change({ remembered: { idleMinutes: 5 } })
    expect(outcomeOf(await person.caller.get('/api/auth/user'))).toEqual([401, 'session-ended'])
  })

  const lastUse = async (user: string) => {
    const sessions = app.database.read.selectFrom('sessions').select('used_at').where('user_id', '=', user)
    return (await sessions.executeTakeFirstOrThrow()).used_at
  }

  test('counts every request as activity, so active users remain signed in between refreshes', async () => {
    const person = await createTestUser(app)
    await change({ remembered: { idleMinutes: 5 } })
    for (let round = 0; round < 6; round += 1) {
      app.clock.move(4 * MINUTE_MS)
      expect((await person.caller.get('/api/auth/user')).status).toBe(200)
      await expect.poll(() => lastUse(person.id)).toBe(app.clock.now().toISOString())
      // The next use is recorded only after the response to the previous write has arrived.
      await app.database.write(() => Promise.resolve())
    }
    app.clock.move(5 * MINUTE_MS)
    expect(outcomeOf(await person.caller.get('/api/auth/user'))).toEqual([401, 'session-ended'])
  })

  test('changes the absolute expiry of open sessions, and of their cookies at the next rotation', async () => {
    const { email } = await createTestUser(app)
    const { cookie } = refreshCookieOf(await signIn(email))
    app.clock.move(10 * MINUTE_MS)
    await change({ remembered: { idleMinutes: 60, longestMinutes: 60 } })
    const rotated = await refresh(cookie)
    expect(refreshCookieOf(rotated).maxAge).toBe(50 * 60)
    expect(await lifeOf(rotated, 10 * MINUTE_MS)).toBe(50 * MINUTE_MS)
  })

  test('keeps ended sessions ended when the policy is extended again', async () => {
    const [over, kept] = [await createTestUser(app), await createTestUser(app)]
    const { cookie } = refreshCookieOf(await signIn(kept.email))
    await change({ remembered: { idleMinutes: 5 } })
    app.clock.move(4 * MINUTE_MS)
    expect((await refresh(cookie)).status).toBe(200)
    app.clock.move(MINUTE_MS)
    await change(DEFAULT_SESSION_POLICY)
    expect(outcomeOf(await over.caller.get('/api/auth/user'))).toEqual([401, 'session-ended'])
    const { end_reason } = await app.database.read
      .selectFrom('sessions')
      .select('end_reason')
      .where('user_id', '=', over.id)
      .executeTakeFirstOrThrow()
    expect(end_reason).toBe('timed-out')
    expect((await refresh(cookie)).status).toBe(200)
  })

  test('never extends a session beyond its initial maximum lifetime', async () => {
    await change({ remembered: { idleMinutes: 60, longestMinutes: 60 } })
    const { email } = await createTestUser(app)
    const answer = await signIn(email)
    await change(DEFAULT_SESSION_POLICY)
    expect(await lifeOf(answer, 20 * MINUTE_MS)).toBe(60 * MINUTE_MS)
  })

  test('changes the expiry shown in the session list', async () => {
    const { email, caller } = await createTestUser(app)
    await signIn(email)
    app.clock.move(6 * MINUTE_MS)
    expect((await caller.get('/api/account/sessions')).body.items).toHaveLength(2)
    await change({ remembered: { idleMinutes: 5, longestMinutes: 60 } })
    const { items } = (await caller.get('/api/account/sessions')).body
    expect(items).toEqual([
      expect.objectContaining({
        isCurrent: true,
        endsAt: new Date(app.clock.now().getTime() + 54 * MINUTE_MS).toISOString(),
      }),
    ])
  })
})

describe('a limit on concurrent sessions', () => {
  const isIn = async (answer: Answer): Promise<boolean> =>
    (await app.withToken(answer.body.token).get('/api/auth/user')).status === 200

  test('ends the least recently used sessions on a new sign-in and records the reason', async () => {
    const { id, email, caller } = await createTestUser(app)
    const answers: Answer[] = []
    for (let round = 0; round < 3; round += 1) {
      app.clock.move(MINUTE_MS)
      answers.push(await signIn(email))
    }
    app.clock.move(MINUTE_MS)
    await change({ mostSessions: 3 })
    // Lowering the limit doesn't end any session; the next sign-in ends the least recently used ones.
    expect((await caller.get('/api/account/sessions')).body.items).toHaveLength(4)
    app.clock.move(MINUTE_MS)
    const last = await signIn(email)
    expect(await Promise.all([...answers, last].map(isIn))).toEqual([false, false, true, true])
    expect((await caller.get('/api/auth/user')).status).toBe(200)
    const entries = (await auditEntriesOf(app, id)).filter(({ kind }) => kind === 'session-over-limit')
    expect(entries).toHaveLength(2)
    expect(entries).toContainEqual({ kind: 'session-over-limit', session: answers[0]?.body.session_id, most: '3' })
  })

  test('counts a browser once, even if it signs in again', async () => {
    const { email, caller } = await createTestUser(app)
    await change({ mostSessions: 2 })
    const first = await signIn(email)
    app.clock.move(MINUTE_MS)
    const again = await signIn(email, {}, { cookie: refreshCookieOf(first).cookie })
    expect(await Promise.all([isIn(first), isIn(again)])).toEqual([false, true])
    expect((await caller.get('/api/auth/user')).status).toBe(200)
  })

  test("isn't exceeded by concurrent sign-ins", async () => {
    const { email } = await createTestUser(app)
    await change({ mostSessions: 2 })
    const answers = await Promise.all(Array.from({ length: 5 }, () => signIn(email)))
    expect(answers.map(({ status }) => status)).toEqual(Array<number>(5).fill(200))
    const alive = await Promise.all(answers.map(isIn))
    expect(alive.filter(Boolean)).toHaveLength(2)
  })
})

describe('signing out everywhere from the session list', () => {
  const end = (caller: Caller, scope: string) => caller.delete(`/api/account/sessions?scope=${scope}`)

  test('requires re-authentication, without which no session ends', async () => {
    const { email, caller } = await createTestUser(app)
    const other = await signIn(email)
    app.clock.move(REAUTHENTICATION_LIFETIME_MS + 1)
    for (const scope of ['others', 'all']) {
      expect(outcomeOf(await end(caller, scope))).toEqual([401, 'step-up-needed'])
    }
    expect((await app.withToken(other.body.token).get('/api/auth/user')).status).toBe(200)
    const proof = { method: 'password', password: TEST_PASSWORD }
    expect((await caller.post('/api/auth/step-up', { proof })).status).toBe(204)
    const answer = await end(caller, 'others')
    expect([answer.status, answer.body]).toEqual([200, { ended: 1 }])
    expect(outcomeOf(await app.withToken(other.body.token).get('/api/auth/user'))).toEqual([401, 'session-ended'])
    expect((await caller.get('/api/auth/user')).status).toBe(200)
  })

  test('ends the current session too, deletes the cookie, and affects no other user', async () => {
    const [{ id, email }, stranger] = [await createTestUser(app), await createTestUser(app)]
    const answer = await signIn(email)
    const mine = app.withToken(answer.body.token)
    const ended = await end(mine, 'all')
    expect([ended.status, ended.body]).toEqual([200, { ended: 2 }])
    expect(linesOf(ended).join()).toMatch(/^dossier_refresh=;/)
    expect(outcomeOf(await mine.get('/api/auth/user'))).toEqual([401, 'session-ended'])
    expect((await stranger.caller.get('/api/auth/user')).status).toBe(200)
    expect(await auditEntriesOf(app, id)).toContainEqual({ kind: 'session-ended', scope: 'all', ended: '2' })
  })

  test("ending one session or signing out doesn't require re-authentication", async () => {
    const { email, caller } = await createTestUser(app)
    const other = await signIn(email)
    app.clock.move(REAUTHENTICATION_LIFETIME_MS + 1)
    expect((await caller.delete(`/api/account/sessions/${other.body.session_id}`)).status).toBe(204)
    await signIn(email)
    expect((await caller.post('/api/auth/logout', { scope: 'all' })).status).toBe(204)
    expect(outcomeOf(await caller.get('/api/auth/user'))).toEqual([401, 'session-ended'])
  })

  test('accepts only two scopes', async () => {
    const { caller } = await createTestUser(app)
    for (const path of ['/api/account/sessions', '/api/account/sessions?scope=this']) {
      expect((await caller.delete(path)).status).toBe(400)
    }
    expect((await caller.get('/api/auth/user')).status).toBe(200)
  })
})
