import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStorage } from './open-storage.ts'

let dataFolder: string
beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'dossier-aside-'))
})
afterAll(() => rm(dataFolder, { recursive: true, force: true }))

test('files moved aside by a restore are kept until their folder is deleted', async () => {
  const storage = await openStorage({ dataFolder, s3: undefined }, () => undefined)
  const publish = async (text: string): Promise<string> => {
    const hash = createHash('sha256').update(text).digest('hex')
    await writeFile(join(dataFolder, 'new'), text)
    await storage.publish(join(dataFolder, 'new'), hash)
    return hash
  }
  const [listed, other] = [await publish('listed'), await publish('other')]
  const folder = join(dataFolder, 'replaced-2026-11-24T00-00-00-000Z')
  await mkdir(folder)
  await writeFile(join(folder, 'blobs.txt'), `${'0'.repeat(64)}\n${listed}\n`)
  expect([await storage.remove(listed), await storage.remove(other)]).toEqual([false, true])
  expect(await storage.open(listed)).toBeDefined()
  expect(await storage.open(other)).toBeUndefined()
  await rm(folder, { recursive: true })
  await storage.remove(listed)
  expect(await storage.open(listed)).toBeUndefined()
})
