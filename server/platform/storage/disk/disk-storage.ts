import { randomUUID } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { access, copyFile, link, open, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  type BlobStorage,
  HASH_PATTERN,
  type ListedBlob,
  openStorageMetadata,
  parseMetadata,
  printMetadata,
  type StorageMetadata,
  type StoredBlob,
} from '#server/platform/storage/blob-storage.ts'
import { makeFolder, openFolderIfThere, readIfThere, removeIfThere, statIfThere, syncFolder } from './file-system.ts'

const PARTIAL_EXTENSION = '.new'

/** Hard links are fast and need no extra disk space; without file system support, the file is copied and renamed. */
async function linkOrCopy(path: string, target: string): Promise<void> {
  try {
    await link(path, target)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return
    if (!NO_LINKS.has(codeOf(error))) throw error
    await copyDurably(path, target)
  }
}

const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK'])

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

async function copyDurably(path: string, target: string): Promise<void> {
  const beside = `${target}.${process.pid}${PARTIAL_EXTENSION}`
  await copyFile(path, beside, constants.COPYFILE_FICLONE)
  const handle = await open(beside, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(beside, target)
}

export function openDiskMetadata(folder: string, name: string): StorageMetadata {
  const file = join(folder, name)
  const read = async (): Promise<string | undefined> => parseMetadata((await readIfThere(file))?.toString('utf8'))
  const write = async (text: string, place: (from: string, to: string) => Promise<void>): Promise<void> => {
    const draft = `${file}.${randomUUID()}${PARTIAL_EXTENSION}`
    await makeFolder(folder)
    try {
      await writeFile(draft, printMetadata(text), { mode: 0o600, flush: true })
      await place(draft, file)
      await syncFolder(folder)
    } finally {
      await removeIfThere(draft)
    }
  }
  return {
    read,
    claim: async (text) => {
      const found = await read()
      if (found !== undefined) return found
      // The first of two concurrent claims wins; an empty file is overwritten.
      await write(text, linkOrCopy)
      if ((await read()) === undefined) await write(text, rename)
      return read()
    },
    replace: (text) => write(text, rename),
  }
}

/** Read size in bytes: needs a quarter of the calls of the default size, and little memory per reader. */
const READ_BYTES = 256 * 1024

/** Two levels of 256 folders each, so that no folder grows too large. */
export function openDiskStorage(folder: string): BlobStorage {
  const pathOf = (hash: string): string => {
    if (!HASH_PATTERN.test(hash)) throw new Error('A blob name must be a SHA-256 hash in hex.')
    return join(folder, hash.slice(0, 2), hash.slice(2, 4), hash)
  }
  return {
    pathOf,
    publish: async (path, hash) => {
      const target = pathOf(hash)
      await makeFolder(dirname(target))
      await linkOrCopy(path, target)
      await syncFolder(dirname(target))
    },
    open: async (hash) => openBlob(pathOf(hash)),
    remove: async (hash) => {
      await removeIfThere(pathOf(hash))
      return true
    },
    ...openStorageMetadata((name) => openDiskMetadata(folder, name)),
    list: () => listBlobs(folder),
    removeHalves: (before) => removePartialFiles(folder, before),
    check: async () => {
      await makeFolder(folder)
      await access(folder, constants.R_OK | constants.W_OK)
    },
  }
}

async function openBlob(path: string): Promise<StoredBlob | undefined> {
  const found = await statIfThere(path)
  if (found === undefined) return undefined
  return { bytes: found.size, read: (range) => createReadStream(path, { ...range, highWaterMark: READ_BYTES }) }
}

async function removePartialFiles(folder: string, before: Date): Promise<void> {
  for await (const path of filesBelow(folder)) {
    const found = path.endsWith(PARTIAL_EXTENSION) ? await statIfThere(path) : undefined
    if (found !== undefined && found.mtime < before) await removeIfThere(path)
  }
}

async function* listBlobs(folder: string): AsyncGenerator<ListedBlob> {
  for await (const path of filesBelow(folder)) {
    const hash = path.slice(-64)
    const found = HASH_PATTERN.test(hash) ? await statIfThere(path) : undefined
    if (found !== undefined) yield { hash, bytes: found.size, storedAt: found.mtime }
  }
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  const entries = await openFolderIfThere(folder)
  if (entries === undefined) return
  for await (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* filesBelow(path)
    else yield path
  }
}
