import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, type TestDatabase } from '#tests/support/database/postgres.ts'
import { placeAt, settingsOf } from '#tests/support/files/s3-bucket.ts'
import { openS3Server, type S3Server } from '#tests/support/files/s3-server.ts'
import { type StartedCommand, startCommand } from '#tests/support/server/started-command.ts'
import {
  findFreePort,
  type ServerSettings,
  type StartedServer,
  startServer,
} from '#tests/support/server/started-server.ts'
import { TEST_PASSWORD } from '#tests/support/server/test-app.ts'
import { clientAt, signIn } from './workload/client.ts'

/** The two ways in which Dossier is run. */
export const ENVIRONMENTS = ['SQLite + disk', 'PostgreSQL + S3'] as const

export type EnvironmentName = (typeof ENVIRONMENTS)[number]

/** Where a server under trial keeps everything; it outlives the server. */
export type TestEnvironment = {
  readonly dataFolder: string
  /** The address of the database, where it is a PostgreSQL. */
  readonly databaseUrl: string | undefined
  readonly store: S3Server | undefined
  /** Starts the built product on this environment, always at the same address. */
  readonly start: (more?: Pick<ServerSettings, 'env' | 'port' | 'program'>) => Promise<StartedServer>
  /** Starts a command of administration, with a server beside it or without. */
  readonly command: (...words: readonly string[]) => Promise<StartedCommand>
  /** Ends every server that still runs on it, and removes everything. */
  readonly close: () => Promise<void>
}

/** Who owns the workspace of every trial. */
export const OWNER = { email: 'owner@example.org', password: TEST_PASSWORD }

/** What a trial made itself for its environment. */
type Own = { readonly database?: TestDatabase; readonly dataFolder?: string }

/** A new, empty environment. */
export async function openEnvironment(name: EnvironmentName, own: Own = {}): Promise<TestEnvironment> {
  const folder = await mkdtemp(join(tmpdir(), 'dossier-trust-'))
  const dataFolder = own.dataFolder ?? folder
  const port = await findFreePort()
  const isLarge = name === 'PostgreSQL + S3'
  const [database, store] = isLarge ? await Promise.all([own.database ?? createDatabase(), openS3Server()]) : []
  const env = {
    DOSSIER_OWNER_EMAIL: OWNER.email,
    DOSSIER_OWNER_PASSWORD: OWNER.password,
    DOSSIER_SAMPLE: 'no',
    LOG_LEVEL: 'warn',
    // Half of each start would be reading the same program again.
    NODE_COMPILE_CACHE: join(folder, 'program'),
    ...settingsOf(store && placeAt(store)),
  }
  const place = { dataFolder, port, ...(database && { databaseUrl: database.url }) }
  const started: StartedServer[] = []
  return {
    dataFolder,
    databaseUrl: database?.url,
    store,
    start: async (more = {}) => {
      const server = await startServer({ ...place, ...more, env: { ...env, ...more.env } })
      started.push(server)
      return server
    },
    command: (...words) => startCommand({ ...place, env }, words),
    close: async () => {
      for (const server of started) await server.kill()
      await database?.drop()
      await store?.stop()
      // A helper of a server that was killed may still be writing down what it had read of the program.
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** The owner at a server, freshly signed in. */
export async function ownerAt({ url }: Pick<StartedServer, 'url'>) {
  const client = clientAt(url)
  return client.as((await signIn(client, OWNER.email, OWNER.password)).token)
}
