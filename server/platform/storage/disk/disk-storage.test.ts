import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDiskMetadata } from './disk-storage.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-identity-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('a missing storage folder is created with an ID file and nothing else', async () => {
  const identity = openDiskMetadata(join(folder, 'blobs'), 'workspace-id')
  expect(await identity.claim('one')).toBe('one')
  expect(await readdir(join(folder, 'blobs'))).toEqual(['workspace-id'])
})

test('an ID file left empty by a power loss is rewritten', async () => {
  await writeFile(join(folder, 'workspace-id'), '')
  const identity = openDiskMetadata(folder, 'workspace-id')
  expect(await identity.read()).toBeUndefined()
  expect(await identity.claim('one')).toBe('one')
})
