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

/** The two tested combinations of database and storage. */
export const ENVIRONMENTS = ['SQLite + disk', 'PostgreSQL + S3'] as const

export type EnvironmentName = (typeof ENVIRONMENTS)[number]

/** Where a tested server stores its data; outlives the server. */
export type TestEnvironment = {
  readonly dataFolder: string
  /** The URL of the PostgreSQL database, if any. */
  readonly databaseUrl: string | undefined
  readonly store: S3Server | undefined
  /** Starts the production build in this environment, always at the same URL. */
  readonly start: (more?: Pick<ServerSettings, 'env' | 'port' | 'program'>) => Promise<StartedServer>
  /** Starts an administration command, with or without a running server. */
  readonly command: (...words: readonly string[]) => Promise<StartedCommand>
  /** Stops every server in the environment and deletes all data. */
  readonly close: () => Promise<void>
}

/** The owner of the workspace in every trial. */
export const OWNER = { email: 'owner@example.org', password: TEST_PASSWORD }

/** Resources that a trial created for its environment. */
type Own = { readonly database?: TestDatabase; readonly dataFolder?: string }

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
    // The compile cache halves the startup time, which is otherwise spent on parsing.
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
      // A helper process started by a killed server may still be writing its compile cache.
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Signs in as the owner of a server and returns a client. */
export async function ownerAt({ url }: Pick<StartedServer, 'url'>) {
  const client = clientAt(url)
  return client.as((await signIn(client, OWNER.email, OWNER.password)).token)
}
