import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createIdGenerator } from '#domain/shared/ids.ts'
import { ensureOwner } from '#server/identity/setup/ensure-owner.ts'
import { openTestDatabase, type OpenTestDatabase } from '#tests/support/database/test-database.ts'
import { csvPathOf, isThere } from './staged-files.ts'
import { withUploadSlot } from '#server/transfer/imports/receive-csv.ts'
import { updateImport, listUserImports, insertImport } from '#server/transfer/imports/store.ts'
import { NO_PROGRESS } from '#server/transfer/imports/stored-import.ts'

let opened: OpenTestDatabase
let dataFolder: string
beforeAll(async () => {
  opened = await openTestDatabase()
  dataFolder = await mkdtemp(join(tmpdir(), 'dossier-staging-'))
})
afterAll(async () => {
  await opened.close()
  await rm(dataFolder, { recursive: true })
})

const clock = () => new Date('2026-11-20T09:00:00.000Z')
const newId = createIdGenerator(Date.now, randomBytes)
const place = { fileName: 'a.csv', bytes: 8, collection: null, madeCollection: false, look: null }
const LEFT = { progress: NO_PROGRESS, failure: null, createdAt: clock().toISOString(), endedAt: null }

test('the oldest uploaded CSV file is kept if its import starts during cleanup', async () => {
  const { database } = opened
  await ensureOwner(
    { database, clock, newId },
    { email: 'ada@example.org', name: 'Ada', password: 'vexing-quartz-87-lamps' },
  )
  const { id: userId } = await database.read.selectFrom('users').select('id').executeTakeFirstOrThrow()
  const ids = Array.from({ length: 11 }, newId)
  for (const id of ids) {
    await database.write((transaction) => insertImport(transaction, { id, userId, state: 'ready', ...place, ...LEFT }))
    await mkdir(dirname(csvPathOf({ dataFolder }, id)), { recursive: true })
    await writeFile(csvPathOf({ dataFolder }, id), 'a,b\n1,2\n')
  }
  const [oldest = ''] = ids
  const write: typeof database.write = async (work) => {
    await database.write((transaction) => updateImport(transaction, oldest, { state: 'running' }))
    return database.write(work)
  }
  const deps = { database: { ...database, write }, clock, dataFolder, receiving: new Map<string, number>() }
  await withUploadSlot(deps, { type: 'user', userId, sessionId: null, name: 'Ada', grants: [] }, async () => undefined)
  expect(await listUserImports(database.read, userId)).toContainEqual({ id: oldest, bytes: 8, state: 'running' })
  expect(await isThere(csvPathOf({ dataFolder }, oldest))).toBe(true)
})
