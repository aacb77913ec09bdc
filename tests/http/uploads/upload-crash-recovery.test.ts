import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '#tests/support/database/postgres.ts'
import { type StartedServer, startServer } from '#tests/support/server/started-server.ts'
import { TEST_PASSWORD } from '#tests/support/server/test-app.ts'
import { tusSender } from '#tests/support/files/tus-sender.ts'

const OWNER = { DOSSIER_OWNER_EMAIL: 'owner@example.org', DOSSIER_OWNER_PASSWORD: TEST_PASSWORD, DOSSIER_SAMPLE: 'no' }

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

const start = () =>
  startServer({ dataFolder, env: OWNER, ...(postgres === undefined ? {} : { databaseUrl: postgres.url }) })

async function tokenAt({ url }: StartedServer): Promise<string> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: OWNER.DOSSIER_OWNER_EMAIL, password: TEST_PASSWORD, client: 'api' }),
  })
  return (await answer.json()).token
}

test('a server killed during an upload keeps every acknowledged byte', async () => {
  const bytes = randomBytes(6_000_000)
  const first = await start()
  const firstToken = await tokenAt(first)
  await fetch(`${first.url}/api/collections`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${firstToken}` },
    body: JSON.stringify({ label: 'Plans', fields: [{ label: 'Files', kind: 'files' }] }),
  })
  const before = tusSender(first.url, { token: firstToken })
  const id = await before.begin({ collection: 'plans', field: 'files' }, bytes.length)
  expect((await before.patch(id, 0, bytes.subarray(0, 2_000_000))).status).toBe(204)
  const underWay = before.patch(id, 2_000_000, bytes.subarray(2_000_000, 5_000_000)).then(
    () => undefined,
    () => undefined,
  )
  await first.kill()
  await underWay

  const second = await start()
  const secondToken = await tokenAt(second)
  const after = tusSender(second.url, { token: secondToken })
  expect(Number((await after.head(id)).headers.get('upload-offset'))).toBeGreaterThanOrEqual(2_000_000)
  expect((await after.resume(id, bytes)).status).toBe(204)
  const file = await fetch(`${second.url}/api/files/${id}`, { headers: { authorization: `Bearer ${secondToken}` } })
  expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true)
  expect(await second.stop()).toBe(0)
}, 60_000)
