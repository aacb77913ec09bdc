import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { StoredBlob } from '#server/platform/storage/blob-storage.ts'
import { makeFolder, removeIfThere, statIfThere } from './file-system.ts'

/** A cache folder that can be deleted at any time and isn't part of backups. */
export type DiskCache = {
  readonly find: (name: string) => Promise<StoredBlob | undefined>
  readonly put: (name: string, bytes: Uint8Array) => Promise<void>
  readonly remove: (name: string) => Promise<void>
  readonly borrow: <Answer>(bytes: Readable, work: (path: string) => Promise<Answer>) => Promise<Answer>
}

const NAME_PATTERN = /^[\w-]{6,}\.[a-z]+$/

export function openDiskCache(folder: string): DiskCache {
  const pathOf = (name: string): string => {
    if (!NAME_PATTERN.test(name)) throw new Error('The name of a cached file must be a hash and an extension.')
    return join(folder, name.slice(0, 2), name.slice(2, 4), name)
  }
  let borrowed: Promise<string> | undefined
  return {
    find: async (name) => {
      const path = pathOf(name)
      const found = await statIfThere(path)
      return found && { bytes: found.size, read: (range) => createReadStream(path, range) }
    },
    put: async (name, bytes) => {
      const path = pathOf(name)
      await makeFolder(dirname(path))
      // Flushed before the rename, so that a power loss can't leave a partial file.
      const beside = `${path}.${randomUUID()}.new`
      await writeFile(beside, bytes, { flush: true })
      await rename(beside, path)
    },
    remove: (name) => removeIfThere(pathOf(name)),
    borrow: async (bytes, work) => {
      borrowed ??= openTemporaryFolder(join(folder, 'borrowed')).then(undefined, (error: unknown) => {
        borrowed = undefined
        throw error
      })
      const path = join(await borrowed, randomUUID())
      try {
        await pipeline(bytes, createWriteStream(path))
        return await work(path)
      } finally {
        await removeIfThere(path)
      }
    },
  }
}

const STALE_AFTER_MS = 60 * 60 * 1000

/** Removes files left by killed processes on first use; files in use are kept. */
async function openTemporaryFolder(folder: string): Promise<string> {
  await makeFolder(folder)
  for (const name of await readdir(folder)) {
    const found = await statIfThere(join(folder, name))
    if (found !== undefined && Date.now() - found.mtimeMs > STALE_AFTER_MS)
      await rm(join(folder, name), { force: true })
  }
  return folder
}
