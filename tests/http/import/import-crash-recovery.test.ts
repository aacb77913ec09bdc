import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '#tests/support/database/postgres.ts'
import { type StartedServer, startServer } from '#tests/support/server/started-server.ts'
import { TEST_PASSWORD } from '#tests/support/server/test-app.ts'

const OWNER = { DOSSIER_OWNER_EMAIL: 'ada@example.org', DOSSIER_OWNER_PASSWORD: TEST_PASSWORD, DOSSIER_SAMPLE: 'no' }

let postgres: TestDatabase | undefined
let dataFolder: string

beforeAll(async () => {
  postgres = process.env['DOSSIER_TEST_DATABASE'] === 'postgres' ? await createDatabase() : undefined
  dataFolder = await mkdtemp(join(tmpdir(), 'dossier-killed-'))
})
afterAll(async () => {
  await rm(dataFolder, { recursive: true, force: true })
  await postgres?.drop()
})

const start = (env: Readonly<Record<string, string>> = {}) =>
  startServer({
    dataFolder,
    env: { ...OWNER, ...env },
    ...(postgres === undefined ? {} : { databaseUrl: postgres.url }),
  })

/** Sends requests as the owner, signing in again after each server start. */
async function ownerOf({ url }: StartedServer) {
  let token = ''
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    expect(answer.ok, `${method} ${path}: ${text}`).toBe(true)
    return text === '' ? undefined : JSON.parse(text)
  }
  const signedIn = await ask('POST', '/api/auth/login', {
    email: OWNER.DOSSIER_OWNER_EMAIL,
    password: TEST_PASSWORD,
    client: 'api',
  })
  token = signedIn.token
  return ask
}

type Ask = Awaited<ReturnType<typeof ownerOf>>

const stored = async (ask: Ask, id: string, enough: (progress: { rowsStored: number; state: string }) => boolean) => {
  for (;;) {
    const { state, progress, failure } = await ask('GET', `/api/imports/${id}`)
    if (enough({ ...progress, state })) return { state, failure }
  }
}

const CSV = `code,size\n${Array.from({ length: 60_000 }, (_, at) => `c${at},${at}`).join('\n')}\n`

test('restarting a server killed during imports removes all partial data', async () => {
  const first = await start()
  const before = await ownerOf(first)
  const fields = [
    { label: 'Code', kind: 'text', unique: true },
    { label: 'Size', kind: 'number' },
  ]
  await before('POST', '/api/collections', { label: 'Kept', fields })
  await before('POST', '/api/collections/kept/records', { values: { code: 'mine', size: 1 } })

  const into = await before('POST', '/api/collections/kept/imports', CSV)
  const looked = await before('POST', '/api/imports?name=made.csv', CSV)
  const columns = [{ newField: { label: 'Code', kind: 'text' } }, { skip: true }]
  await before('POST', `/api/imports/${looked.id}/start`, { into: { newCollection: { label: 'Made' } }, columns })
  await stored(before, into.id, ({ rowsStored }) => rowsStored > 1000)
  await stored(before, looked.id, ({ rowsStored }) => rowsStored > 1000)
  await first.kill()

  const second = await start()
  const after = await ownerOf(second)
  for (const id of [into.id, looked.id]) {
    const ended = await stored(after, id, ({ state }) => state !== 'running')
    expect(ended).toMatchObject({ state: 'failed', failure: expect.stringContaining('was interrupted') })
  }
  const { items } = await after('GET', '/api/collections')
  expect(items.map((collection: { name: string }) => collection.name)).toEqual(['kept'])
  expect((await after('GET', '/api/collections/kept/records?count=exact')).total).toBe(1)

  // A leftover row would make this import fail, because codes must be unique.
  const again = await after('POST', '/api/collections/kept/imports', CSV)
  expect(await stored(after, again.id, ({ state }) => state !== 'running')).toMatchObject({ state: 'done' })
  expect((await after('GET', '/api/collections/kept/records?count=exact')).total).toBe(60_001)
  expect(await second.stop()).toBe(0)
}, 120_000)

test('an interrupted sample import is removed, and the sample can be loaded again', async () => {
  const empty = await start()
  await (await ownerOf(empty))('DELETE', '/api/collections/kept')
  expect(await empty.stop()).toBe(0)

  const first = await start({ DOSSIER_SAMPLE: 'yes' })
  const before = await ownerOf(first)
  for (;;) {
    const { state, recordsStored, recordsInAll } = await before('GET', '/api/sample')
    expect(['none', 'running']).toContain(state)
    if (recordsStored > 56 && recordsStored < recordsInAll) break
  }
  await first.kill()

  const second = await start()
  const after = await ownerOf(second)
  const ended = async () => {
    for (;;) {
      const sample = await after('GET', '/api/sample')
      if (sample.state !== 'running') return sample
    }
  }
  expect(await ended()).toMatchObject({ state: 'failed', failure: expect.stringContaining('Load it again') })
  expect((await after('GET', '/api/collections')).items).toEqual([])
  await after('POST', '/api/sample')
  expect(await ended()).toMatchObject({ state: 'done', recordsStored: 14_226 })
  expect(await second.stop()).toBe(0)
}, 120_000)

test('restarting a server killed during an update import restores the updated records', async () => {
  const first = await start({ DOSSIER_SAMPLE: 'no' })
  const before = await ownerOf(first)
  const fields = [
    { label: 'Code', kind: 'text', unique: true },
    { label: 'Size', kind: 'number' },
  ]
  const count = 20_000
  const csv = (size: (at: number) => number) =>
    `code,size\n${Array.from({ length: count }, (_, at) => `c${at},${size(at)}`).join('\n')}\n`
  await before('POST', '/api/collections', { label: 'Changed', fields })
  const made = await before(
    'POST',
    '/api/collections/changed/imports',
    csv(() => 1),
  )
  expect(await stored(before, made.id, ({ state }) => state !== 'running')).toMatchObject({ state: 'done' })

  const sized = async (ask: Ask, filter: string): Promise<number> =>
    (await ask('GET', `/api/collections/changed/records?count=exact&filter=${encodeURIComponent(filter)}`)).total
  const changing = await before(
    'POST',
    '/api/collections/changed/imports?key=code',
    csv(() => 2),
  )
  for (;;) if ((await sized(before, 'size = 2')) > 0) break
  await first.kill()

  const second = await start({ DOSSIER_SAMPLE: 'no' })
  const after = await ownerOf(second)
  expect(await stored(after, changing.id, ({ state }) => state !== 'running')).toMatchObject({ state: 'failed' })
  expect(await sized(after, 'size = 1')).toBe(count)
  const again = await after(
    'POST',
    '/api/collections/changed/imports?key=code',
    csv(() => 3),
  )
  expect(await stored(after, again.id, ({ state }) => state !== 'running')).toMatchObject({ state: 'done' })
  expect(await sized(after, 'size = 3')).toBe(count)
  expect(await second.stop()).toBe(0)
}, 120_000)
