import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '#tests/support/database/postgres.ts'
import { type StartedServer, startServer } from '#tests/support/server/started-server.ts'
import { TEST_PASSWORD } from '#tests/support/server/test-app.ts'

const OWNER = { DOSSIER_OWNER_EMAIL: 'owner@example.org', DOSSIER_OWNER_PASSWORD: TEST_PASSWORD }
/** Number of concurrent clients, and number of acknowledged writes before each kill. */
const CLIENTS = 8
const ACKNOWLEDGED_BEFORE_KILL = [40, 150, 333]

let folder: string
let postgres: TestDatabase | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-kill-'))
  postgres = process.env['DOSSIER_TEST_DATABASE'] === 'postgres' ? await createDatabase() : undefined
})
afterAll(async () => {
  await postgres?.drop()
  await rm(folder, { recursive: true, force: true })
})

const place = () => ({ dataFolder: folder, env: OWNER, ...(postgres && { databaseUrl: postgres.url }) })

async function ask(server: StartedServer, token: string, path: string, body?: unknown) {
  const answer = await fetch(`${server.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...(token !== '' && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: await answer.json() }
}

async function signIn(server: StartedServer): Promise<string> {
  const credentials = { email: OWNER.DOSSIER_OWNER_EMAIL, password: TEST_PASSWORD, client: 'api' }
  return (await ask(server, '', '/api/auth/login', credentials)).body.token
}

/** Creates records until the server is killed; returns the acknowledged IDs and values. */
async function createUntilKilled(server: StartedServer, token: string, killAfter: number, round: number) {
  const acknowledged = new Map<string, string>()
  let killing: Promise<void> | undefined
  const client = async (name: number) => {
    for (let at = 0; ; at += 1) {
      const title = `round ${round}, client ${name}, record ${at}`
      const answer = await ask(server, token, '/api/collections/burst/records', { values: { title } }).catch(
        () => undefined,
      )
      if (answer === undefined) return
      expect(answer.status).toBe(201)
      acknowledged.set(answer.body.id, title)
      if (acknowledged.size >= killAfter) killing ??= server.kill()
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, name) => client(name)))
  await killing
  return acknowledged
}

async function allTitles(server: StartedServer, token: string): Promise<Map<string, string>> {
  const titles = new Map<string, string>()
  for (let page = 1; ; page += 1) {
    const { body } = await ask(server, token, `/api/collections/burst/records?perPage=500&page=${page}`)
    for (const item of body.items) titles.set(item.id, item.values.title)
    if (body.items.length < 500) return titles
  }
}

test('every acknowledged record survives repeated kill -9, and the doctor command finds no problems', async () => {
  const acknowledged = new Map<string, string>()
  for (const [round, killAfter] of ACKNOWLEDGED_BEFORE_KILL.entries()) {
    const server = await startServer(place())
    const token = await signIn(server)
    if (round === 0) await ask(server, token, '/api/collections', { label: 'Burst' })
    for (const [id, title] of await createUntilKilled(server, token, killAfter, round)) acknowledged.set(id, title)
  }

  const server = await startServer(place())
  const stored = await allTitles(server, await signIn(server))
  expect(await server.stop()).toBe(0)
  expect(acknowledged.size).toBeGreaterThanOrEqual(ACKNOWLEDGED_BEFORE_KILL.reduce((sum, each) => sum + each))
  expect([...acknowledged].filter(([id, title]) => stored.get(id) !== title)).toEqual([])

  const doctor = spawnSync(process.execPath, ['dist/server/cli.js', 'doctor'], {
    encoding: 'utf8',
    env: { ...process.env, DOSSIER_DATA: folder, ...(postgres && { DATABASE_URL: postgres.url }) },
  })
  expect(doctor.status, doctor.stdout + doctor.stderr).toBe(0)
}, 60_000)
