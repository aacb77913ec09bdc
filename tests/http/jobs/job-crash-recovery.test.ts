import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '#tests/support/database/postgres.ts'
import { type StartedServer, startServer } from '#tests/support/server/started-server.ts'
import { TEST_PASSWORD } from '#tests/support/server/test-app.ts'

const OWNER = { DOSSIER_OWNER_EMAIL: 'ada@example.org', DOSSIER_OWNER_PASSWORD: TEST_PASSWORD, DOSSIER_SAMPLE: 'no' }
const RECORDS = 20_000

let folder: string
let postgres: TestDatabase | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-job-'))
  postgres = process.env['DOSSIER_TEST_DATABASE'] === 'postgres' ? await createDatabase() : undefined
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await postgres?.drop()
})

const start = () => startServer({ dataFolder: folder, env: OWNER, ...(postgres && { databaseUrl: postgres.url }) })

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
    return JSON.parse(text)
  }
  const credentials = { email: OWNER.DOSSIER_OWNER_EMAIL, password: TEST_PASSWORD, client: 'api' }
  token = (await ask('POST', '/api/auth/login', credentials)).token
  return ask
}

type Ask = Awaited<ReturnType<typeof ownerOf>>

/** Polls until `isEnough` returns true for a response. */
async function until(ask: Ask, path: string, isEnough: (body: { state: string; done: number }) => boolean) {
  for (;;) {
    const body = await ask('GET', path)
    if (isEnough(body)) return body
  }
}

/** Runs `doctor` while the server is stopped. */
function expectWell(): void {
  const doctor = spawnSync(process.execPath, ['dist/server/cli.js', 'doctor'], {
    encoding: 'utf8',
    env: { ...process.env, DOSSIER_DATA: folder, ...(postgres && { DATABASE_URL: postgres.url }) },
  })
  expect(doctor.status, doctor.stdout + doctor.stderr).toBe(0)
}

/** Creates a collection of parcels with codes and the status “open”. */
async function fill(ask: Ask, collection: string): Promise<void> {
  await ask('POST', '/api/collections', {
    label: collection,
    fields: [
      { label: 'Code', kind: 'text' },
      { label: 'Status', kind: 'text' },
    ],
  })
  const rows = Array.from({ length: RECORDS }, (_, at) => `0${at},open`)
  const csv = `code,status\n${rows.join('\n')}\n`
  const { id } = await ask('POST', `/api/collections/${collection}/imports?encoding=utf-8`, csv)
  await until(ask, `/api/imports/${id}`, ({ state }) => state === 'done')
}

test('a killed job resumes at the next start and changes each record once', async () => {
  const first = await start()
  const before = await ownerOf(first)
  await fill(before, 'parcels')

  const where = { filter: 'status = "open"' }
  const { job } = await before('POST', '/api/collections/parcels/records/bulk', {
    where,
    update: { values: { status: 'sent' } },
  })
  const killedAt = await until(before, `/api/jobs/${job}`, ({ done }) => done > 500)
  expect(killedAt.state).toBe('running')
  await first.kill()

  const second = await start()
  const after = await ownerOf(second)
  const over = await until(after, `/api/jobs/${job}`, ({ state }) => state !== 'running')
  expect(over).toMatchObject({ state: 'done', total: RECORDS, done: RECORDS, failure: null })
  const sent = await after('GET', '/api/collections/parcels/records?count=exact&filter=status%20%3D%20%22sent%22')
  expect(sent.total).toBe(RECORDS)
  expect(sent.items.map((item: { version: number }) => item.version)).toEqual(Array.from({ length: 10 }, () => 2))
  expect(await second.stop()).toBe(0)
  expectWell()
}, 90_000)

test('a killed field type change and its killed undo job resume, and every record gets its former value', async () => {
  let server = await start()
  let ask = await ownerOf(server)
  await fill(ask, 'crates')
  const killedThenOver = async (job: string) => {
    const killedAt = await until(ask, `/api/jobs/${job}`, ({ done }) => done > 500)
    expect(killedAt.state).toBe('running')
    await server.kill()
    expectWell()
    server = await start()
    ask = await ownerOf(server)
    return until(ask, `/api/jobs/${job}`, ({ state }) => state !== 'running')
  }
  const list = '/api/collections/crates/records'
  const last = () => ask('GET', `${list}?count=exact&sort=-code&perPage=1`)

  const { job } = await ask('PATCH', '/api/collections/crates/fields/code', { kind: 'number' })
  expect(await killedThenOver(job)).toMatchObject({ state: 'done', done: RECORDS, failure: null, lost: 0 })
  const numbers = await last()
  expect([numbers.total, numbers.items[0].values.code]).toEqual([RECORDS, RECORDS - 1])

  await ask('PATCH', `${list}/${numbers.items[0].id}`, { values: { code: 0.5 } })
  const undoing = await ask('POST', `/api/change-sets/${job}/undo`)
  expect(await killedThenOver(undoing.job)).toMatchObject({ state: 'done', done: RECORDS, failure: null, lost: 0 })
  const codes = await ask('GET', `${list}?count=exact&sort=code&perPage=2`)
  expect(codes.total).toBe(RECORDS)
  expect(codes.items.map((item: { values: { code: string } }) => item.values.code)).toEqual(['0.5', '00'])
  expect(await server.stop()).toBe(0)
  expectWell()
}, 180_000)

test('a killed deletion job and its killed undo job restore every record once with its ID', async () => {
  let server = await start()
  let ask = await ownerOf(server)
  await fill(ask, 'barrels')
  const list = '/api/collections/barrels/records?count=exact&sort=-code&perPage=3'
  const before = await ask('GET', list)
  const killedThenOver = async (job: string) => {
    const killedAt = await until(ask, `/api/jobs/${job}`, ({ done }) => done > 500)
    expect(killedAt.state).toBe('running')
    await server.kill()
    server = await start()
    ask = await ownerOf(server)
    return until(ask, `/api/jobs/${job}`, ({ state }) => state !== 'running')
  }

  const deleting = await ask('POST', '/api/collections/barrels/records/bulk', {
    where: {},
    delete: true,
    expected: RECORDS,
  })
  expect(await killedThenOver(deleting.job)).toMatchObject({ state: 'done', done: RECORDS })
  expect((await ask('GET', list)).total).toBe(0)

  const undoing = await ask('POST', `/api/change-sets/${deleting.job}/undo`)
  const over = await killedThenOver(undoing.job)
  expect(over).toMatchObject({ state: 'done', total: RECORDS, done: RECORDS, lost: 0, failure: null })
  const after = await ask('GET', list)
  expect(after.total).toBe(RECORDS)
  const facts = ({ id, values, createdAt }: { id: string; values: object; createdAt: string }) => ({
    id,
    values,
    createdAt,
  })
  expect(after.items.map(facts)).toEqual(before.items.map(facts))
  expect(await server.stop()).toBe(0)
  expectWell()
}, 180_000)

test('a killed recalculation resumes at the next start', async () => {
  const first = await start()
  const before = await ownerOf(first)
  await fill(before, 'boxes')
  await before('POST', '/api/collections', { label: 'labels', fields: [{ label: 'Text', kind: 'text' }] })
  const link = { label: 'Box', kind: 'relation', options: { collection: 'boxes', many: false }, reverse: {} }
  await before('POST', '/api/collections/labels/fields', link)
  const count = { label: 'Labels', name: 'number', kind: 'count', options: { path: ['labels'] } }
  await before('POST', '/api/collections/boxes/fields', count)
  const progress = '/api/collections/boxes/fields/number/recalculation'
  const killedAt = await until(before, progress, ({ state, done }) => done > 500 || state === 'done')
  expect(killedAt.state).toBe('running')
  await first.kill()

  const second = await start()
  const after = await ownerOf(second)
  await until(after, progress, ({ state }) => state === 'done')
  const counted = await after('GET', '/api/collections/boxes/records?count=exact&perPage=1&filter=number%20%3D%200')
  expect(counted.total).toBe(RECORDS)
  expect(counted.recalculating).toBeUndefined()
  expect(await second.stop()).toBe(0)
  expectWell()
}, 90_000)
