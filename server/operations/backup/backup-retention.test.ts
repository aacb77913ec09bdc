import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { backupName, deleteOldBackups } from './backup-retention.ts'
import { type Manifest, newManifest } from './manifest.ts'

const WORKSPACE = 'c6c1cc6f-6d7a-4d3a-8f1d-2a5f3f6b1a01'
const OTHER = 'c6c1cc6f-6d7a-4d3a-8f1d-2a5f3f6b1a02'
const NOW = new Date('2026-11-20T10:00:00.000Z')

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-kept-'))
})
afterEach(() => rm(folder, { recursive: true }))

const aManifest = (day: number, more: Partial<Manifest> = {}): Manifest =>
  newManifest({
    writtenBy: 'test',
    at: new Date(Date.UTC(2026, 10, day)).toISOString(),
    workspace: WORKSPACE,
    dialect: 'sqlite',
    migration: 28,
    rows: {},
    parts: [],
    blobs: { are: 'inside', count: 1, bytes: 1, lost: [] },
    ...more,
  })

async function write(day: number, more: Partial<Manifest> = {}) {
  const manifest = aManifest(day, more)
  const name = backupName('dossier', new Date(manifest.at))
  await mkdir(join(folder, name))
  await writeFile(join(folder, name, 'manifest.json'), JSON.stringify(manifest))
  return { name, manifest }
}

const kept = async () => (await readdir(folder)).map((name) => name.slice('dossier-2026-11-'.length, 18))

test('keeps the backup that was just written, even if the clock was set back', async () => {
  await write(10)
  await write(11)
  const written = await write(1)
  await deleteOldBackups(folder, written, { count: 2, now: NOW })
  expect(await kept()).toEqual(['01', '11'])
})

test("ignores folders that don't contain a complete backup", async () => {
  await write(10)
  await write(11)
  for (const day of [12, 13]) await mkdir(join(folder, backupName('dossier', new Date(Date.UTC(2026, 10, day)))))
  const written = await write(14)
  await deleteOldBackups(folder, written, { count: 2, now: NOW })
  expect(await kept()).toEqual(['11', '12', '13', '14'])
})

test('deletes no backup if the newest lacks file contents that an older one may have', async () => {
  await write(10)
  const written = await write(11, { blobs: { are: 'inside', count: 1, bytes: 0, lost: ['a'.repeat(64)] } })
  await deleteOldBackups(folder, written, { count: 1, now: NOW })
  expect(await kept()).toEqual(['10', '11'])
})

test.each([
  ['of another workspace', { workspace: OTHER }],
  ['of before there were workspace ids', { workspace: undefined }],
])('deletes no backup %s', async (_, more) => {
  await write(9, more)
  await write(10)
  const written = await write(11)
  await deleteOldBackups(folder, written, { count: 1, now: NOW })
  expect(await kept()).toEqual(['09', '11'])
})

test('deletes only backups of the same migration if requested', async () => {
  await write(8, { migration: 27 })
  await write(9)
  await write(10)
  const written = await write(11)
  await deleteOldBackups(folder, written, { count: 1, now: NOW, sameStep: true })
  expect(await kept()).toEqual(['08', '11'])
})
