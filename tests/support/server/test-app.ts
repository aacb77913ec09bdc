import { randomBytes } from 'node:crypto'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BuiltInRole } from '#domain/access/built-in-roles.ts'
import type { Grant } from '#domain/access/grant.ts'
import { createIdGenerator } from '#domain/shared/ids.ts'
import { compose, type Dossier } from '#server/compose.ts'
import { type Config, readConfig } from '#server/platform/config/config.ts'
import type { Database } from '#server/platform/database/database.ts'
import { openLog } from '#server/platform/http/logging.ts'
import type { OverrideGrants } from '#server/access/rights/rights.ts'
import { openStorage } from '#server/platform/storage/open-storage.ts'
import type { RemoteClient } from '#server/files/remote/remote-client.ts'
import { prepareUser, storeUser } from '#server/identity/users/create-user.ts'
import { type FixedClock, fixedClock } from '#tests/support/clock/fixed-clock.ts'
import { placeOfRun } from '#tests/support/files/s3-bucket.ts'
import { openTestDatabase } from '#tests/support/database/test-database.ts'
import { checkAgainstOpenApi } from './check-openapi.ts'

/** A response with its body parsed as JSON; undefined if the body is empty. */
export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
  readonly text: string
  // The tests assert the response format.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any
}

type Headers = Readonly<Record<string, string>>

/** `body` is sent as JSON, `raw` as bytes. */
export type Sent = { readonly body?: unknown; readonly raw?: string | Buffer; readonly headers?: Headers }

/** An API client, either a guest or a signed-in user. */
export type Caller = {
  readonly userId: string | undefined
  readonly token: string | undefined
  readonly request: (method: string, path: string, sent?: Sent) => Promise<Answer>
  readonly get: (path: string, headers?: Headers) => Promise<Answer>
  readonly post: (path: string, body?: unknown, headers?: Headers) => Promise<Answer>
  readonly put: (path: string, body?: unknown, headers?: Headers) => Promise<Answer>
  readonly patch: (path: string, body?: unknown, headers?: Headers) => Promise<Answer>
  readonly delete: (path: string, body?: unknown, headers?: Headers) => Promise<Answer>
}

/** A server in the test process with a new database. */
export type TestApp = Dossier & {
  readonly database: Database
  readonly clock: FixedClock
  readonly config: Config
  readonly guest: Caller
  readonly as: (role: BuiltInRole) => Promise<Caller>
  readonly asOwner: () => Promise<Caller>
  readonly asEditor: () => Promise<Caller>
  readonly asViewer: () => Promise<Caller>
  /** Creates a user with only these grants; if they are a function, it is evaluated for every request. */
  readonly asGranted: (grants: readonly Grant[] | (() => readonly Grant[])) => Promise<Caller>
  readonly withToken: (token: string) => Caller
  /** Listens on a free port, for tests that need real connections. */
  readonly listen: () => Promise<string>
  /**
   * Starts another server with the same database and data folder and the default limits; stop it before closing this
   * one.
   */
  readonly startAnother: () => Promise<Dossier & { readonly listen: () => Promise<string> }>
  /** The hashes of all stored blobs. */
  readonly storedHashes: () => Promise<readonly string[]>
  readonly logged: () => string
  /** Closes the server and database. Throws if a response didn't match the OpenAPI document. */
  readonly close: () => Promise<void>
}

export const TEST_PASSWORD = 'seven otters play the violin'

export type TestAppOptions = {
  /** The HTTP client for requests to other servers. */
  readonly remote?: RemoteClient
  readonly config?: Partial<Config>
  /** Number of records above which a field type change becomes a job. */
  readonly convertedAtOnce?: number
  /** Number of records above which a bulk change becomes a job. */
  readonly changedAtOnce?: number
  /** The random source for IDs; two servers with the same source create the same IDs. */
  readonly randomBytes?: (count: number) => Uint8Array
  /** Another server whose keys this server uses. */
  readonly keysOf?: TestApp
}

/** Opens a new database, which must be closed in `afterAll`. */
export async function openTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'dossier-test-'))
  if (options.keysOf) await copyFile(join(options.keysOf.config.dataFolder, 'keys.json'), join(dataFolder, 'keys.json'))
  const test = await openTestDatabase()
  const { database } = test
  const clock = fixedClock()
  const config = testConfig(dataFolder, { s3: await placeOfRun(dataFolder), ...options.config })
  let logged = ''
  const log = openLog('debug', { write: (line) => (logged += line) })
  const granted = new Map<string, () => readonly Grant[]>()
  const grantsInstead: OverrideGrants = ({ id }) => granted.get(id)?.()
  const { convertedAtOnce, changedAtOnce, remote, randomBytes: random = randomBytes } = options
  const ground = { config, database, log, clock: clock.now, grantsInstead, randomBytes: random }
  const dossier = await compose({
    ...ground,
    ...(remote !== undefined && { remote }),
    ...(convertedAtOnce !== undefined && { convertedAtOnce }),
    ...(changedAtOnce !== undefined && { changedAtOnce }),
  })
  const differences = checkAgainstOpenApi(dossier.app, dossier.routes)
  await dossier.start()

  const newId = createIdGenerator(() => clock.now().getTime(), random)
  const as = async (role: BuiltInRole): Promise<Caller> => {
    const email = `${role}-${newId()}@example.org`
    const prepared = await prepareUser(
      { clock: clock.now, newId },
      { email, name: role, password: TEST_PASSWORD, roles: [role] },
    )
    const userId = await database.write((transaction) => storeUser(transaction, prepared))
    const { body } = await callerOf(dossier).post('/api/auth/login', { email, password: TEST_PASSWORD, client: 'api' })
    return callerOf(dossier, { userId, token: body.token })
  }
  return {
    ...dossier,
    database,
    clock,
    config,
    guest: callerOf(dossier),
    as,
    asOwner: () => as('owner'),
    asEditor: () => as('editor'),
    asViewer: () => as('viewer'),
    asGranted: async (grants) => {
      const caller = await as('viewer')
      granted.set(caller.userId ?? '', typeof grants === 'function' ? grants : () => grants)
      return caller
    },
    withToken: (token) => callerOf(dossier, { token }),
    listen: () => dossier.app.listen({ port: 0, host: '127.0.0.1' }),
    startAnother: async () => {
      const { convertedAtOnce: _chosen, ...plain } = { convertedAtOnce: undefined, ...ground }
      const another = await compose(plain)
      await another.start()
      return { ...another, listen: () => another.app.listen({ port: 0, host: '127.0.0.1' }) }
    },
    storedHashes: async () => {
      const hashes: string[] = []
      for await (const { hash } of (await openStorage(config, () => undefined)).list()) hashes.push(hash)
      return hashes
    },
    logged: () => logged,
    close: async () => {
      await dossier.stop()
      await test.close()
      await rm(dataFolder, { recursive: true, force: true })
      if (differences.length > 0)
        throw new Error(`Responses differ from the OpenAPI document:\n${differences.join('\n')}`)
    },
  }
}

/** The default configuration, with changes. */
function testConfig(dataFolder: string, changes: Partial<Config> = {}): Config {
  const read = readConfig({ DOSSIER_DATA: dataFolder })
  if (!read.ok) throw new Error(read.fault.join(' '))
  return { ...read.value, ...changes }
}

export function callerOf({ app }: Dossier, who: { readonly userId?: string; readonly token?: string } = {}): Caller {
  const own: Headers = who.token === undefined ? {} : { authorization: `Bearer ${who.token}` }

  const request = async (method: string, path: string, { body, raw, headers }: Sent = {}): Promise<Answer> => {
    const answer = await app.inject({
      method,
      url: path,
      headers: { ...own, ...headers },
      ...(raw === undefined ? {} : { payload: raw }),
      // Tests can send any JSON value.
      ...(body === undefined ? {} : { payload: body as object }),
    })
    const isJson = String(answer.headers['content-type']).includes('json')
    const text = answer.payload
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : undefined,
    }
  }
  const withBody = (method: string) => (path: string, body?: unknown, headers?: Headers) =>
    request(method, path, { body, ...(headers === undefined ? {} : { headers }) })

  return {
    userId: who.userId,
    token: who.token,
    request,
    get: (path, headers) => request('GET', path, headers === undefined ? {} : { headers }),
    post: withBody('POST'),
    put: withBody('PUT'),
    patch: withBody('PATCH'),
    delete: withBody('DELETE'),
  }
}
