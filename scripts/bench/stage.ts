import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#server/database/open-database.ts'
import { secret } from '#server/secret.ts'
import { createDatabase } from '#tests/support/postgres.ts'
import { startPostgres } from '#tests/support/postgres-server.ts'
import { type StartedServer, startServer } from '#tests/support/started-server.ts'
import { askJson } from './ask-json.ts'
import type { BenchOptions } from './bench-options.ts'
import { type Filled, fillCollection, makeUsers } from './fill-collection.ts'
import { STATUSES } from './made-records.ts'

/** Where everything happens: a filled database, and a server on it. */
export type Stage = {
  readonly options: BenchOptions
  readonly filled: Filled
  /** The server that is measured. */
  readonly server: () => StartedServer
  readonly port: () => number
  readonly token: string
  /** Who can sign in, all with `PASSWORD`. */
  readonly emails: readonly string[]
  /** Stops the server, does something with its data, and starts it again. */
  readonly whileStopped: <Answer>(work: (place: StagePlace) => Promise<Answer>) => Promise<Answer>
  /** Ends the server and removes all data. */
  readonly close: () => Promise<void>
}

/** Where the data of the stage lives. */
export type StagePlace = { readonly dataFolder: string; readonly databaseUrl: string | undefined }

/** The password of everybody on the stage. */
export const PASSWORD = 'seven otters play the violin'

const OWNER = 'owner@example.org'
const SIGN_INS_AT_ONCE = 16

/** The owner is made by the first start; what is measured runs with the settings of every day. */
const ENVIRONMENT = { DOSSIER_OWNER_EMAIL: OWNER, DOSSIER_OWNER_PASSWORD: PASSWORD, DOSSIER_SAMPLE: 'no' }

const PROBE = new URL('./event-loop-probe.ts', import.meta.url).href

/** A PostgreSQL that waits for its disk, unlike the one of the tests. */
const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }

type Place = StagePlace & { readonly remove: () => Promise<void> }

async function makePlace(dialect: BenchOptions['dialect']): Promise<Place> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'dossier-bench-'))
  const removeFolder = () => rm(dataFolder, { recursive: true, force: true })
  // A run that is cut short leaves nothing behind either.
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

/** Starts the server on a place as a person would. */
export function startOn(
  { dataFolder, databaseUrl }: StagePlace,
  env: Readonly<Record<string, string>> = {},
): Promise<StartedServer> {
  const settings = { dataFolder, env: { ...ENVIRONMENT, ...env } }
  return startServer(databaseUrl === undefined ? settings : { ...settings, databaseUrl })
}

const portOf = ({ url }: StartedServer): number => Number(new URL(url).port)

async function signIn(port: number): Promise<string> {
  const body = { email: OWNER, password: PASSWORD, client: 'api' }
  const { token } = await askJson(port, { method: 'POST', path: '/api/auth/login', body })
  return String(token)
}

/** Makes the two collections through the API, as a program would. */
async function makeCollections(port: number, token: string): Promise<void> {
  const make = (body: unknown) => askJson(port, { method: 'POST', path: '/api/collections', token, body })
  await make({ label: 'People', fields: [{ label: 'Name', kind: 'text', required: true }] })
  await make({
    label: 'Items',
    fields: [
      { label: 'Title', kind: 'text', required: true, options: { max: 200 } },
      { label: 'Body', kind: 'long-text' },
      { label: 'Status', kind: 'select', options: { choices: STATUSES.map((name) => ({ name })) } },
      { label: 'Amount', kind: 'number', options: { min: 0, decimals: 2 } },
      { label: 'Made at', name: 'made_at', kind: 'date-time' },
      { label: 'Due', kind: 'date' },
      { label: 'Done', kind: 'checkbox' },
      { label: 'Owner', kind: 'relation', options: { collection: 'people' } },
    ],
  })
}

async function fill(place: StagePlace, size: number, emails: readonly string[]): Promise<Filled> {
  const { dataFolder, databaseUrl } = place
  const address = databaseUrl === undefined ? undefined : secret(databaseUrl)
  const database = await openDatabase({ dataFolder, databaseUrl: address }, { openedBy: 'command-line' })
  try {
    await makeUsers(database, emails, PASSWORD)
    return await fillCollection(database, size)
  } finally {
    await database.close()
  }
}

async function prepare(place: StagePlace, size: number, emails: readonly string[]): Promise<Filled> {
  const server = await startOn(place)
  try {
    await makeCollections(portOf(server), await signIn(portOf(server)))
  } finally {
    await server.stop()
  }
  return fill(place, size, emails)
}

/** Makes the data and starts the server; whoever opens a stage closes it. */
export async function openStage(options: BenchOptions): Promise<Stage> {
  const emails = Array.from({ length: SIGN_INS_AT_ONCE }, (_, at) => `somebody-${at}@example.org`)
  const place = await makePlace(options.dialect)
  const profile = options.profileFolder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profileFolder}`]
  const start = () =>
    startOn(place, { NODE_OPTIONS: [process.env['NODE_OPTIONS'] ?? '', `--import=${PROBE}`, ...profile].join(' ') })
  try {
    const filled = await prepare(place, options.size, emails)
    let server = await start()
    return {
      options,
      filled,
      emails,
      token: await signIn(portOf(server)),
      server: () => server,
      port: () => portOf(server),
      whileStopped: async (work) => {
        await server.stop()
        const answer = await work(place)
        server = await start()
        return answer
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
