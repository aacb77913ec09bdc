import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDatabase } from '#tests/support/database/postgres.ts'
import { type StartedServer, startServer } from '#tests/support/server/started-server.ts'
import { TEST_PASSWORD } from '#tests/support/server/test-app.ts'
import { testDialect } from '#tests/support/database/test-database.ts'

const run = promisify(execFile)

const OWNER = { email: 'owner@example.org', password: TEST_PASSWORD }

let folder: string
let keys: string
let place: Parameters<typeof startServer>[0]
let leave: () => Promise<void>

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-key-ids-'))
  keys = join(folder, 'keys.json')
  const postgres = testDialect() === 'postgres' ? await createDatabase() : undefined
  const env = { DOSSIER_OWNER_EMAIL: OWNER.email, DOSSIER_OWNER_PASSWORD: OWNER.password, DOSSIER_SAMPLE: 'no' }
  place = { dataFolder: folder, env, ...(postgres && { databaseUrl: postgres.url }) }
  leave = async () => {
    await postgres?.drop()
    await rm(folder, { recursive: true })
  }
})
afterEach(() => leave())

async function login(server: StartedServer): Promise<{ readonly token: string; readonly refresh_token: string }> {
  const answer = await fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...OWNER, client: 'api' }),
  })
  return answer.json()
}

const refresh = async (server: StartedServer, token: string): Promise<number> =>
  (
    await fetch(`${server.url}/api/auth/refresh`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refresh_token: token }),
    })
  ).status

const command = (...args: string[]) =>
  run(process.execPath, ['dist/server/cli.js', ...args], {
    env: { ...process.env, DOSSIER_DATA: folder, ...(place?.databaseUrl && { DATABASE_URL: place.databaseUrl }) },
  })

/** A stopped workspace with data. */
async function aUsedWorkspace(): Promise<string> {
  const server = await startServer(place)
  const { refresh_token } = await login(server)
  await server.stop()
  return refresh_token
}

test('refuses to start without keys.json, creates no new file, and starts again with the original', async () => {
  const session = await aUsedWorkspace()
  await rename(keys, `${keys}.kept`)
  await expect(startServer(place)).rejects.toThrow(/keys\.json is missing in .* Restore keys\.json from a backup/s)
  await expect(command('keys:rotate')).rejects.toMatchObject({ stderr: expect.stringContaining('keys:reset') })
  expect(await readdir(folder)).not.toContain('keys.json')
  await rename(`${keys}.kept`, keys)
  const server = await startServer(place)
  expect(await refresh(server, session)).toBe(200)
  await server.stop()
})

test("refuses to start with another workspace's keys or an older copy of the keys", async () => {
  await aUsedWorkspace()
  await copyFile(keys, `${keys}.older`)
  await command('keys:rotate')
  await rename(keys, `${keys}.newer`)
  await copyFile(`${keys}.older`, keys)
  const { keys: newer } = JSON.parse(await readFile(`${keys}.newer`, 'utf8'))
  await expect(startServer(place)).rejects.toThrow(new RegExp(`older copy: ${newer[0].id} is missing\\.`))
  await rename(`${keys}.newer`, keys)
  const server = await startServer(place)
  await server.stop()
})

test('refuses to start with an unreadable keys.json, which the doctor command reports', async () => {
  await aUsedWorkspace()
  await writeFile(keys, '{"keys":[')
  await expect(startServer(place)).rejects.toThrow(/keys\.json in .* can't be read/)
  await expect(command('keys:reset')).rejects.toMatchObject({
    stderr: expect.stringContaining('Move it to another folder'),
  })
  await expect(command('doctor')).rejects.toMatchObject({ stdout: expect.stringMatching(/FAIL .*Keys/) })
})

test('keys:reset accepts the loss of keys and ends every session, but is rejected if no key is lost', async () => {
  const session = await aUsedWorkspace()
  await expect(command('keys:reset')).rejects.toMatchObject({ stderr: expect.stringContaining('match the database') })
  await rm(keys)
  expect((await command('keys:reset')).stdout).toContain('1 sessions were ended')
  const server = await startServer(place)
  expect(await refresh(server, session)).toBe(401)
  const again = await login(server)
  expect(await refresh(server, again.refresh_token)).toBe(200)
  await server.stop()
})
