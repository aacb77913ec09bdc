import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '#tests/support/database/postgres.ts'
import { type StartedServer, startServer } from '#tests/support/server/started-server.ts'
import { TEST_PASSWORD } from '#tests/support/server/test-app.ts'
import { testDialect } from '#tests/support/database/test-database.ts'
import { EVENTUALLY } from '#tests/support/clock/eventually.ts'

const OWNER = { DOSSIER_OWNER_EMAIL: 'owner@example.org', DOSSIER_OWNER_PASSWORD: TEST_PASSWORD }

// Each database needs its own data folder, because a folder belongs to one workspace.
let folder: string
const makeFolder = async (): Promise<void> => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-two-'))
}
const removeFolder = (): Promise<void> => rm(folder, { recursive: true, force: true })

/** Sends a request to one server; uses POST if there is a body. */
async function ask(server: StartedServer, token: string, path: string, body?: unknown) {
  const answer = await fetch(`${server.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'content-type': 'application/json', ...(token !== '' && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: await answer.json() }
}

/** Sends a DELETE request to one server; returns the status. */
async function remove(server: StartedServer, token: string, path: string): Promise<number> {
  const answer = await fetch(`${server.url}${path}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  })
  return answer.status
}

async function signIn(server: StartedServer): Promise<string> {
  const credentials = { email: OWNER.DOSSIER_OWNER_EMAIL, password: TEST_PASSWORD, client: 'api' }
  return (await ask(server, '', '/api/auth/login', credentials)).body.token
}

const onPostgres = testDialect() === 'postgres'
const none = (...ignored: unknown[]) => ignored
const describeOnPostgres = onPostgres ? describe : none
const testOnSqlite = onPostgres ? none : test

testOnSqlite('a second server on one data folder is refused while the first runs', async () => {
  await makeFolder()
  const first = await startServer({ dataFolder: folder, env: OWNER })
  await expect(startServer({ dataFolder: folder, env: OWNER })).rejects.toThrow(/data folder|server/i)
  await first.stop()
  await removeFolder()
})

describeOnPostgres('two servers that start at once on an empty PostgreSQL', () => {
  test('both start, and one of them loads the sample data', async () => {
    await makeFolder()
    const postgres = await createDatabase()
    const place = { dataFolder: folder, databaseUrl: postgres.url, env: { ...OWNER, DOSSIER_SAMPLE: 'yes' } }
    const servers = await Promise.all([startServer(place), startServer(place)])
    const [first] = servers
    const token = await signIn(first)
    const sample = async () => (await ask(first, token, '/api/sample')).body.state
    await expect.poll(sample, { timeout: 60_000 }).toBe('done')
    for (const server of servers) {
      expect((await ask(server, '', '/api/health')).status).toBe(200)
      expect(await server.stop()).toBe(0)
    }
    await postgres.drop()
    await removeFolder()
  })
})

describeOnPostgres('two servers on one PostgreSQL', () => {
  let postgres: TestDatabase
  let first: StartedServer
  let second: StartedServer
  let token: string

  beforeAll(async () => {
    await makeFolder()
    postgres = await createDatabase()
    const place = { dataFolder: folder, databaseUrl: postgres.url, env: OWNER }
    first = await startServer(place)
    second = await startServer(place)
    token = await signIn(first)
    await ask(first, token, '/api/collections', { label: 'Books' })
  })
  afterAll(async () => {
    await first.stop()
    await second.stop()
    await postgres.drop()
    await removeFolder()
  })

  const records = '/api/collections/books/records'
  const totalAt = async (server: StartedServer): Promise<unknown> =>
    (await ask(server, token, `${records}?perPage=1`)).body.total
  const addAt = async (server: StartedServer, title: string): Promise<void> => {
    expect((await ask(server, token, records, { values: { title } })).status).toBe(201)
  }

  test('return correct totals on the next request, no matter which server writes', async () => {
    for (const [at, server] of [first, second, first, second, first, second, second, first].entries()) {
      await addAt(server, `Book ${at}`)
      expect([await totalAt(second), await totalAt(first)]).toEqual([at + 1, at + 1])
    }
  })

  test('see a field that the other server added', async () => {
    const field = { label: 'Pages', kind: 'number' }
    expect((await ask(first, token, '/api/collections/books/fields', field)).status).toBe(201)
    await expect
      .poll(
        async () => (await ask(second, token, records, { values: { title: 'Thick', pages: 900 } })).status,
        EVENTUALLY,
      )
      .toBe(201)
    await expect
      .poll(
        async () => (await ask(first, token, `${records}?filter=${encodeURIComponent('pages > 1')}`)).status,
        EVENTUALLY,
      )
      .toBe(200)
  })

  test('continue to read records while the other server deletes fields', async () => {
    for (const name of ['one', 'two', 'three', 'four', 'five']) {
      expect((await ask(first, token, '/api/collections/books/fields', { label: name, kind: 'number' })).status).toBe(
        201,
      )
      await expect
        .poll(async () => Object.keys((await ask(second, token, records)).body.items[0].values), EVENTUALLY)
        .toContain(name)
      const removed = remove(first, token, `/api/collections/books/fields/${name}`)
      const reading = Array.from({ length: 40 }, async () => (await ask(second, token, records)).status)
      expect(await removed).toBe(200)
      expect(new Set(await Promise.all(reading))).toEqual(new Set([200]))
    }
  })

  test('apply writes missed during a broken connection', async () => {
    const before = Number(await totalAt(second))
    const admin = new Client({ connectionString: postgres.url })
    await admin.connect()
    // Disconnects both notification listeners before data is written.
    const listeners = `pg_stat_activity where application_name like 'dossier listens %' and datname = current_database()`
    await admin.query(`select pg_terminate_backend(pid) from ${listeners}`)
    await addAt(first, 'Written into silence')
    await expect.poll(() => totalAt(second), EVENTUALLY).toBe(before + 1)
    await expect
      .poll(async () => (await admin.query(`select count(*)::int as n from ${listeners}`)).rows[0].n, EVENTUALLY)
      .toBe(2)
    await admin.end()
    await addAt(first, 'Written into ears')
    await expect.poll(() => totalAt(second), EVENTUALLY).toBe(before + 2)
  })

  test('reject a third server with different keys', async () => {
    const own = await mkdtemp(join(tmpdir(), 'dossier-own-'))
    const starting = startServer({ dataFolder: own, databaseUrl: postgres.url, env: OWNER })
    await expect(starting).rejects.toThrow(/DOSSIER_DATA: another server uses this database with different keys/)
    await rm(own, { recursive: true })
  })

  test('notify each other of every commit, even if the writing server dies, but not of rejected writes', async () => {
    const before = Number(await totalAt(second))
    expect((await ask(first, token, records, { values: { nonsense: 1 } })).status).toBe(422)
    await addAt(first, 'Last words')
    await first.kill()
    await expect.poll(() => totalAt(second), EVENTUALLY).toBe(before + 1)
    first = await startServer({ dataFolder: folder, databaseUrl: postgres.url, env: OWNER })
  })
})
