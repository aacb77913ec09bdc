import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openKeyRing } from '#server/platform/crypto/key-ring.ts'
import { makeRefreshToken } from '#server/identity/session-tokens/refresh-token.ts'
import { findSession } from '#server/identity/sessions/store.ts'
import { prepareUser, storeUser } from '#server/identity/users/create-user.ts'
import { auditEntriesOf } from '#tests/support/identity/test-user.ts'
import { openTestApp, TEST_PASSWORD, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let made = 0

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

async function aVictim() {
  made += 1
  const [id, email] = [`victim-${made}`, `victim-${made}@example.org`]
  const deps = { clock: app.clock.now, newId: () => id }
  const prepared = await prepareUser(deps, { email, name: id, password: TEST_PASSWORD, roles: ['editor'] })
  await app.database.write((transaction) => storeUser(transaction, prepared))
  const { body } = await app.guest.post('/api/auth/login', { email, password: TEST_PASSWORD, client: 'api' })
  return { id, email, token: body.token, refreshToken: body.refresh_token, sessionId: body.session_id }
}

const refresh = (token: string) => app.guest.post('/api/auth/refresh', { refresh_token: token })

const use = async (token: string): Promise<number> => (await app.withToken(token).get('/api/auth/user')).status

/** A refresh token that can only be created with the key ring and the database. */
async function withCounter(sessionId: string, step: number): Promise<string> {
  const session = await findSession(app.database.read, sessionId)
  if (session === undefined) throw new Error('no session')
  return makeRefreshToken(openKeyRing(app.config.dataFolder), { ...session, counter: session.counter + step })
}

describe('an attacker with a copy of the database', () => {
  test("can't forge a refresh token for an open session", async () => {
    const victim = await aVictim()
    const row = await app.database.read
      .selectFrom('sessions')
      .selectAll()
      .where('id', '=', victim.sessionId)
      .executeTakeFirstOrThrow()
    const stored = await app.database.read.selectFrom('workspace').select('value').execute()
    const keyIds = [...stored.map(({ value }) => value), String(victim.refreshToken).split('.')[3] ?? '', 'x']
    const cells = Object.values(row).filter((cell) => typeof cell === 'string')
    const texts = [`r1.${row.id}.${row.counter}`, ...keyIds.map((keyId) => `r2.${row.id}.${row.counter}.${keyId}`)]
    const macs = cells.flatMap((cell) => [Buffer.from(cell, 'base64url'), Buffer.from(cell)])
    for (const text of texts) {
      for (const mac of macs) {
        const forged = `${text}.${createHmac('sha256', mac).update(text).digest('base64url')}`
        expect((await refresh(forged)).status).not.toBe(200)
        app.clock.move(60_000)
      }
    }
    expect((await refresh(victim.refreshToken)).status).toBe(200)
  })
})

describe('the outbox in a copy of the database', () => {
  test('contains no code that gives access to an account, but owners can still see the links', async () => {
    const owner = await app.asOwner()
    await owner.post('/api/users', { email: 'guest@example.org', name: 'Guest', roles: ['viewer'] })
    const { items } = (await owner.get('/api/outbox')).body
    const shown = items.find((mail: { to: string }) => mail.to === 'guest@example.org')
    const code = /code=([\w-]{43})/.exec(shown?.text ?? '')?.[1] ?? ''
    expect((await app.guest.post('/api/invitations/read', { code })).status).toBe(200)
    const stored = await app.database.read.selectFrom('mails').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(code)
    const codes = stored.flatMap(({ body }) => [...body.matchAll(/code=([\w-]+)/g)].map(([, found = '']) => found))
    expect(codes).toEqual([])
  })
})

describe('an authentic refresh token that was never issued', () => {
  test.each([1, 2, 1000])('ends the session, as a stolen token would, if its counter is ahead by %i', async (step) => {
    const victim = await aVictim()
    const { status, body } = await refresh(await withCounter(victim.sessionId, step))
    expect([status, body.code]).toEqual([401, 'refresh-reused'])
    expect(await use(victim.token)).toBe(401)
    expect((await refresh(victim.refreshToken)).body.code).toBe('session-ended')
    const kinds = (await auditEntriesOf(app, victim.id)).map(({ kind }) => kind)
    expect(kinds.filter((kind) => kind === 'refresh-reused')).toHaveLength(1)
    const emails = app.database.read.selectFrom('mails').select('id').where('recipient', '=', victim.email)
    expect(await emails.execute()).toHaveLength(1)
  })
})
