import { cp, mkdtemp, open, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { startCommand } from '#tests/support/server/started-command.ts'
import { type StartedServer, startServer } from '#tests/support/server/started-server.ts'

// Simulates a failing disk by corrupting pages of the database file. Search indexes are rebuilt; any other damage makes
// the server read-only.

const OWNER = { DOSSIER_OWNER_EMAIL: 'ada@example.org', DOSSIER_OWNER_PASSWORD: 'vexing-quartz-87-lamps' }
const RECORDS = 1500

/** The data folder of a stopped workspace whose records contain texts. */
let whole: string
let folder: string
let server: StartedServer
let token: string

beforeAll(async () => {
  whole = await mkdtemp(join(tmpdir(), 'dossier-whole-'))
  server = await startServer({ dataFolder: whole, env: OWNER })
  token = await signIn()
  for (const label of ['Papers', 'Places']) {
    await ask('POST', '/api/collections', { label, fields: [{ label: 'Title', kind: 'text' }] })
  }
  const create = Array.from({ length: RECORDS }, (_, at) => ({
    values: { title: `paper ${at} ${'long '.repeat(20)}` },
  }))
  expect((await ask('POST', '/api/collections/papers/records/bulk', { create })).status).toBe(200)
  await server.stop()
})
afterEach(async () => {
  await server.kill()
  await rm(folder, { recursive: true, force: true })
})
afterAll(() => rm(whole, { recursive: true, force: true }))

async function ask(method: string, path: string, body?: unknown) {
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: JSON.parse(await answer.text()) }
}

/** A sign-in that shares a commit with the discovery of the damage gets 503, and can be repeated. */
async function signIn(): Promise<string> {
  const body = { email: OWNER.DOSSIER_OWNER_EMAIL, password: OWNER.DOSSIER_OWNER_PASSWORD, client: 'api' }
  const send = () =>
    fetch(`${server.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  return vi.waitFor(async () => {
    const answer = await send()
    expect(answer.status).toBe(200)
    const { token: signedIn } = await answer.json()
    return signedIn
  })
}

/** Starts the server on a copy of the workspace with one damaged page. */
async function startDamaged(fits: RegExp, place: 'first' | 'middle'): Promise<string> {
  folder = await mkdtemp(join(tmpdir(), 'dossier-hurt-'))
  await cp(whole, folder, { recursive: true })
  const hurt = await damageFile(folder, fits, place)
  server = await startServer({ dataFolder: folder })
  return hurt
}

const LIST = '/api/collections/papers/records'
const create = (collection: string) =>
  ask('POST', `/api/collections/${collection}/records`, { values: { title: 'a new paper' } })
const ready = () => ask('GET', '/api/ready')
const examined = async (): Promise<string> => {
  const command = await startCommand({ dataFolder: folder }, ['doctor'])
  return (await command.over).printed
}

describe('a damaged search index', () => {
  test.each([
    [/^s_.*_data$/, 'first'],
    [/^s_.*_data$/, 'middle'],
    [/^s_.*_docsize$/, 'first'],
    [/^s_.*_config$/, 'first'],
    [/^s_.*_idx$/, 'first'],
  ] as const)('is rebuilt without data loss (%s, %s page)', async (fits, place) => {
    await startDamaged(fits, place)
    token = await signIn()
    await ask('GET', `${LIST}?search=paper`)
    await create('papers')
    await expect.poll(async () => (await create('papers')).status).toBe(201)
    await expect.poll(async () => (await ask('GET', `${LIST}?search="paper 77 "`)).body.total).toBe(1)
    await expect.poll(async () => (await ask('GET', `${LIST}?search="new paper"`)).status).toBe(200)
    await expect.poll(async () => (await ready()).status).toBe(200)
    await expect.poll(examined).toContain('ok     Search indexes are complete')
  })

  test("doesn't block backup and restore after the index is rebuilt", async () => {
    await startDamaged(/^s_.*_data$/, 'first')
    token = await signIn()
    await ask('GET', `${LIST}?search=paper`)
    await create('papers')
    await expect.poll(examined).toContain('ok     The database file is intact')
    await server.stop()
    const run = async (...words: readonly string[]) => (await startCommand({ dataFolder: folder }, words)).over
    const backups = join(folder, 'backups')
    expect(await run('backup', backups)).toMatchObject({ exitCode: 0 })
    const backup = join(backups, (await readdir(backups))[0] ?? '')
    expect(await run('restore', backup, '--replace')).toMatchObject({ exitCode: 0 })
    expect(await examined()).toContain('ok     The database file is intact')
  })
})

describe('a database with damaged records', () => {
  test('is reported and remains readable, but rejects writes even after a restart', async () => {
    const table = await startDamaged(/^c_/, 'middle')
    token = await signIn()
    expect(await ask('GET', `${LIST}?perPage=500&page=2`)).toMatchObject({
      status: 503,
      body: { code: 'database-damaged' },
    })
    await expect.poll(async () => (await create('places')).body.code).toBe('database-damaged')
    expect(await ready()).toMatchObject({ status: 503, body: { code: 'database-damaged' } })
    expect((await ask('GET', '/api/collections/places/records')).status).toBe(200)

    await server.stop()
    server = await startServer({ dataFolder: folder, startedWhen: 'health' })
    expect((await create('places')).body.code).toBe('database-damaged')
    token = await signIn()
    expect((await ask('GET', '/api/collections/places/records')).status).toBe(200)
    expect(await examined()).toContain(`Damaged: records of papers (${table}).`)
  })

  test('works again after the database file is replaced', async () => {
    await startDamaged(/^c_/, 'middle')
    token = await signIn()
    await ask('GET', `${LIST}?perPage=500&page=2`)
    await expect.poll(async () => (await create('places')).body.code).toBe('database-damaged')
    await server.stop()
    await cp(join(whole, 'dossier.db'), join(folder, 'dossier.db'))
    server = await startServer({ dataFolder: folder })
    token = await signIn()
    expect((await create('places')).status).toBe(201)
  })
})

describe('doctor', () => {
  test.each([[/^sessions$/], [/^workspace$/], [/^changes$/]])(
    'a damaged system table is reported by name (%s)',
    async (fits) => {
      folder = await mkdtemp(join(tmpdir(), 'dossier-hurt-'))
      await cp(whole, folder, { recursive: true })
      const table = await damageFile(folder, fits, 'first')
      expect(await examined()).toContain(`Damaged: table ${table}.`)
    },
  )
})

/**
 * Simulates disk corruption: overwrites a page of the first table or index whose name matches, and returns that name.
 */
async function damageFile(dataFolder: string, fits: RegExp, place: 'first' | 'middle'): Promise<string> {
  const file = join(dataFolder, 'dossier.db')
  const { name, page, size } = findPage(file, fits, place)
  const handle = await open(file, 'r+')
  await handle.write(Buffer.alloc(size, 0xab), 0, size, (page - 1) * size)
  await handle.close()
  return name
}

type Pages = { readonly name: string; readonly page: number }

function findPage(file: string, fits: RegExp, place: 'first' | 'middle') {
  const db = new BetterSqlite(file)
  try {
    db.pragma('wal_checkpoint(truncate)')
    const rows = db.prepare('select name, pageno as page from dbstat order by pageno').all() as Pages[]
    const pages = rows.filter(({ name }) => fits.test(name))
    const found = pages.at(place === 'first' ? 0 : Math.floor(pages.length / 2))
    if (!found) throw new Error(`The file has no page of ${fits.source}.`)
    return { ...found, size: Number(db.pragma('page_size', { simple: true })) }
  } finally {
    db.close()
  }
}
