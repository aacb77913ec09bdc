import { setTimeout as wait } from 'node:timers/promises'
import type { AttackedServer, AttackScenario, AttackStep } from '#tests/support/attacks/attack-log.ts'
import { SESSION_ATTACKS } from '#tests/support/attacks/session-attacks.ts'
import { WINDOW_ATTACKS } from '#tests/support/attacks/session-window-attacks.ts'
import { startServer } from '#tests/support/server/started-server.ts'

/**
 * Attacks sessions on a new server over HTTP and prints the responses. Usage: `node scripts/attack-sessions.ts`.
 * `tests/http/sessions/session-attacks.test.ts` asserts the same scenarios.
 */
const OWNER = { email: 'victim@example.org', password: 'seven otters play the violin' }

async function ask(url: string, init: RequestInit) {
  const answer = await fetch(url, init)
  const body = await answer.json()
  return { summary: answer.ok ? String(answer.status) : `${answer.status} ${body.code}`, body, headers: answer.headers }
}

const post = (url: string, body: object | undefined, headers: Record<string, string> = {}) =>
  ask(url, {
    method: 'POST',
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })

type Requested = Awaited<ReturnType<typeof ask>>

/** Runs serially, because the server limits concurrent sign-ins. */
function inTurn<Answer>(work: () => Promise<Answer>): () => Promise<Answer> {
  let last: Promise<Answer> | undefined
  return () => {
    last = last === undefined ? work() : last.then(work)
    return last
  }
}

const common = (url: string) => ({
  use: async (token: string) =>
    (await ask(`${url}/api/auth/user`, { headers: { authorization: `Bearer ${token}` } })).summary,
  wait: async (ms: number) => wait(ms),
})

/** API client, which gets both tokens in the response body. */
function byBody(url: string): AttackedServer {
  const heldIn = ({ body }: Requested) => ({ token: body.token ?? '', refreshToken: body.refresh_token ?? '' })
  return {
    ...common(url),
    form: 'body',
    signIn: inTurn(async () => heldIn(await post(`${url}/api/auth/login`, { ...OWNER, client: 'api' }))),
    refresh: async (refreshToken) => {
      const response = await post(`${url}/api/auth/refresh`, { refresh_token: refreshToken })
      return { summary: response.summary, held: heldIn(response) }
    },
  }
}

/** Browser, which gets the refresh token as a cookie. */
function byCookie(url: string): AttackedServer {
  const ownPage = { origin: url, 'x-requested-with': 'dossier' }
  const heldAfter = ({ body, headers }: Requested, before: string) => ({
    token: body.token ?? '',
    refreshToken: /dossier_refresh=([^;]*)/.exec(headers.getSetCookie().join('\n'))?.[1] ?? before,
  })
  return {
    ...common(url),
    form: 'cookie',
    signIn: inTurn(async () => heldAfter(await post(`${url}/api/auth/login`, OWNER, ownPage), '')),
    refresh: async (refreshToken) => {
      const cookie = `dossier_refresh=${refreshToken}`
      const response = await post(`${url}/api/auth/refresh`, undefined, { ...ownPage, cookie })
      return { summary: response.summary, held: heldAfter(response, refreshToken) }
    },
  }
}

function print(title: string, steps: readonly AttackStep[]): void {
  const width = (pick: (step: AttackStep) => string) => Math.max(...steps.map((step) => pick(step).length))
  const [who, does] = [width((step) => step.who), width((step) => step.does)]
  console.log(`\n${title}`)
  for (const step of steps)
    console.log(`  ${step.who.padEnd(who)}  ${step.does.padEnd(does)}  ${step.summary}`.trimEnd())
}

const server = await startServer({
  env: { DOSSIER_OWNER_EMAIL: OWNER.email, DOSSIER_OWNER_PASSWORD: OWNER.password, DOSSIER_SAMPLE: 'no' },
})

async function playAll(who: string, attacked: AttackedServer, scenes: readonly AttackScenario[]) {
  return Promise.all(
    scenes.map(async ({ title, play }) => ({ title: `${who}: ${title}`, steps: await play(attacked) })),
  )
}

try {
  console.log(`Attacking ${server.url}. Most of the time is spent waiting for tokens to age.`)
  const played = await Promise.all([
    playAll('A program', byBody(server.url), SESSION_ATTACKS),
    playAll('A browser', byCookie(server.url), [...SESSION_ATTACKS, ...WINDOW_ATTACKS]),
  ])
  for (const { title, steps } of played.flat()) print(title, steps)
} finally {
  await server.stop()
}
