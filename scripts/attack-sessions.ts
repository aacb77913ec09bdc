import { setTimeout as wait } from 'node:timers/promises'
import { type AttackedServer, SESSION_ATTACKS, type Step } from '#tests/support/session-attacks.ts'
import { startServer } from '#tests/support/started-server.ts'

/**
 * Attacks the sessions of a freshly started server over HTTP and prints what it answered:
 * `node scripts/attack-sessions.ts`. The same scenes are held in `tests/http/session-attacks.test.ts`.
 */
const OWNER = { email: 'victim@example.org', password: 'seven otters play the violin' }

async function ask(url: string, init: RequestInit) {
  const answer = await fetch(url, init)
  const body = await answer.json()
  return { said: answer.ok ? String(answer.status) : `${answer.status} ${body.code}`, body }
}

const post = (url: string, body: object) =>
  ask(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

function reach(url: string): AttackedServer {
  const heldIn = (body: { readonly token?: string; readonly refresh_token?: string }) => ({
    token: body.token ?? '',
    refreshToken: body.refresh_token ?? '',
  })
  const signIn = async () => heldIn((await post(`${url}/api/auth/login`, { ...OWNER, client: 'api' })).body)
  let lastSignIn: ReturnType<typeof signIn> | undefined
  return {
    // One after another: many at once would rightly be told to wait.
    signIn: () => {
      lastSignIn = lastSignIn === undefined ? signIn() : lastSignIn.then(signIn)
      return lastSignIn
    },
    refresh: async (refreshToken) => {
      const { said, body } = await post(`${url}/api/auth/refresh`, { refresh_token: refreshToken })
      return { said, held: heldIn(body) }
    },
    use: async (token) => (await ask(`${url}/api/auth/user`, { headers: { authorization: `Bearer ${token}` } })).said,
    wait: (ms) => wait(ms),
  }
}

function print(title: string, steps: readonly Step[]): void {
  const width = (pick: (step: Step) => string) => Math.max(...steps.map((step) => pick(step).length))
  const [who, does] = [width((step) => step.who), width((step) => step.does)]
  console.log(`\n${title}`)
  for (const step of steps) console.log(`  ${step.who.padEnd(who)}  ${step.does.padEnd(does)}  ${step.said}`.trimEnd())
}

const server = await startServer({
  env: { DOSSIER_OWNER_EMAIL: OWNER.email, DOSSIER_OWNER_PASSWORD: OWNER.password, DOSSIER_SAMPLE: 'no' },
})
try {
  const attacked = reach(server.url)
  console.log(`Attacking ${server.url}; most of the time is waiting until a duplicate is one no more.`)
  const played = await Promise.all(
    SESSION_ATTACKS.map(async ({ title, play }) => ({ title, steps: await play(attacked) })),
  )
  for (const { title, steps } of played) print(title, steps)
} finally {
  await server.stop()
}
