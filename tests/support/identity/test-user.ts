import { randomUUID } from 'node:crypto'
import { prepareUser, storeUser } from '#server/identity/users/create-user.ts'
import { type Caller, TEST_PASSWORD, type TestApp } from '#tests/support/server/test-app.ts'

/** A user who signed in with a password. */
export type TestUser = {
  readonly id: string
  readonly email: string
  readonly caller: Caller
  /** The same session with a new access token, for use after the first one has expired. */
  readonly refreshed: () => Promise<Caller>
}

/** Creates a new user for each test, because failed attempts are counted per account. */
export async function createTestUser(app: TestApp): Promise<TestUser> {
  const id = randomUUID()
  const email = `${id}@example.org`
  const user = { email, name: 'Person', password: TEST_PASSWORD, roles: ['editor'] } as const
  const prepared = await prepareUser({ clock: app.clock.now, newId: () => id }, user)
  await app.database.write((transaction) => storeUser(transaction, prepared))
  const { body } = await app.guest.post('/api/auth/login', { email, password: TEST_PASSWORD, client: 'api' })
  const refreshed = async (): Promise<Caller> => {
    const answer = await app.guest.post('/api/auth/refresh', { refresh_token: body.refresh_token })
    return app.withToken(answer.body.token)
  }
  return { id, email, caller: app.withToken(body.token), refreshed }
}

/** Audit log entries about a user, oldest first. */
export async function auditEntriesOf(app: TestApp, userId: string): Promise<{ readonly kind: string }[]> {
  const rows = await app.database.read
    .selectFrom('audit_log')
    .select(['kind', 'details'])
    .where((is) => is.or([is('user_id', '=', userId), is('about_id', '=', userId)]))
    .orderBy('id')
    .execute()
  return rows.map(({ kind, details }) => ({ kind, ...JSON.parse(details) }))
}
