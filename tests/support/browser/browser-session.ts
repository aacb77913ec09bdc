import { type Caller, TEST_PASSWORD, type TestApp } from '#tests/support/server/test-app.ts'

/** A browser session: the page sends the access token; image requests contain only the cookie. */
export type BrowserSession = {
  readonly page: Caller
  readonly cookie: string
}

/** Signs in a test user as a browser does. */
export async function browserSessionOf(app: TestApp, userId: string | undefined): Promise<BrowserSession> {
  const { email } = await app.database.read
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId ?? '')
    .executeTakeFirstOrThrow()
  const answer = await app.guest.post('/api/auth/login', { email, password: TEST_PASSWORD })
  return { page: app.withToken(answer.body.token), cookie: cookieIn(answer.headers['set-cookie']) }
}

/** Cookies that a browser would send with the next request. */
export const cookieIn = (set: string | string[] | number | undefined): string =>
  [set ?? []]
    .flat()
    .map((one) => String(one).split(';')[0])
    .join('; ')
