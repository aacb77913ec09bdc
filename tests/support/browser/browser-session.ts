import { type Caller, TEST_PASSWORD, type TestApp } from '#tests/support/server/test-app.ts'

/** A browser session: pages have the access token; images are requested with the cookie only. */
export type BrowserSession = {
  readonly page: Caller
  readonly cookie: string
}

/** Signs a test user in as a browser would. */
export async function browserSessionOf(app: TestApp, userId: string | undefined): Promise<BrowserSession> {
  const { email } = await app.database.read
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId ?? '')
    .executeTakeFirstOrThrow()
  const answer = await app.guest.post('/api/auth/login', { email, password: TEST_PASSWORD })
  return { page: app.withToken(answer.body.token), cookie: cookieIn(answer.headers['set-cookie']) }
}

/** The cookies that a browser would send back. */
export const cookieIn = (set: string | string[] | number | undefined): string =>
  [set ?? []]
    .flat()
    .map((one) => String(one).split(';')[0])
    .join('; ')
