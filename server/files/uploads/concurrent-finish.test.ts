import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OWNER } from '#domain/access/policy.ts'
import type { UserId } from '#domain/shared/ids.ts'
import type { FileField } from '#domain/fields/files.ts'
import type { Upload } from '#domain/uploads/upload.ts'
import { openThumbnails } from '#server/files/images/thumbnails.ts'
import type { BlobStorage } from '#server/platform/storage/blob-storage.ts'
import { openDiskCache } from '#server/platform/storage/disk/disk-cache.ts'
import { openDiskStorage } from '#server/platform/storage/disk/disk-storage.ts'
import { openStaging } from '#server/platform/storage/staging/staging.ts'
import { TEST_PASSWORD } from '#tests/support/server/test-app.ts'
import { openTestDatabase, type OpenTestDatabase } from '#tests/support/database/test-database.ts'
import { prepareUser, storeUser } from '#server/identity/users/create-user.ts'
import { finishUpload } from './finish-upload.ts'
import { type UploadDeps, createRunningHashes } from './upload-deps.ts'
import { findUpload, insertUpload } from './store.ts'
import { createKeyedMutex } from '#server/platform/concurrency/locks.ts'

let opened: OpenTestDatabase
let folder: string
let userId: UserId
beforeAll(async () => {
  opened = await openTestDatabase()
  const ada = { email: 'ada@example.org', name: 'Ada', password: TEST_PASSWORD, roles: [OWNER] }
  const prepared = await prepareUser({ clock: () => NOW, newId: () => 'ada' }, ada)
  userId = await opened.database.write((transaction) => storeUser(transaction, prepared))
  folder = await mkdtemp(join(tmpdir(), 'dossier-finish-'))
})
afterAll(async () => {
  await opened.close()
  await rm(folder, { recursive: true, force: true })
})

const NOW = new Date('2026-03-01T10:00:00.000Z')

/** The servers share only the database and the folder. */
function aServer(changed: Partial<BlobStorage> = {}): UploadDeps {
  const blobs = { ...openDiskStorage(join(folder, 'blobs')), ...changed }
  const deps: Partial<UploadDeps> = {
    database: opened.database,
    clock: () => NOW,
    staging: openStaging(join(folder, 'uploads')),
    blobs,
    pictures: openThumbnails(blobs, openDiskCache(join(folder, 'pictures'))),
    hashes: createRunningHashes(),
    uploadTurns: createKeyedMutex(),
    blobTurns: createKeyedMutex(),
  }
  // The other dependencies are only used to create uploads.
  return deps as UploadDeps
}

const FIELD = { id: 'f', name: 'files', label: 'Files', kind: 'files', options: {} } as unknown as FileField

/** An upload that has received all bytes but isn't completed yet. */
async function anArrivedUpload(id: string): Promise<Upload> {
  const bytes = randomBytes(5000)
  const upload: Upload = {
    id,
    userId,
    target: { collection: 'c', field: 'f', record: null },
    file: { name: 'a.bin', type: '', bytes: bytes.length },
    committed: bytes.length,
    sniffedType: null,
    state: 'open',
    createdAt: NOW.toISOString(),
    expiresAt: new Date(NOW.getTime() + 60_000).toISOString(),
  }
  await opened.database.write((transaction) => insertUpload(transaction, upload))
  const intake = { offset: 0, skip: 0, size: bytes.length, onBytes: () => undefined, idleTimeoutMs: () => 5000 }
  await openStaging(join(folder, 'uploads')).append(id, Readable.from([bytes]), intake)
  return upload
}

describe('a file finished by two servers at the same time', () => {
  test('is stored and reported by both if one finishes while the other is copying', async () => {
    const upload = await anArrivedUpload('01hzzzzzzz0123456789abcde1')
    const other = aServer()
    const disk = openDiskStorage(join(folder, 'blobs'))
    // By now, the other server has completed the upload and removed the staged bytes.
    const publish: BlobStorage['publish'] = async (path, hash) => {
      expect((await finishUpload(other, upload, FIELD)).state).toBe('ready')
      return disk.publish(path, hash)
    }
    expect((await finishUpload(aServer({ publish }), upload, FIELD)).state).toBe('ready')
    expect((await findUpload(opened.database.read, upload.id))?.state).toBe('ready')
  })

  test('is stored and reported by both if one finishes before the other reads the bytes', async () => {
    const upload = await anArrivedUpload('01hzzzzzzz0123456789abcde2')
    expect((await finishUpload(aServer(), upload, FIELD)).state).toBe('ready')
    expect((await finishUpload(aServer(), upload, FIELD)).state).toBe('ready')
  })
})
