import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Dialect } from '#server/platform/database/database.ts'
import { createDatabase } from '#tests/support/database/postgres.ts'
import { startPostgres } from '#tests/support/database/postgres-server.ts'
import { type StartedServer, startServer } from '#tests/support/server/started-server.ts'
import { fetchJson, sendAs } from '../client/requests.ts'
import type { BenchOptions } from '../options.ts'
import type { CsvFiles } from './csv-files.ts'
import { fillByImport, type FillResult } from './fill-by-import.ts'
import { resetPeakMemory, memoryOf } from '../report/process-metrics.ts'
import { createUsers, restrictBoundUser, type Send, USERS } from './create-users.ts'
import { STATUSES, TAGS } from './generated-records.ts'
import type { EnvironmentPaths, Tokens } from './environment-paths.ts'

/** Populated database and its server. */
export type Environment = {
  readonly dialect: Dialect
  /** Undefined on SQLite. */
  readonly databaseUrl: string | undefined
  readonly filled: FillResult
  /** IDs of records visible to every user, spread across the collection. */
  readonly someRecords: readonly string[]
  readonly server: () => StartedServer
  readonly port: () => number
  readonly tokens: () => Tokens
  /** Peak memory of the server in MB, since the last call and since startup. */
  readonly highestMb: () => { readonly lately: number; readonly ever: number } | undefined
  /** Signs in again, because access tokens expire after half an hour. */
  readonly renewTokens: () => Promise<void>
  /** Stops the server, runs `work`, and starts it again. */
  readonly whileStopped: <Answer>(work: (place: EnvironmentPaths) => Promise<Answer>) => Promise<Answer>
  readonly close: () => Promise<void>
}

/** Creates the owner on first start; uses the same memory options as `npm start`. */
const ENVIRONMENT = {
  DOSSIER_OWNER_EMAIL: USERS.owner,
  DOSSIER_OWNER_PASSWORD: USERS.password,
  DOSSIER_SAMPLE: 'no',
  MALLOC_ARENA_MAX: '2',
}
const NODE_OPTIONS = '--max-semi-space-size=8'

const PROBE = new URL('./event-loop-probe.ts', import.meta.url).href

/** Keeps PostgreSQL writes durable, unlike the settings used in tests. */
const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }

type Place = EnvironmentPaths & { readonly remove: () => Promise<void> }

async function makePlace(dialect: Dialect): Promise<Place> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'dossier-bench-'))
  const removeFolder = () => rm(dataFolder, { recursive: true, force: true })
  // Removes the folder even if the run is interrupted.
  process.once('exit', () => rmSync(dataFolder, { recursive: true, force: true }))
  if (dialect === 'sqlite') return { dataFolder, databaseUrl: undefined, remove: removeFolder }
  const named = process.env['PG_URL']
  const postgres = named === undefined ? await startPostgres(DURABLE) : undefined
  const database = await createDatabase(named ?? postgres?.url)
  const remove = async () => {
    await database.drop()
    await postgres?.stop()
    await removeFolder()
  }
  return { dataFolder, databaseUrl: database.url, remove }
}

type Settings = { readonly program?: readonly string[]; readonly env?: Readonly<Record<string, string>> }

/** Starts the server as a user would. */
export function startOn(
  { dataFolder, databaseUrl }: EnvironmentPaths,
  { program, env }: Settings = {},
): Promise<StartedServer> {
  const flags = [NODE_OPTIONS, process.env['NODE_OPTIONS'] ?? ''].join(' ')
  return startServer({
    dataFolder,
    env: { ...ENVIRONMENT, NODE_OPTIONS: flags, ...env },
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
    ...(program === undefined ? {} : { program }),
  })
}

const portOf = ({ url }: StartedServer): number => Number(new URL(url).port)

/** Signs in and returns the access token. */
export async function signInAs(server: StartedServer, email: string): Promise<string> {
  const body = { email, password: USERS.password, client: 'api' }
  const { token } = await fetchJson(portOf(server), { method: 'POST', path: '/api/auth/login', body })
  return String(token)
}

const tokensFor = async (server: StartedServer): Promise<Tokens> => ({
  bound: await signInAs(server, USERS.bound),
  owner: await signInAs(server, USERS.owner),
})

/** Creates collections and users. */
async function prepare(place: EnvironmentPaths): Promise<void> {
  const server = await startOn(place)
  try {
    await createCollections(sendAs(portOf(server), await signInAs(server, USERS.owner)))
  } finally {
    await server.stop()
  }
  await createUsers(place)
}

/** Starts the server under test with the event-loop probe. */
function startMeasured(place: EnvironmentPaths, profileFolder: string | undefined) {
  const profile = profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`]
  return startOn(place, { env: { NODE_OPTIONS: [NODE_OPTIONS, `--import=${PROBE}`, ...profile].join(' ') } })
}

/** Imports the data into a running server; the caller must close the server. */
export async function openEnvironment(dialect: Dialect, options: BenchOptions, files: CsvFiles): Promise<Environment> {
  const place = await makePlace(dialect)
  try {
    await prepare(place)
    const start = () => startMeasured(place, options.profileFolder)
    let server = await start()
    let tokens = await tokensFor(server)
    await restrictBoundUser(sendAs(portOf(server), tokens.owner))
    const filled = await fillByImport({ server, place, tokens, files, size: options.size })
    let everMb = filled.highestMb ?? 0
    const highestMb = () => {
      const highest = memoryOf(server.pid)?.highest
      if (highest === undefined) return undefined
      resetPeakMemory(server.pid)
      everMb = Math.max(everMb, highest)
      return { lately: highest, ever: everMb }
    }
    return {
      dialect,
      databaseUrl: place.databaseUrl,
      filled,
      highestMb,
      someRecords: filled.someRecords,
      server: () => server,
      port: () => portOf(server),
      tokens: () => tokens,
      renewTokens: async () => {
        tokens = await tokensFor(server)
      },
      whileStopped: async (work) => {
        await server.stop()
        try {
          return await work(place)
        } finally {
          server = await start()
        }
      },
      close: async () => {
        await server.stop()
        await place.remove()
      },
    }
  } catch (error) {
    await place.remove()
    throw error
  }
}

const choices = (names: readonly string[]) => ({ choices: names.map((name) => ({ name })) })

const ITEM_FIELDS = [
  { label: 'Title', kind: 'text', required: true, options: { max: 200 } },
  { label: 'Body', kind: 'long-text' },
  { label: 'Status', kind: 'select', options: choices(STATUSES) },
  { label: 'Amount', kind: 'number', options: { min: 0, decimals: 2 } },
  { label: 'Made at', name: 'made_at', kind: 'date-time' },
  { label: 'Due', kind: 'date' },
  { label: 'Done', kind: 'checkbox' },
  { label: 'Owner', kind: 'relation', options: { collection: 'people' } },
  { label: 'Tags', kind: 'multi-select', options: choices(TAGS) },
  { label: 'Remark', kind: 'text' },
]

/** Creates three collections through the API: people, the measured records, and an import target. */
async function createCollections(send: Send): Promise<void> {
  const make = (body: unknown) => send('POST', '/api/collections', body)
  await make({ label: 'People', fields: [{ label: 'Name', kind: 'text', required: true }] })
  await make({ label: 'Items', fields: ITEM_FIELDS })
  await make({ label: 'More', fields: ITEM_FIELDS })
}
