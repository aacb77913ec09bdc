import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ID_PATTERN } from '#domain/shared/ids.ts'
import {
  makeFolder,
  openFolderIfThere,
  removeIfThere,
  statIfThere,
  syncFolder,
} from '#server/platform/storage/disk/file-system.ts'
import { type ReceiveOptions, type ReceiveResult, receiveBody } from './receive-body.ts'

export type StagedFile = { readonly id: string; readonly touchedAt: Date }

export type Staging = {
  /**
   * Stores a body starting at `offset`. Existing bytes after the offset are overwritten but not truncated, because
   * another process may have stored and acknowledged them. `lost`: bytes before the offset are missing.
   */
  readonly append: (
    id: string,
    body: Readable,
    intake: ReceiveOptions,
  ) => Promise<ReceiveResult | { readonly ended: 'lost' }>
  readonly empty: (id: string) => Promise<void>
  readonly bytesOf: (id: string) => Promise<number | undefined>
  readonly hashOf: (id: string) => Promise<string>
  readonly pathOf: (id: string) => string
  readonly remove: (id: string) => Promise<void>
  readonly list: () => AsyncIterable<StagedFile>
  readonly freeBytes: () => Promise<number>
}

export function openStaging(folder: string): Staging {
  const pathOf = (id: string): string => {
    if (!ID_PATTERN.test(id)) throw new Error('Invalid upload ID.')
    return join(folder, id)
  }
  return {
    pathOf,
    append: async (id, body, intake) => {
      const opened = await openAt(folder, pathOf(id), intake.offset)
      if (opened === undefined) return { ended: 'lost' }
      try {
        return await receiveBody(body, opened, intake)
      } finally {
        await opened.close()
      }
    },
    empty: async (id) => {
      const opened = await openAt(folder, pathOf(id), 0)
      await opened?.close()
    },
    bytesOf: async (id) => (await statIfThere(pathOf(id)))?.size,
    hashOf: async (id) => {
      const hash = createHash('sha256')
      await pipeline(createReadStream(pathOf(id), { highWaterMark: 1024 * 1024 }), hash)
      return hash.digest('hex')
    },
    remove: (id) => removeIfThere(pathOf(id)),
    list: () => listStaged(folder),
    freeBytes: async () => {
      await makeFolder(folder)
      const { bavail, bsize } = await statfs(folder)
      return bavail * bsize
    },
  }
}

async function openAt(folder: string, path: string, offset: number): Promise<FileHandle | undefined> {
  const isThere = (await statIfThere(path)) !== undefined
  if (!isThere && offset > 0) return undefined
  if (!isThere) await makeFolder(folder)
  const handle = await open(path, isThere ? 'r+' : 'w+')
  if (!isThere) await syncFolder(folder)
  // In a shared folder, the file length can be outdated until the file is opened.
  if ((await handle.stat()).size >= offset) return handle
  await handle.close()
  return undefined
}

async function* listStaged(folder: string): AsyncGenerator<StagedFile> {
  const entries = await openFolderIfThere(folder)
  if (entries === undefined) return
  for await (const entry of entries) {
    const found = ID_PATTERN.test(entry.name) ? await statIfThere(join(folder, entry.name)) : undefined
    if (found !== undefined) yield { id: entry.name, touchedAt: found.mtime }
  }
}
