import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDiskMetadata } from './disk-metadata.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-identity-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('a folder that is not there yet is made with its id, and nothing else', async () => {
  const identity = openDiskMetadata(join(folder, 'blobs'), 'workspace-id')
  expect(await identity.claim('one')).toBe('one')
  expect(await readdir(join(folder, 'blobs'))).toEqual(['workspace-id'])
})

test('an id that a power cut left blank is written again', async () => {
  await writeFile(join(folder, 'workspace-id'), '')
  const identity = openDiskMetadata(folder, 'workspace-id')
  expect(await identity.read()).toBeUndefined()
  expect(await identity.claim('one')).toBe('one')
})
