import { randomBytes } from 'node:crypto'
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { backupCommand } from '#server/operations/commands/backup.ts'
import type { Command } from '#server/operations/commands/command.ts'
import { restoreCommand } from '#server/operations/commands/restore.ts'
import { type Config } from '#server/platform/config/config.ts'
import { openDatabase } from '#server/platform/database/open-database.ts'
import { demand } from '#tests/attack/workload/client.ts'
import { logSettled } from '#tests/support/database/settled-log.ts'
import { createTestWorkspace, contentsOf, openOn, type OpenedWorkspace } from '#tests/support/server/test-workspace.ts'
import { deleteOldBackups } from './backup-retention.ts'
import { readManifest } from './manifest.ts'
import { takeBackup } from './take-backup.ts'

const ends: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function aPlace(): Promise<Config> {
  const { config, remove } = await createTestWorkspace()
  ends.push(remove)
  return config
}

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'dossier-backups-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  return folder
}

const clock = () => new Date()

/** Runs a command and returns its output with its exit code or error. */
async function run(command: Command, config: Config, ...args: string[]) {
  const said: string[] = []
  if (!('runAlone' in command)) throw new Error('It runs otherwise.')
  const exit = await command
    .runAlone({ args, config, clock, say: (line) => said.push(line) })
    .then(undefined, (error: unknown) => String(error))
  return { exit, said: said.join('\n') }
}

const fields = [
  { label: 'Title', kind: 'text', required: true, unique: true },
  { label: 'Size', kind: 'number' },
  { label: 'Done', kind: 'checkbox' },
  { label: 'Day', kind: 'date' },
  { label: 'Notes', kind: 'long-text' },
  { label: 'Told', kind: 'rich-text' },
  { label: 'Tags', kind: 'multi-select', options: { choices: [{ name: 'red' }, { name: 'blue' }] } },
  { label: 'Data', kind: 'json' },
  { label: 'Number', kind: 'auto-number' },
  { label: 'Files', kind: 'files' },
]

async function fill({ owner }: OpenedWorkspace) {
  demand(await owner.ask('POST', '/api/collections', { label: 'Cases', fields }), 201)
  const form = new FormData()
  form.append('filepond', new Blob(['the bytes of a file']), 'note.txt')
  const file = demand(await owner.ask('POST', '/api/uploads?collection=cases&field=files', form), 201).text
  const values = {
    title: 'Ärger mit "Anführung" und \\ 😀',
    notes: 'one\ntwo\u2028three\u2029four\tfive \\n \u0085 six',
    size: 1234567.89012345,
    done: true,
    day: '2026-11-20',
    data: { a: [1, 'zwei', null], b: null },
    files: [file],
  }
  demand(await owner.ask('POST', '/api/collections/cases/records', { values }), 201)
  // Rows have different lengths, so that their physical order differs from their ID order.
  const create = Array.from({ length: 400 }, (_, at) => ({
    values: { title: `case ${at}`, size: at, notes: randomBytes((at * 997) % 700).toString('hex') },
  }))
  demand(await owner.ask('POST', '/api/collections/cases/records/bulk', { create }), 200)
  return { file }
}

/** Everything that an owner can read through the API. */
async function sight({ owner }: OpenedWorkspace, file: string) {
  const read = async (path: string) => demand(await owner.ask('GET', path), 200).body
  return {
    records: await read('/api/collections/cases/records?perPage=500&sort=number'),
    found: (await read('/api/collections/cases/records?search=Anf')).items.length,
    collections: await read('/api/collections'),
    roles: await read('/api/roles'),
    file: Buffer.from((await owner.read(`/api/files/${file}`)).bytes).toString(),
  }
}

let place: Config
let opened: OpenedWorkspace
let file: string
let seen: Awaited<ReturnType<typeof sight>>
let backup: string

beforeAll(async () => {
  place = await aPlace()
  opened = await openOn(place)
  ends.push(() => opened.close())
  file = (await fill(opened)).file
  // Otherwise, the search index changes while the backup is compared.
  const { dialect, read } = opened.database
  const pending = () => read.selectFrom('search_pending').selectAll().execute()
  if (dialect === 'sqlite') await vi.waitUntil(async () => (await pending()).length === 0, { timeout: 15_000 })
  seen = await sight(opened, file)
  const folder = await aFolder()
  const done = await run(backupCommand, place, folder)
  expect(done).toMatchObject({ exit: 0, said: expect.stringContaining('Backup written to') })
  backup = join(folder, (await readdir(folder))[0] ?? '')
})

describe('a backup of a running server', () => {
  test('is restored with every page and row into an empty folder, and doctor finds no problems', async () => {
    const elsewhere = await aPlace()
    const restored = await run(restoreCommand, elsewhere, backup)
    expect(restored).toMatchObject({ exit: 0, said: expect.stringContaining('No problems found.') })

    const tables = Object.keys((await readManifest(backup)).rows).filter((table) => table !== 'sessions')
    expect(tables.length).toBeGreaterThan(20)
    const database = await openDatabase(elsewhere, { openedBy: 'command-line' })
    const [was, is] = [await contentsOf(opened.database, tables), await contentsOf(database, tables)]
    await database.close()
    // Excludes the record of the backup itself, which is written afterwards, and the ID that a restore changes.
    const facts = [was, is].map(({ workspace }) => workspace?.filter((row) => !/last-backup|change-log-id/.test(row)))
    expect({ ...is, workspace: facts[1] }).toEqual({ ...was, workspace: facts[0] })

    const there = await openOn(elsewhere)
    expect(await sight(there, file)).toEqual(seen)
    await there.close()
  })

  test('continues auto numbers and enforces unique values after a restore', async () => {
    const elsewhere = await aPlace()
    await run(restoreCommand, elsewhere, backup)
    const there = await openOn(elsewhere)
    const { body } = await there.owner.ask('POST', '/api/collections/cases/records', { values: { title: 'after' } })
    expect(body.values.number).toBe(402)
    const twice = await there.owner.ask('POST', '/api/collections/cases/records', { values: { title: 'after' } })
    expect(twice.status).toBe(422)
    await there.close()
  })

  test('lists all changes in the same order after a restore, but rejects cursors from before it', async () => {
    const elsewhere = await aPlace()
    await run(restoreCommand, elsewhere, backup)
    const there = await openOn(elsewhere)
    await logSettled(there.database)
    const read = async ({ owner }: OpenedWorkspace, query = '') =>
      demand(await owner.ask('GET', `/api/changes?limit=500${query}`), 200).body
    const [before, after] = [await read(opened), await read(there)]
    expect(before.items).toHaveLength(401)
    expect(after.items).toEqual(before.items)
    expect((await there.owner.ask('GET', `/api/changes?after=${before.next}`)).body).toMatchObject({ code: 'gone' })
    demand(await there.owner.ask('POST', '/api/collections/cases/records', { values: { title: 'after' } }), 201)
    await logSettled(there.database)
    expect((await read(there, `&after=${after.next}`)).items).toMatchObject([{ kind: 'created' }])
    await there.close()
  })

  test('lists all changes after a restore even if transactions had higher IDs on the original server', async () => {
    const other = await aPlace()
    const there = await openOn(other)
    demand(await there.owner.ask('POST', '/api/collections', { label: 'Cases', fields }), 201)
    demand(await there.owner.ask('POST', '/api/collections/cases/records', { values: { title: 'first' } }), 201)
    const { dialect, write } = there.database
    if (dialect === 'postgres')
      await write(({ db }) => db.updateTable('changes').set({ transaction_id: '1000000000000' }).execute())
    const folder = await aFolder()
    await run(backupCommand, other, folder)
    await there.close()
    const elsewhere = await aPlace()
    await run(restoreCommand, elsewhere, join(folder, (await readdir(folder))[0] ?? ''))
    const restored = await openOn(elsewhere)
    demand(await restored.owner.ask('POST', '/api/collections/cases/records', { values: { title: 'second' } }), 201)
    await logSettled(restored.database)
    const { items } = demand(await restored.owner.ask('GET', '/api/changes'), 200).body
    const titles = items.map(({ record }: { readonly record: string }) =>
      restored.owner.ask('GET', `/api/collections/cases/records/${record}`).then(({ body }) => body.values.title),
    )
    expect(await Promise.all(titles)).toEqual(['first', 'second'])
    await restored.close()
  })

  test('ends all sessions and keeps API tokens when restored', async () => {
    const elsewhere = await aPlace()
    await run(restoreCommand, elsewhere, backup)
    const there = await openOn(elsewhere)
    expect((await opened.owner.ask('GET', '/api/auth/user')).status).toBe(200)
    const borrowed = there.guest.as(opened.token)
    expect((await borrowed.ask('GET', '/api/auth/user')).status).toBe(401)
    await there.close()
  })

  test('created during an import is valid, and the next start rolls the import back', async () => {
    const busy = await aPlace()
    const there = await openOn(busy)
    await fill(there)
    // The original database's process keeps running alongside the restored copy.
    const livingNeighbour = { host: hostname(), processId: process.ppid, token: 'of another' }
    const soon = new Date(Date.now() + 60_000).toISOString()
    const running = {
      id: '01g00000000000000000000001',
      file_name: 'a.csv',
      bytes: 1,
      state: 'running',
      made_collection: 0,
      progress: JSON.stringify({ bytesRead: 0, rowsRead: 0, rowsStored: 0, runner: livingNeighbour, aliveAt: soon }),
      created_at: new Date().toISOString(),
    } as const
    await there.database.write(({ db }) => db.insertInto('imports').values(running).execute())
    const folder = await aFolder()
    await run(backupCommand, busy, folder)
    await there.close()
    const elsewhere = await aPlace()
    const restored = await run(restoreCommand, elsewhere, join(folder, (await readdir(folder))[0] ?? ''))
    expect(restored, restored.said).toMatchObject({ exit: 0, said: expect.stringContaining('of a.csv is running') })
    const after = await openOn(elsewhere)
    const states = () => after.database.read.selectFrom('imports').select('state').execute()
    await expect.poll(states).not.toEqual([{ state: 'running' }])
    await after.close()
  })

  test('is readable by its owner only', async () => {
    expect((await stat(backup)).mode & 0o077).toBe(0)
    expect((await stat(join(backup, 'keys.json'))).mode & 0o077).toBe(0)
  })

  test('passes verification', async () => {
    expect(await run(backupCommand, place, '--verify', backup)).toMatchObject({
      exit: 0,
      said: expect.stringContaining('Backup verified'),
    })
  })
})

describe('a restore', () => {
  test('rejects a non-empty target, names the alternative option, and changes nothing', async () => {
    const elsewhere = await aPlace()
    await run(restoreCommand, elsewhere, backup)
    const again = await run(restoreCommand, elsewhere, backup)
    expect(again.exit).toMatch(/Nothing was changed.*--replace/s)
    const there = await openOn(elsewhere)
    expect((await sight(there, file)).records.total).toBe(401)
    await there.close()
  })

  test('moves existing data aside with --replace', async () => {
    const elsewhere = await aPlace()
    const first = await openOn(elsewhere)
    demand(await first.owner.ask('POST', '/api/collections', { label: 'Others' }), 201)
    await first.close()
    await rm(join(elsewhere.dataFolder, 'keys.json'))
    expect(await run(restoreCommand, elsewhere, backup, '--replace')).toMatchObject({ exit: 0 })
    const there = await openOn(elsewhere)
    expect((await there.owner.ask('GET', '/api/collections/others')).status).toBe(404)
    expect(await sight(there, file)).toEqual(seen)
    await there.close()
  })

  test('rejects a backup with a damaged part or with wrong file contents', async () => {
    const folder = await aFolder()
    await run(backupCommand, place, folder)
    const copy = join(folder, (await readdir(folder))[0] ?? '')
    const { parts } = await readManifest(copy)
    const [part] = parts.filter(({ path }) => path.startsWith('database/'))
    await appendFile(join(copy, part?.path ?? ''), 'x')
    expect((await run(backupCommand, place, '--verify', copy)).exit).toBe(1)
    const elsewhere = await aPlace()
    expect((await run(restoreCommand, elsewhere, copy)).exit).toMatch(/Nothing was changed.*is damaged/s)
    expect(await readdir(elsewhere.dataFolder)).toEqual([])
  })

  test('reports files whose contents changed in the backup', async () => {
    const folder = await aFolder()
    await run(backupCommand, place, folder)
    const copy = join(folder, (await readdir(folder))[0] ?? '')
    const hash = (await readFile(join(copy, 'blobs.txt'), 'utf8')).trim()
    await writeFile(join(copy, 'blobs', hash.slice(0, 2), hash.slice(2, 4), hash), 'other bytes')
    expect(await run(backupCommand, place, '--verify', copy)).toMatchObject({
      exit: 1,
      said: expect.stringContaining('is damaged'),
    })
    expect((await run(restoreCommand, await aPlace(), copy)).exit).toMatch(/is damaged/)
  })

  test('reports a folder that is not a backup, or an unfinished one', async () => {
    const empty = await aFolder()
    expect((await run(restoreCommand, await aPlace(), empty)).exit).toContain("isn't a backup")
  })
})

describe('an interrupted backup', () => {
  test('leaves no folder that looks like a complete backup', async () => {
    const folder = await aFolder()
    const broken = takeBackup(
      {
        place,
        database: opened.database,
        clock: () => {
          throw new Error('broken off')
        },
        say: () => undefined,
      },
      join(folder, 'one'),
      'inside',
    )
    await expect(broken).rejects.toThrow('broken off')
    const [half = '', ...others] = await readdir(folder)
    expect(half).toMatch(/^one\.\d+\.unfinished$/)
    expect(others).toEqual([])
    await expect(readManifest(join(folder, half))).rejects.toThrow("isn't a backup")
  })

  test('backs up all other files if the contents of one are missing', async () => {
    const elsewhere = await aPlace()
    const there = await openOn(elsewhere)
    const lost = await fill(there)
    await rm(join(elsewhere.dataFolder, 'blobs'), { recursive: true })
    const folder = await aFolder()
    const done = await run(backupCommand, elsewhere, folder)
    expect(done).toMatchObject({ exit: 1, said: expect.stringContaining('1 files were already missing or damaged') })
    expect(lost.file).not.toBe('')
    await there.close()
  })
})

test('keeps only the newest backups, up to the limit', async () => {
  const folder = await aFolder()
  await writeFile(join(folder, 'something else'), '')
  for (let second = 0; second < 3; second += 1) {
    const at = () => new Date(Date.UTC(2026, 10, 20, 9, 0, second))
    if (!('runAlone' in backupCommand)) throw new Error('It runs otherwise.')
    await backupCommand.runAlone({ args: [folder, '--keep', '2'], config: place, clock: at, say: () => undefined })
  }
  expect(await readdir(folder)).toEqual([
    'dossier-2026-11-20T09-00-01Z',
    'dossier-2026-11-20T09-00-02Z',
    'something else',
  ])
})

test('deletes abandoned backups during the next backup, but not those still being written', async () => {
  const folder = await aFolder()
  const halves = ['dossier-2026-11-20T09-00-01Z.7.unfinished', 'dossier-2026-11-20T09-00-02Z.8.unfinished']
  for (const half of halves) await mkdir(join(folder, half))
  const at = new Date('2026-11-20T10:00:00.000Z')
  await utimes(join(folder, halves[0] ?? ''), at, new Date(at.getTime() - 25 * 60 * 60 * 1000))
  await utimes(join(folder, halves[1] ?? ''), at, new Date(at.getTime() - 60 * 60 * 1000))
  const manifest = await readManifest(backup)
  await deleteOldBackups(folder, { name: 'dossier-2026-11-20T09-30-00Z', manifest }, { count: 1, now: at })
  expect(await readdir(folder)).toEqual(halves.slice(1))
})

describe('a replacing restore', () => {
  test('is rejected without changes while another process uses the database', async () => {
    const elsewhere = await aPlace()
    const there = await openOn(elsewhere)
    const refused = await run(restoreCommand, elsewhere, backup, '--replace')
    expect(refused.exit).toMatch(/Nothing was changed/)
    expect(await readdir(elsewhere.dataFolder)).not.toContain('restoring')
    expect((await there.owner.ask('GET', '/api/auth/user')).status).toBe(200)
    await there.close()
  })

  test('moves an unreadable key file and a damaged database aside unchanged', async () => {
    const elsewhere = await aPlace()
    await (await openOn(elsewhere)).close()
    await writeFile(join(elsewhere.dataFolder, 'keys.json'), '{"keys":')
    const isFile = elsewhere.databaseUrl === undefined
    if (isFile) await writeFile(join(elsewhere.dataFolder, 'dossier.db'), 'no database any more')
    expect(await run(restoreCommand, elsewhere, backup, '--replace')).toMatchObject({ exit: 0 })
    const name = (await readdir(elsewhere.dataFolder)).find((each) => each.startsWith('replaced-')) ?? ''
    const read = (file: string) => readFile(join(elsewhere.dataFolder, name, file), 'utf8')
    expect(await read('keys.json')).toBe('{"keys":')
    if (isFile) expect(await read('database/dossier.db')).toBe('no database any more')
    const there = await openOn(elsewhere)
    expect(await sight(there, file)).toEqual(seen)
    await there.close()
  })
})
