import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import type { Config } from '#server/platform/config/config.ts'
import { restoreCommand } from '#server/operations/commands/restore.ts'
import { ALL_MIGRATIONS, migrate } from '#server/platform/database/migrations/migrate.ts'
import { type Migration, runStatements } from '#server/platform/database/migrations/migration.ts'
import { openDatabase } from '#server/platform/database/open-database.ts'
import { runDoctor } from '#server/operations/doctor/run-checks.ts'
import { createFixtureAt, createWorkspace020, EXPECTED_CONTENT } from '#tests/support/database/migration-fixtures.ts'
import { createTestWorkspace, contentsOf, openOn, OWNER } from '#tests/support/server/test-workspace.ts'
import { demand, signIn } from '#tests/attack/workload/client.ts'
import { readManifest } from './manifest.ts'
import { upgrade } from './upgrade.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function createPlace(): Promise<Config> {
  const { config, remove } = await createTestWorkspace()
  ends.push(remove)
  // No owner is configured, because one already exists.
  return { ...config, owner: undefined }
}

const clock = () => new Date()

async function withDatabase<Answer>(
  config: Config,
  work: (database: Awaited<ReturnType<typeof openDatabase>>) => Promise<Answer>,
) {
  const database = await openDatabase(config, { openedBy: 'command-line' })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Checks the user-visible data: values, files, sign-in and permissions. */
async function expectUsable(config: Config): Promise<void> {
  const { owner, guest, close } = await openOn(config)
  ends.push(close)
  const ask = async (path: string) => demand(await owner.ask('GET', path), 200).body
  const { items } = await ask('/api/collections/cases/records?sort=size')
  expect(items.map(({ values }: { values: object }) => values)).toEqual(EXPECTED_CONTENT.values)
  expect((await ask('/api/collections/cases/records?search=first')).items).toHaveLength(1)
  expect(Buffer.from((await owner.read(`/api/files/${EXPECTED_CONTENT.file.id}`)).bytes).toString()).toBe(
    EXPECTED_CONTENT.file.text,
  )
  const viewer = guest.as((await signIn(guest, EXPECTED_CONTENT.viewer, OWNER.password)).token)
  expect((await viewer.ask('GET', '/api/collections/cases/records')).status).toBe(200)
  expect((await viewer.ask('POST', '/api/collections/cases/records', { values: { title: 'x' } })).status).toBe(403)
  demand(await owner.ask('POST', '/api/collections/cases/records', { values: { title: 'New' } }), 201)
  ends.pop()
  await close()
}

const tablesIn = async (config: Config, backup: string): Promise<readonly string[]> =>
  Object.keys((await readManifest(join(config.dataFolder, 'backups', backup))).rows)

const newest = ALL_MIGRATIONS.at(-1)?.number ?? 0

const addsTable: Migration = {
  number: newest + 1,
  name: 'adds-table',
  apply: (transaction) => runStatements(transaction, ['create table pens (ink text)']),
}
const fails: Migration = {
  number: newest + 2,
  name: 'fails',
  apply: (transaction) => runStatements(transaction, ['create table pencils (lead text)', 'this is no SQL']),
}

describe.each(ALL_MIGRATIONS)('a database at migration $number ($name)', ({ number }) => {
  test('is upgraded, can be restored from the upgrade backup, and is usable', async () => {
    const config = await createPlace()
    const lines: string[] = []
    const say = (line: string): void => void lines.push(line)
    await withDatabase(config, (database) => createFixtureAt(number, database, config))
    const migrations = [...ALL_MIGRATIONS, addsTable]
    const steps = await withDatabase(config, (database) => upgrade({ config, database, clock, say, migrations }))
    expect(steps).toHaveLength(newest - number + 1)
    expect(lines.join('\n')).toContain('Writing a backup first')

    const [backup = ''] = await readdir(join(config.dataFolder, 'backups'))
    if (!('runAlone' in restoreCommand)) throw new Error('The restore command must open its database itself.')
    const args = [join(config.dataFolder, 'backups', backup), '--replace']
    expect(await restoreCommand.runAlone({ args, config, clock, say })).toBe(0)
    const tables = (await tablesIn(config, backup)).filter((table) => table !== 'sessions')
    const twin = await createPlace()
    await withDatabase(twin, (database) => createFixtureAt(number, database, twin))
    const [restored, original] = await Promise.all(
      [config, twin].map((place) => withDatabase(place, (database) => contentsOf(database, tables))),
    )
    expect(withoutVariable(restored)).toEqual(withoutVariable(original))

    await withDatabase(config, (database) => upgrade({ config, database, clock, say }))
    await expectUsable(config)
    expect(
      await withDatabase(config, (database) => runDoctor({ config, database, clock, say })),
      lines.join('\n'),
    ).toBe(0)
  })
})

type Contents = Awaited<ReturnType<typeof contentsOf>> | undefined

/** Excludes the backup's own rows, the IDs assigned by a restore, and password hashes, whose salts differ. */
const withoutVariable = (contents: Contents) => ({
  ...contents,
  users: contents?.['users']?.map((row) => row.replace(/"\$argon2[^"]*"/, '""')),
  workspace: contents?.['workspace']?.filter((row) => !/blobs-held-until|workspace-id|change-log-id/.test(row)),
})

test('a workspace of version 0.2.0 keeps its records and log, which become histories and the trash', async () => {
  const config = await createPlace()
  const say = (): void => undefined
  const doctor = () => withDatabase(config, (database) => runDoctor({ config, database, clock, say }))
  const rows = await withDatabase(config, async (database) => {
    const stored = await createWorkspace020(database, config)
    await upgrade({ config, database, clock, say })
    const { changes } = await contentsOf(database, ['changes'])
    expect(stored['changes']?.filter(({ id }) => !changes?.some((row) => row.includes(`"id":"${id}"`)))).toEqual([])
    expect(changes).toHaveLength(stored['changes']?.length ?? 0)
    return stored
  })
  expect(await doctor()).toBe(0)

  const { owner, close } = await openOn(config)
  ends.push(close)
  const ask = async (path: string, body?: object) =>
    demand(await owner.ask(body ? 'POST' : 'GET', path, body), 200).body
  const records = '/api/collections/cases/records'
  const { items } = await ask(records)
  const [first, third, imported] = items
  expect(items.map(({ values }: { values: object }) => values)).toMatchObject([
    { title: 'case 1, changed', size: 10, status: 'Done', related: [] },
    { title: 'case 3', size: 3, status: 'Open', note: 'a note', related: [] },
    { title: 'imported 1', size: 7 },
    { title: 'imported 2', size: 6 },
  ])

  const historyOf = async ({ id }: { id: string }) => (await ask(`${records}/${id}/history`)).items
  expect(await historyOf(first)).toMatchObject([
    { kind: 'moved', note: 'It is done.', changes: [{ field: 'status', before: 'Open', after: 'Done' }] },
    {
      kind: 'changed',
      user: { name: 'owner' },
      changes: [
        { field: 'title', before: 'case 1' },
        { before: 1, after: 10 },
      ],
    },
    { kind: 'created', changes: expect.arrayContaining([expect.objectContaining({ after: 'case 1' })]) },
  ])
  // The change of a link to a record in the trash isn't shown.
  const kinds = ['changed', 'restored', 'deleted', 'created']
  expect((await historyOf(third)).map(({ kind }: { kind: string }) => kind)).toEqual(kinds)
  expect(await historyOf(imported)).toMatchObject([
    { kind: 'changed', changes: [{ field: 'size', before: 5, after: 7 }] },
    { kind: 'created', via: 'import', source: 'import.csv' },
  ])
  const at = rows['changes']?.find(({ kind }) => kind === 'record-moved')?.['at']
  const then = (await ask(`${records}?at=${String(at)}&sort=title&filter=size < 5`)).items
  expect(then.map(({ values }: { values: { title: string } }) => values.title)).toEqual(['case 2', 'case 3', 'case 4'])

  const trash = (await ask('/api/trash')).items.map(({ record }: { record: { id: string } }) => record)
  expect(trash).toMatchObject([{ values: { title: 'case 2' } }, { values: { title: 'case 4' } }])
  const deleted = trash.map(({ id }: { id: string }) => id)
  expect(await ask('/api/trash/restore', { records: deleted })).toEqual({ restored: 2 })
  const [second] = (await ask(`${records}?filter=title = "case 2"&expand=*`)).items
  expect(Buffer.from((await owner.read(second.values.files[0].url)).bytes).toString()).toBe('file 2')
  const undone = (await ask('/api/activity?kind=record-deleted')).items
  // Version 0.2.0 didn't store that the second one was undone.
  expect(undone.map(({ isUndone }: { isUndone: boolean }) => isUndone)).toEqual([true, false, true])
  ends.pop()
  await close()
  expect(await doctor()).toBe(0)
})

describe('an upgrade', () => {
  test('changes nothing if it fails, reports the error and names the backup', async () => {
    const config = await createPlace()
    await withDatabase(config, async (database) => {
      await migrate(database)
      const failing = upgrade({
        config,
        database,
        clock,
        say: () => undefined,
        migrations: [...ALL_MIGRATIONS, addsTable, fails],
      })
      await expect(failing).rejects.toThrow(/was rolled back.*backups.*before-upgrade/s)
      await expect(sql`select * from pens`.execute(database.read)).rejects.toThrow(/pens/)
    })
  })

  test('creates no backup for a new workspace or without pending migrations', async () => {
    const config = await createPlace()
    await withDatabase(config, async (database) => {
      await upgrade({ config, database, clock, say: () => undefined })
      await upgrade({ config, database, clock, say: () => undefined })
    })
    expect(await readdir(config.dataFolder)).not.toContain('backups')
  })

  test('creates no backup if backups are disabled', async () => {
    const config = { ...(await createPlace()), backsUpBeforeUpgrade: false }
    await withDatabase(config, async (database) => {
      await migrate(database)
      await upgrade({ config, database, clock, say: () => undefined, migrations: [...ALL_MIGRATIONS, addsTable] })
    })
    expect(await readdir(config.dataFolder)).not.toContain('backups')
  })

  test('keeps the last three upgrade backups', async () => {
    const config = await createPlace()
    await withDatabase(config, async (database) => {
      await migrate(database)
      for (let number = 1; number <= 4; number += 1) {
        const step = { ...addsTable, number: newest + number, apply: () => Promise.resolve() }
        const known = Array.from({ length: number - 1 }, (_, at) => ({
          ...step,
          number: newest + at + 1,
        }))
        const at = () => new Date(Date.UTC(2026, 10, 20, 9, number))
        await upgrade({
          config,
          database,
          clock: at,
          say: () => undefined,
          migrations: [...ALL_MIGRATIONS, ...known, step],
        })
      }
    })
    expect(await readdir(join(config.dataFolder, 'backups'))).toEqual(
      ['02', '03', '04'].map((minute) => `before-upgrade-2026-11-20T09-${minute}-00Z`),
    )
  })
})
