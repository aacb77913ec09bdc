import { mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openDiskCache } from './disk-cache.ts'
import { statIfThere } from './file-system.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-cache-'))
})
afterEach(() => rm(folder, { recursive: true }))

describe('a cached copy', () => {
  test('is kept while it is being read, even if another server starts using the cache', async () => {
    const [one, another] = [openDiskCache(folder), openDiskCache(folder)]
    const read = await one.borrow(Readable.from(['a picture']), async (path) => {
      await another.borrow(Readable.from(['other']), () => Promise.resolve())
      return readFile(path, 'utf8')
    })
    expect(read).toBe('a picture')
  })

  test('is removed if its server was killed more than an hour ago', async () => {
    const path = await openDiskCache(folder).borrow(Readable.from(['left']), (borrowed) => Promise.resolve(borrowed))
    await writeFile(path, 'left')
    await utimes(path, new Date(0), new Date(0))
    await openDiskCache(folder).borrow(Readable.from(['new']), () => Promise.resolve())
    expect(await statIfThere(path)).toBeUndefined()
  })

  test('can be created again after a failure', async () => {
    const cache = openDiskCache(folder)
    const place = join(folder, 'borrowed')
    const borrow = () => cache.borrow(Readable.from(['a picture']), (path) => readFile(path, 'utf8'))
    await writeFile(place, 'in the way')
    await expect(borrow()).rejects.toMatchObject({ code: 'EEXIST' })
    await rm(place)
    expect(await borrow()).toBe('a picture')
  })
})
