import { type Caller, TEST_PASSWORD, type TestApp } from '#tests/support/server/test-app.ts'

/** Somebody signed in with a browser: its page has the token, and pictures in it are asked for with the cookie alone. */
export type BrowserSession = {
  readonly page: Caller
  /** As a browser sends it. */
  readonly cookie: string
}

/** Signs a user whom a test made in with a browser. */
export async function browserSessionOf(app: TestApp, userId: string | undefined): Promise<BrowserSession> {
  const { email } = await app.database.read
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId ?? '')
    .executeTakeFirstOrThrow()
  const answer = await app.guest.post('/api/auth/login', { email, password: TEST_PASSWORD })
  return { page: app.withToken(answer.body.token), cookie: cookieIn(answer.headers['set-cookie']) }
}

/** What a browser would send back of the cookies it was told to keep. */
export const cookieIn = (set: string | string[] | number | undefined): string =>
  [set ?? []]
    .flat()
    .map((one) => String(one).split(';')[0])
    .join('; ')
