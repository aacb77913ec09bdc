import { randomUUID } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, readIfThere, removeIfThere, syncFolder } from './file-system.ts'
import { PARTIAL_EXTENSION, linkOrCopy } from './link-or-copy.ts'
import { parseMetadata, printMetadata, type StorageMetadata } from '#server/platform/storage/blob-storage.ts'

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
      // Of two concurrent claims the first wins; a blank file is overwritten.
      await write(text, linkOrCopy)
      if ((await read()) === undefined) await write(text, rename)
      return read()
    },
    replace: (text) => write(text, rename),
  }
}
