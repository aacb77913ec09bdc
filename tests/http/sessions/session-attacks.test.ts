import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prepareUser, storeUser } from '#server/identity/users/create-user.ts'
import type { AttackedServer, AttackScenario } from '#tests/support/attacks/attack-log.ts'
import { SESSION_ATTACKS } from '#tests/support/attacks/session-attacks.ts'
import { WINDOW_ATTACKS } from '#tests/support/attacks/session-window-attacks.ts'
import { type Answer, openTestApp, TEST_PASSWORD, type TestApp } from '#tests/support/server/test-app.ts'

const EMAIL = 'victim@example.org'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
  const deps = { clock: app.clock.now, newId: () => 'victim' }
  const prepared = await prepareUser(deps, { email: EMAIL, name: 'V', password: TEST_PASSWORD, roles: ['editor'] })
  await app.database.write((transaction) => storeUser(transaction, prepared))
})
afterAll(() => app.close())

const summaryOf = ({ status, body }: Answer): string => (status < 400 ? String(status) : `${status} ${body.code}`)

const heldIn = ({ body }: Answer) => ({ token: body.token ?? '', refreshToken: body.refresh_token ?? '' })

const common = {
  use: async (token: string) => summaryOf(await app.withToken(token).get('/api/auth/user')),
  wait: async (ms: number) => app.clock.move(ms),
}

/** An API client that receives both tokens in the response body. */
const byBody: AttackedServer = {
  ...common,
  form: 'body',
  signIn: async () =>
    heldIn(await app.guest.post('/api/auth/login', { email: EMAIL, password: TEST_PASSWORD, client: 'api' })),
  refresh: async (refreshToken) => {
    const answer = await app.guest.post('/api/auth/refresh', { refresh_token: refreshToken })
    return { summary: summaryOf(answer), held: heldIn(answer) }
  },
}

const OWN_PAGE = { 'x-requested-with': 'dossier', origin: 'http://localhost:4100', 'sec-fetch-site': 'same-origin' }

/** The refresh token in the browser's cookie after a response. */
function heldByBrowser({ body, headers }: Answer, before: string) {
  const set = /dossier_refresh=([^;]*)/.exec(String(headers['set-cookie']))?.[1]
  return { token: body.token ?? '', refreshToken: set ?? before }
}

/** A browser that stores the refresh token in a cookie. */
const byCookie: AttackedServer = {
  ...common,
  form: 'cookie',
  signIn: async () =>
    heldByBrowser(await app.guest.post('/api/auth/login', { email: EMAIL, password: TEST_PASSWORD }, OWN_PAGE), ''),
  refresh: async (refreshToken) => {
    const cookie = `dossier_refresh=${refreshToken}`
    const answer = await app.guest.post('/api/auth/refresh', undefined, { cookie, ...OWN_PAGE })
    return { summary: summaryOf(answer), held: heldByBrowser(answer, refreshToken) }
  },
}

const ENDED = '401 session-ended'
const REUSED = '401 refresh-reused'

/** Expected responses to four refreshes, each followed by a request. */
const FOUR_ROUNDS = ['1', '2', '3', '4'].flatMap((generation) => [`200 → generation ${generation}`, '200'])

const forEach = (titles: readonly string[], answers: readonly string[]) =>
  Object.fromEntries(titles.map((title) => [title, answers]))

/**
 * Expected responses if victim and thief alternately use each other's token, until a replayed old token ends the
 * session for both.
 */
const LEAPFROG = ['200 → generation 1', '200 → generation 1', '200', '200 → generation 2', '200', REUSED, ENDED, ENDED]

/** Expected responses per step, without times. */
const ANSWERS: { readonly [title: string]: readonly string[] } = {
  '20 refreshes with one token at the same time': ['200; 1 successor, generation 1', '200 → generation 2', '200'],
  // A replayed token of any generation ends the session.
  ...forEach(
    [0, 1, 2, 3].map((generation) => `Generation ${generation} of 4 is played once more`),
    [...FOUR_ROUNDS, REUSED, ...Array<string>(10).fill(ENDED)],
  ),
  'The answer to a refresh is lost on its way': [
    '200 → generation 1',
    '200 → generation 1',
    '200 → generation 1',
    '200',
    '200 → generation 2',
    '200',
  ],
  'A second tab refreshes with the same token within ten seconds': [
    '200 → generation 1',
    '200',
    '200 → generation 1',
    '200',
    '200',
  ],
  ...forEach(
    [
      'The victim refreshes first, then the thief with the same token',
      'The thief refreshes first, then the victim with the same token',
    ],
    ['200 → generation 1', '200', REUSED, ENDED, ENDED],
  ),
  'Leapfrog: thief and victim take turns, each one token behind the other': [...LEAPFROG, ENDED],
  'Leapfrog the other way round: the victim is the one who is behind': [
    '200 → generation 1',
    '200 → generation 1',
    '200 → generation 2',
    '200',
    REUSED,
    ENDED,
    ENDED,
  ],
  'Tokens that were never given out': [...Array<string>(5).fill('401 refresh-invalid'), '200 → generation 1'],
  'A reuse ends the session it is about, and no other': [
    '200 → generation 1',
    '200 → generation 2',
    REUSED,
    ENDED,
    '200',
    '200 → generation 1',
  ],
}

/** Expected responses during the ten seconds in which a browser's refresh token isn't rotated. */
const WINDOW_ANSWERS: typeof ANSWERS = {
  'Ten tabs reload one after another, then at the same time': ['200; generation 1', '200; generation 1'],
  ...forEach(
    ['Leapfrog: the thief is 9 s behind the victim', 'Leapfrog: the victim is 9 s behind the thief'],
    ['200 → generation 1', '200', ...LEAPFROG.slice(1), ENDED],
  ),
  ...forEach(
    ['Leapfrog: the thief is 11 s behind the victim', 'Leapfrog: the victim is 11 s behind the thief'],
    ['200 → generation 1', '200 → generation 1', REUSED, ENDED, ENDED],
  ),
  'The thief takes the current token and uses it within ten seconds': LEAPFROG,
}

async function playOn(server: AttackedServer, { play }: AttackScenario): Promise<readonly string[]> {
  const steps = await play(server)
  return steps.flatMap(({ who, summary }) => (who === '' ? [] : [summary]))
}

describe('an attack on the refresh token', () => {
  test.each(SESSION_ATTACKS)('from an API client: $title', async (scene) => {
    expect(await playOn(byBody, scene)).toEqual(ANSWERS[scene.title])
  })

  test.each(SESSION_ATTACKS)('from a browser: $title', async (scene) => {
    expect(await playOn(byCookie, scene)).toEqual(ANSWERS[scene.title])
  })

  test.each(WINDOW_ATTACKS)('from a browser: $title', async (scene) => {
    expect(await playOn(byCookie, scene)).toEqual(WINDOW_ANSWERS[scene.title])
  })

  test('is audited once per ended session', async () => {
    const [reused, ended] = await Promise.all([
      app.database.read.selectFrom('audit_log').select('about_id').where('kind', '=', 'refresh-reused').execute(),
      app.database.read.selectFrom('sessions').select('id').where('end_reason', '=', 'refresh-reused').execute(),
    ])
    expect(ended).toHaveLength(9 + 9 + 5)
    expect(reused).toEqual(Array(9 + 9 + 5).fill({ about_id: 'victim' }))
  })

  test('never produces two successor tokens, even with twenty concurrent refreshes', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { refreshToken } = await byBody.signIn()
      const [thief, victim] = await Promise.all([
        Promise.all(Array.from({ length: 10 }, () => byBody.refresh(refreshToken))),
        Promise.all(Array.from({ length: 10 }, () => byBody.refresh(refreshToken))),
      ])
      expect(new Set([...thief, ...victim].map(({ held }) => held.refreshToken)).size).toBe(1)
    }
  })

  test('always ends the session if it is concurrent with a sign-out', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { token, refreshToken } = await byBody.signIn()
      const [refreshed] = await Promise.all([
        byBody.refresh(refreshToken),
        app.withToken(token).post('/api/auth/logout'),
      ])
      expect(['200', ENDED]).toContain(refreshed.summary)
      expect(await byBody.use(token)).toBe(ENDED)
      if (refreshed.summary === '200') expect(await byBody.use(refreshed.held.token)).toBe(ENDED)
      expect((await byBody.refresh(refreshToken)).summary).toBe(ENDED)
    }
  })
})
