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

test('a failed start of the image process doesn’t affect the next image, which uses a new process', async () => {
  const path = join(folder, 'a.png')
  await writeFile(path, await sampleImage(2, 1))
  const pictures = openPictureProcess()
  // Node emits one event for a failed start and another for a failed send.
  process.execPath = join(folder, 'nowhere')
  expect(await pictures.header(path)).toBeUndefined()
  process.execPath = execPath
  expect(await pictures.header(path)).toMatchObject({ width: 2, height: 1 })
})
