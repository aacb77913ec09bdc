import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sampleImage } from '#tests/support/files/image-samples.ts'
import { openPictureProcess } from './picture-process.ts'

const { execPath } = process
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-picture-'))
})
afterEach(async () => {
  process.execPath = execPath
  await rm(folder, { recursive: true })
})

test("survives a process that can't start and uses a new one for the next image", async () => {
  const path = join(folder, 'a.png')
  await writeFile(path, await sampleImage(2, 1))
  const pictures = openPictureProcess()
  // Node reports a failed start with one event, and a failed send with another.
  process.execPath = join(folder, 'nowhere')
  expect(await pictures.header(path)).toBeUndefined()
  process.execPath = execPath
  expect(await pictures.header(path)).toMatchObject({ width: 2, height: 1 })
})
