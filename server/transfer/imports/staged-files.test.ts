import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { areStale } from '#server/transfer/imports/staged-files.ts'

const HOUR_MS = 60 * 60 * 1000
const OLD_ID = '01hzzzzzzz0123456789abcdef'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-staged-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function aFile(name: string, ageMs: number): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, 'a,b\n')
  const at = new Date(Date.now() - ageMs)
  await utimes(path, at, at)
  return path
}

test('a file that is still being written is never stale', async () => {
  expect(await areStale(OLD_ID, [await aFile('new.csv', 0)], HOUR_MS)).toBe(false)
  expect(
    await areStale(OLD_ID, [await aFile('old.csv', 2 * HOUR_MS), await aFile('new.errors.csv', 1000)], HOUR_MS),
  ).toBe(false)
})

test('a file that has been unmodified for an hour, or is missing, is stale', async () => {
  expect(await areStale(OLD_ID, [await aFile('old.csv', 2 * HOUR_MS)], HOUR_MS)).toBe(true)
  expect(await areStale(OLD_ID, [join(folder, 'gone.csv')], HOUR_MS)).toBe(true)
})
