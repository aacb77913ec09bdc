import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabase, type TestDatabase } from '#tests/support/database/postgres.ts'
import { type StartedServer, startServer } from '#tests/support/server/started-server.ts'
import { TEST_PASSWORD } from '#tests/support/server/test-app.ts'

let server: StartedServer
let postgres: TestDatabase | undefined

beforeAll(async () => {
  postgres = process.env['DOSSIER_TEST_DATABASE'] === 'postgres' ? await createDatabase() : undefined
  server = await startServer(postgres === undefined ? {} : { databaseUrl: postgres.url })
})
afterAll(async () => {
  await server.kill()
  await postgres?.drop()
})

/** Starts a server with invalid settings; returns its output and exit code. */
function startWith(env: Readonly<Record<string, string>>): { readonly code: number | null; readonly said: string } {
  const folder = mkdtempSync(join(tmpdir(), 'dossier-data-'))
  const run = spawnSync(process.execPath, ['dist/server/main.js'], {
    encoding: 'utf8',
    timeout: 15_000,
    env: { ...process.env, DOSSIER_DATA: folder, PORT: '4999', ...env },
  })
  rmSync(folder, { recursive: true, force: true })
  return { code: run.status, said: run.stderr.trim() }
}

describe('a started server', () => {
  test('prints its address and, if there is no owner, a working setup link', async () => {
    expect(server.printed()).toContain(`Dossier is ready at ${server.url}`)
    const link = /http:\/\/localhost:\d+\/setup\?code=[\w-]+/.exec(server.printed())?.[0] ?? ''
    const code = new URL(link).searchParams.get('code')
    const answer = await fetch(`${server.url}/api/setup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code, email: 'ada@example.org', name: 'Ada', password: TEST_PASSWORD }),
    })
    expect(answer.status).toBe(201)
  })

  test('reports health, version and readiness', async () => {
    expect(await (await fetch(`${server.url}/api/health`)).json()).toEqual({
      status: 'alive',
      version: expect.any(String),
    })
    expect(await (await fetch(`${server.url}/api/ready`)).json()).toEqual({ status: 'ready' })
  })

  test('makes a second server on the same port fail with a one-sentence error', () => {
    const { code, said } = startWith({ PORT: new URL(server.url).port })
    expect(code).toBe(1)
    expect(said).toMatch(/^Port \d+ is in use by another program\. [^\n]+$/)
  })

  test('creates files that are readable only by the server user', () => {
    if (process.platform === 'win32') return
    const shared = readdirSync(server.dataFolder, { recursive: true, encoding: 'utf8' }).filter(
      (name) => (statSync(join(server.dataFolder, name)).mode & 0o077) !== 0,
    )
    expect(shared).toEqual([])
    expect(statSync(server.dataFolder).mode & 0o077).toBe(0)
  })

  test('shuts down gracefully on a signal', async () => {
    expect(await server.stop()).toBe(0)
  })
})

describe('server startup', () => {
  test('warns about a data folder that other system users can read', async () => {
    if (process.platform === 'win32') return
    const dataFolder = mkdtempSync(join(tmpdir(), 'dossier-data-'))
    chmodSync(dataFolder, 0o755)
    const started = await startServer({ dataFolder })
    expect(await started.stop()).toBe(0)
    expect(started.printed()).toContain(`chmod -R go= \\"${dataFolder}\\"`)
    rmSync(dataFolder, { recursive: true, force: true })
  })

  test('rejects a weak password for the first owner and names the setting', () => {
    const { code, said } = startWith({ DOSSIER_OWNER_EMAIL: 'ada@example.org', DOSSIER_OWNER_PASSWORD: 'short' })
    expect(code).toBe(1)
    expect(said).toMatch(/^DOSSIER_OWNER_PASSWORD is not accepted\. [^\n]+$/)
  })

  test('rejects an identity provider URL with http, except on localhost', () => {
    const provider = { OIDC_ACME_CLIENT_ID: 'dossier', OIDC_ACME_CLIENT_SECRET: 'hush' }
    const { code, said } = startWith({ ...provider, OIDC_ACME_ISSUER: 'http://id.example.org' })
    expect(code).toBe(1)
    expect(said).toMatch(/^OIDC_ACME_ISSUER must start with https:[^\n]+\.$/)
  })

  test('rejects unreachable file storage and names the setting', () => {
    const place = { S3_ENDPOINT: 'http://127.0.0.1:9', S3_BUCKET: 'files', S3_REGION: 'here' }
    const { code, said } = startWith({ ...place, S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'hush' })
    expect(code).toBe(1)
    expect(said).toMatch(/^S3_ENDPOINT: can't connect to 127\.0\.0\.1:9\. [^\n]+$/)
  })
})
