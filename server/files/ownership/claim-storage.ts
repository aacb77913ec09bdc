import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { Problem } from '#domain/shared/problem.ts'
import type { Clock } from '#domain/shared/time.ts'
import type { IdGenerator } from '#domain/shared/ids.ts'
import { decideOwnership, type Ownership, type OwnershipFacts } from '#domain/uploads/storage-ownership.ts'
import { writeAudit } from '#server/access/audit/audit-log.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { BlobStorage } from '#server/platform/storage/blob-storage.ts'
import type { Staging } from '#server/platform/storage/staging/staging.ts'
import { claimWorkspaceId, countUploads, findWorkspaceId, knownBlobs, someFiles } from './ownership-store.ts'
import { join } from 'node:path'
import type { Config } from '#server/platform/config/config.ts'
import { DATABASE_FILE } from '#server/platform/database/open-database.ts'

type OwnershipLocation = Pick<Config, 'dataFolder' | 'databaseUrl' | 's3'>

type OwnershipMismatch = Exclude<Ownership, 'match' | 'claim'>

type Found = Pick<OwnershipFacts, 'databaseId' | 'storageId'> & {
  /** True if the storage contains only unfinished uploads. */
  readonly onlyUnfinished: boolean
}

/** Explains why the server refused to start: the files found, the settings used and how to continue. */
function describeOwnershipMismatch(place: OwnershipLocation, refusal: OwnershipMismatch, found: Found): string {
  const { setting, files } = storageOf(place, found)
  const { database, settings } = databaseOf(place, setting)
  const wrong = {
    'other-workspace': `${files} belongs to workspace ${found.storageId}, but ${database} ${found.databaseId === undefined ? 'does not' : `belongs to workspace ${found.databaseId}`}`,
    'unknown-files': `${files} contains files unknown to ${database}`,
    'missing-files': `${files} contains none of the files of ${database}`,
  }[refusal]
  return `${setting}: ${wrong}. Nothing was changed. Restore a backup (npm run dossier -- restore <backup> --replace), correct ${settings}, or, if the files belong to this database, run npm run dossier -- storage:adopt --confirm.`
}

function storageOf({ dataFolder, s3 }: OwnershipLocation, { onlyUnfinished }: Found) {
  if (onlyUnfinished) return { setting: 'DOSSIER_DATA', files: join(dataFolder, 'uploads') }
  if (s3 === undefined) return { setting: 'DOSSIER_DATA', files: join(dataFolder, 'blobs') }
  const prefix = s3.prefix === '' ? 'without a prefix' : `under ${s3.prefix}`
  return { setting: 'S3_BUCKET, S3_PREFIX', files: `the bucket ${s3.bucket} ${prefix}` }
}

function databaseOf({ dataFolder, databaseUrl }: OwnershipLocation, setting: string) {
  return databaseUrl === undefined
    ? { database: `the database ${join(dataFolder, DATABASE_FILE)}`, settings: setting }
    : { database: 'the database in DATABASE_URL', settings: `${setting} or DATABASE_URL` }
}

export type OwnershipDeps = {
  readonly config: OwnershipLocation
  readonly database: Pick<Database, 'read' | 'write'>
  readonly blobs: Pick<BlobStorage, 'identity' | 'list' | 'open'>
  readonly staging: Pick<Staging, 'list'>
}

type StorageSides = {
  readonly database: Pick<Database, 'read'>
  readonly blobs: Pick<BlobStorage, 'identity'>
}

/** Number of files checked in the storage and in the database if an ID is missing. */
const SAMPLE = 100

const MAX_CONCURRENT = 20

/**
 * Verifies that the storage and the database have the same workspace ID, and writes a missing ID if the files prove
 * that they belong together. Throws a Problem if they don't. A read-only storage can be used without an ID; nothing is
 * removed from it.
 */
export async function claimStorage(deps: OwnershipDeps & { readonly log: Pick<Logger, 'warn'> }): Promise<void> {
  const facts = await collectFacts(deps)
  if (assertOwned(deps.config, facts) === 'match') return
  const id = await deps.database.write((transaction) => claimWorkspaceId(transaction, facts.storageId ?? randomUUID()))
  const claimed = await deps.blobs.identity.claim(id).then(undefined, (error: unknown) => {
    deps.log.warn({ err: error }, 'failed to store the workspace id in the file storage; no files are deleted')
    return id
  })
  if (claimed !== id) assertOwned(deps.config, { ...facts, databaseId: id, storageId: claimed })
}

/** Rejects a new, empty database if the storage already contains files, before tables are created. */
export async function assertNoFilesBesideNewDatabase({
  config,
  ...deps
}: Pick<OwnershipDeps, 'blobs' | 'config' | 'staging'>): Promise<void> {
  const stored = await sampleStored(deps)
  const storageId = await deps.blobs.identity.read()
  const unknown = { databaseId: undefined, referenced: 0, present: 0, known: 0 }
  assertOwned(config, { ...unknown, storageId, ...countStored(stored) })
}

export async function storageIds({
  database,
  blobs,
}: StorageSides): Promise<Pick<OwnershipFacts, 'databaseId' | 'storageId'>> {
  return { databaseId: await findWorkspaceId(database.read), storageId: await blobs.identity.read() }
}

export async function isOwnStorage(sides: StorageSides): Promise<boolean> {
  const { databaseId, storageId } = await storageIds(sides)
  return databaseId !== undefined && storageId === databaseId
}

/** Undefined if no server version that writes workspace IDs has used the database yet. */
export const workspaceIdOf = ({ read }: Pick<Database, 'read'>): Promise<string | undefined> => findWorkspaceId(read)

/**
 * Writes this database's ID to a storage that files are copied to; returns the ID of another workspace if there is one.
 */
export async function claimCopy({ database, blobs }: StorageSides): Promise<string | undefined> {
  const id = await findWorkspaceId(database.read)
  if (id === undefined) return undefined
  const owner = await blobs.identity.claim(id)
  return owner === id ? undefined : owner
}

type AdoptDeps = Pick<OwnershipDeps, 'database'> & {
  readonly blobs: Pick<BlobStorage, 'identity'>
  readonly clock: Clock
  readonly newId: IdGenerator
}

/** Assigns the storage to this database without removing files. The audit entry is written first. */
export async function adoptStorage(deps: AdoptDeps): Promise<{
  readonly before: string | undefined
  readonly id: string
}> {
  const { database, blobs } = deps
  const before = await blobs.identity.read()
  const id = await database.write(async (transaction) => {
    const after = await claimWorkspaceId(transaction, randomUUID())
    const details = { before: before ?? '', after }
    await writeAudit(transaction.db, deps, { kind: 'storage-adopted', userId: null, address: '', details })
    return after
  })
  await blobs.identity.replace(id)
  return { before, id }
}

type Facts = OwnershipFacts & { readonly onlyUnfinished: boolean }

function assertOwned(config: OwnershipLocation, facts: Facts): 'match' | 'claim' {
  const ownership = decideOwnership(facts)
  if (ownership === 'match' || ownership === 'claim') return ownership
  throw new Problem('not-ready', describeOwnershipMismatch(config, ownership, facts))
}

/**
 * Reads the storage before the database: claims write the database first, so an ID in the storage is also in the
 * database.
 */
async function collectFacts(deps: OwnershipDeps): Promise<Facts> {
  const { read } = deps.database
  const storageId = await deps.blobs.identity.read()
  const databaseId = await findWorkspaceId(read)
  const nothing = { referenced: 0, present: 0, known: 0, stored: 0, onlyUnfinished: false }
  if (storageId !== undefined && databaseId !== undefined) return { ...nothing, storageId, databaseId }
  const stored = await sampleStored(deps)
  const files = await someFiles(read, SAMPLE)
  const known = (await knownBlobs(read, stored.blobs)).size + (await countUploads(read, stored.unfinished))
  const present = await countPresent(deps.blobs, files)
  return { storageId, databaseId, referenced: files.length, present, known, ...countStored(stored) }
}

type Stored = { readonly blobs: readonly string[]; readonly unfinished: readonly string[] }

async function sampleStored({ blobs, staging }: Pick<OwnershipDeps, 'blobs' | 'staging'>): Promise<Stored> {
  return {
    blobs: (await firstOf(blobs.list())).map(({ hash }) => hash),
    unfinished: (await firstOf(staging.list())).map(({ id }) => id),
  }
}

const countStored = ({ blobs, unfinished }: Stored) => ({
  stored: blobs.length + unfinished.length,
  onlyUnfinished: blobs.length === 0 && unfinished.length > 0,
})

async function firstOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const first: Item[] = []
  for await (const item of items) {
    first.push(item)
    if (first.length === SAMPLE) break
  }
  return first
}

async function countPresent(blobs: Pick<BlobStorage, 'open'>, hashes: readonly string[]): Promise<number> {
  let present = 0
  for (let at = 0; at < hashes.length; at += MAX_CONCURRENT) {
    const found = await Promise.all(hashes.slice(at, at + MAX_CONCURRENT).map((hash) => blobs.open(hash)))
    present += found.filter((blob) => blob !== undefined).length
  }
  return present
}
