import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createIdGenerator } from '#domain/shared/ids.ts'
import type { S3Settings } from '#server/platform/config/config.ts'
import type { BlobStorage } from '#server/platform/storage/blob-storage.ts'
import { openStorage } from '#server/platform/storage/open-storage.ts'
import { openStaging } from '#server/platform/storage/staging/staging.ts'
import { testPlace } from '#tests/support/files/s3-bucket.ts'
import { openTestDatabase, type OpenTestDatabase } from '#tests/support/database/test-database.ts'
import { adoptStorage, claimCopy, claimStorage, isOwnStorage, workspaceIdOf } from './claim-storage.ts'

const ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/

describe.each(['on disk', 'in S3'] as const)('a storage %s', (where) => {
  let opened: OpenTestDatabase
  let other: OpenTestDatabase
  let dataFolder: string
  let s3: S3Settings | undefined
  let warned: number
  beforeEach(async () => {
    opened = await openTestDatabase()
    other = await openTestDatabase()
    dataFolder = await mkdtemp(join(tmpdir(), 'dossier-claim-'))
    s3 = where === 'in S3' ? await testPlace() : undefined
    warned = 0
  })
  afterEach(async () => {
    await opened.close()
    await other.close()
    await rm(dataFolder, { recursive: true })
  })

  const open = (): Promise<BlobStorage> => openStorage({ dataFolder, s3 }, () => undefined)
  const needsOf = (blobs: BlobStorage, { database }: OpenTestDatabase = opened) => ({
    config: { dataFolder, s3, databaseUrl: undefined },
    database,
    blobs,
    staging: openStaging(join(dataFolder, 'uploads')),
    log: { warn: () => void (warned += 1) },
  })

  const newId = createIdGenerator(Date.now, randomBytes)
  const adopting = (blobs: BlobStorage) => ({ database: other.database, blobs, clock: () => new Date(), newId })

  test('gets the workspace ID of its database at the first start', async () => {
    const blobs = await open()
    await claimStorage(needsOf(blobs))
    const id = await blobs.identity.read()
    expect(id).toMatch(ID)
    expect(await workspaceIdOf(opened.database)).toBe(id)
    await claimStorage(needsOf(blobs))
    expect(await blobs.identity.read()).toBe(id)
    expect(await isOwnStorage({ database: opened.database, blobs })).toBe(true)
    expect(warned).toBe(0)
  })

  test('gets a single ID if several servers start at the same time', async () => {
    const storages = await Promise.all(Array.from({ length: 6 }, open))
    await Promise.all(storages.map((blobs) => claimStorage(needsOf(blobs))))
    expect(await storages[0]?.identity.read()).toBe(await workspaceIdOf(opened.database))
  })

  test('is claimed by one of two workspaces that start at the same time; the other is rejected', async () => {
    const outcomes = await Promise.allSettled([
      claimStorage(needsOf(await open())),
      claimStorage(needsOf(await open(), other)),
    ])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('claimed by a workspace without files rejects a second workspace, even after a restart', async () => {
    const blobs = await open()
    await claimStorage(needsOf(blobs))
    for (let start = 0; start < 2; start += 1)
      await expect(claimStorage(needsOf(blobs, other))).rejects.toThrow(
        /belongs to workspace .*storage:adopt --confirm\.$/,
      )
    expect(await isOwnStorage({ database: other.database, blobs })).toBe(false)
  })

  test('gets its ID at the next start if the first start was killed during the claim', async () => {
    const blobs = await open()
    const killed = { ...blobs, identity: { ...blobs.identity, claim: () => Promise.reject(new Error('killed')) } }
    await claimStorage(needsOf(killed))
    expect([warned, await blobs.identity.read()]).toEqual([1, undefined])
    expect(await isOwnStorage({ database: opened.database, blobs })).toBe(false)
    await claimStorage(needsOf(blobs))
    expect(await blobs.identity.read()).toBe(await workspaceIdOf(opened.database))
  })

  test("stays unchanged if it doesn't respond, and startup fails", async () => {
    const blobs = await open()
    const away = { ...blobs, identity: { ...blobs.identity, read: () => Promise.reject(new Error('away')) } }
    await expect(claimStorage(needsOf(away))).rejects.toThrow('away')
    expect(await workspaceIdOf(opened.database)).toBeUndefined()
  })

  test('that contains files rejects a database that references none of them', async () => {
    const blobs = await open()
    const path = join(dataFolder, 'file')
    await writeFile(path, 'bytes')
    await blobs.publish(path, '277089d91c0bdf4f2e6862ba7e4a07605119431f5d13f726dd352b06f1b206a9')
    await expect(claimStorage(needsOf(blobs))).rejects.toThrow('contains files unknown to')
    expect(await workspaceIdOf(opened.database)).toBeUndefined()
    expect(await blobs.identity.read()).toBeUndefined()
  })

  test('is rejected if there are unknown unfinished uploads, with the path of their folder', async () => {
    const staging = openStaging(join(dataFolder, 'uploads'))
    await staging.empty('01hzzzzzzz0123456789abcdef')
    await expect(claimStorage(needsOf(await open()))).rejects.toThrow(`DOSSIER_DATA: ${join(dataFolder, 'uploads')}`)
  })

  test('can be adopted by another database and then rejects the previous one', async () => {
    const blobs = await open()
    await claimStorage(needsOf(blobs))
    const before = await blobs.identity.read()
    const adopted = await adoptStorage(adopting(blobs))
    const id = await workspaceIdOf(other.database)
    expect(adopted).toEqual({ before, id })
    const [entry] = await other.database.read.selectFrom('audit_log').select(['kind', 'details']).execute()
    expect(entry).toEqual({ kind: 'storage-adopted', details: JSON.stringify({ before, after: id }) })
    await claimStorage(needsOf(blobs, other))
    await expect(claimStorage(needsOf(blobs))).rejects.toThrow(/belongs to workspace/)
  })

  test("used as a copy target gets the database's ID, and is rejected if it belongs to another workspace", async () => {
    const blobs = await open()
    await claimCopy({ database: opened.database, blobs })
    expect(await blobs.identity.read()).toBeUndefined()
    const elsewhere = await openStorage({ dataFolder: join(dataFolder, 'elsewhere'), s3: undefined }, () => undefined)
    await claimStorage(needsOf(elsewhere))
    await claimCopy({ database: opened.database, blobs })
    expect(await blobs.identity.read()).toBe(await workspaceIdOf(opened.database))
    await adoptStorage(adopting(blobs))
    expect(await claimCopy({ database: opened.database, blobs })).toBe(await workspaceIdOf(other.database))
  })
})
