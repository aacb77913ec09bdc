import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, readConfig } from '#server/platform/config/config.ts'
import { secret } from '#server/platform/config/setting-readers.ts'
import { createDatabase } from '#tests/support/database/postgres.ts'
import { placeAt, settingsOf } from '#tests/support/files/s3-bucket.ts'
import { openS3Server, type S3Server } from '#tests/support/files/s3-server.ts'
import { testDialect } from '#tests/support/database/test-database.ts'

/**
 * The location of a workspace: a data folder, a database of the tested dialect and, with S3, a prefix in the bucket.
 */
export type Place = {
  readonly config: Config
  readonly env: Readonly<Record<string, string>>
  /** Deletes all objects with this prefix from S3. */
  readonly removeObjects: () => Promise<void>
  readonly remove: () => Promise<void>
}

/** A saved copy of a place that can be restored repeatedly. */
export type SavedPlace = { readonly open: () => Promise<Place> }

export type FilesAre = 'on disk' | 'in S3'

export type Places = {
  readonly make: () => Promise<Place>
  /** Requires that the PostgreSQL database has no open connections. */
  readonly save: (place: Place) => Promise<SavedPlace>
  /** Creates an empty folder that is deleted when the places are closed. */
  readonly folder: () => Promise<string>
  readonly close: () => Promise<void>
}

type Contents = { readonly folder?: string; readonly database?: string; readonly prefix?: string }

export async function openPlaces(files: FilesAre): Promise<Places> {
  const root = await mkdtemp(join(tmpdir(), 'dossier-crash-'))
  const store = files === 'in S3' ? await openS3Server() : undefined
  const ends: (() => Promise<void>)[] = []

  async function make(from: Contents = {}): Promise<Place> {
    const dataFolder = await mkdtemp(join(root, 'data-'))
    if (from.folder !== undefined) await cp(from.folder, dataFolder, { recursive: true, preserveTimestamps: true })
    const database =
      testDialect() === 'postgres' ? await createDatabase(process.env['PG_URL'], from.database) : undefined
    const prefix = store && randomUUID()
    if (store && from.prefix !== undefined) copyObjects(store, from.prefix, prefix ?? '')
    const s3 = store && placeAt(store, prefix)
    const env = { DOSSIER_DATA: dataFolder, ...(database && { DATABASE_URL: database.url }), ...settingsOf(s3) }
    const read = readConfig({ ...env, DOSSIER_SAMPLE: 'no' })
    if (!read.ok) throw new Error(read.fault.join(' '))
    const config = { ...read.value, databaseUrl: database && secret(database.url) }
    const remove = async (): Promise<void> => {
      await database?.drop()
      await rm(dataFolder, { recursive: true, force: true, maxRetries: 5 })
    }
    const removeObjects = async (): Promise<void> => {
      for (const key of store?.objects.keys() ?? []) if (key.startsWith(`${prefix}/`)) store?.remove(key)
    }
    return { config, env, removeObjects, remove }
  }

  async function save({ config }: Place): Promise<SavedPlace> {
    const folder = await mkdtemp(join(root, 'saved-'))
    await cp(config.dataFolder, folder, { recursive: true, preserveTimestamps: true })
    const original = config.databaseUrl && new URL(config.databaseUrl.reveal()).pathname.slice(1)
    const database = original === undefined ? undefined : await createDatabase(process.env['PG_URL'], original)
    if (database) ends.push(database.drop)
    const prefix = config.s3 && randomUUID()
    if (store && config.s3) copyObjects(store, config.s3.prefix.slice(0, -1), prefix ?? '')
    const contents: Contents = {
      folder,
      ...(database && { database: new URL(database.url).pathname.slice(1) }),
      ...(prefix !== undefined && { prefix }),
    }
    return { open: () => make(contents) }
  }

  return {
    make,
    save,
    folder: () => mkdtemp(join(root, 'folder-')),
    close: async () => {
      for (const end of ends) await end()
      await store?.stop()
      await rm(root, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function copyObjects(store: S3Server, from: string, to: string): void {
  for (const [key, bytes] of store.objects) {
    if (key.startsWith(`${from}/`)) store.put(`${to}${key.slice(from.length)}`, bytes)
  }
}
