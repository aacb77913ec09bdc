import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { StoredBlob } from '#server/platform/storage/blob-storage.ts'
import { makeFolder, removeIfThere, statIfThere } from './file-system.ts'

/** Files that can be made again at any time: the whole folder may be deleted, and is left out of backups. */
export type DiskCache = {
  readonly find: (name: string) => Promise<StoredBlob | undefined>
  readonly put: (name: string, bytes: Uint8Array) => Promise<void>
  readonly remove: (name: string) => Promise<void>
  /** Copies a stream to a file of this machine for as long as the work lasts, for those who can only read files. */
  readonly borrow: <Answer>(bytes: Readable, work: (path: string) => Promise<Answer>) => Promise<Answer>
}

/** What may stand in a name; the first four characters become two folders. */
const NAME_PATTERN = /^[\w-]{6,}\.[a-z]+$/

/** A cache in a folder. */
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
      // Flushed before it gets its name, so that a power cut leaves nothing half.
      const beside = `${path}.${randomUUID()}.new`
      await writeFile(beside, bytes, { flush: true })
      await rename(beside, path)
    },
    remove: (name) => removeIfThere(pathOf(name)),
    borrow: async (bytes, work) => {
      borrowed ??= openTemporaryFolder(join(folder, 'borrowed')).then(undefined, (error: unknown) => {
        // The disk is not full for ever: whoever comes next tries anew.
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

/** Nobody needs a copy for so long, in ms. */
const STALE_AFTER_MS = 60 * 60 * 1000

/** What a process that was killed left there goes with the first use by another; what others are reading now stays. */
async function openTemporaryFolder(folder: string): Promise<string> {
  await makeFolder(folder)
  for (const name of await readdir(folder)) {
    const found = await statIfThere(join(folder, name))
    if (found !== undefined && Date.now() - found.mtimeMs > STALE_AFTER_MS)
      await rm(join(folder, name), { force: true })
  }
  return folder
}
