import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import type { BlobStorage } from './blob-storage.ts'
import { openFolderIfThere, statIfThere } from './disk/file-system.ts'

/** What the folders are called that a restore puts aside what it replaces in, and the list of files in each. */
const REPLACED_FOLDER = /^replaced-/
const LIST = 'blobs.txt'

/**
 * A storage that removes no file which a restore put aside with its database: the database in use does not know that one. It
 * can be removed once the folder is gone.
 */
export const retainReplacedBlobs = (storage: BlobStorage, dataFolder: string): BlobStorage => ({
  ...storage,
  remove: async (hash) => !(await isReplaced(dataFolder, hash)) && storage.remove(hash),
})

async function isReplaced(dataFolder: string, hash: string): Promise<boolean> {
  for await (const { name } of (await openFolderIfThere(dataFolder)) ?? []) {
    if (!REPLACED_FOLDER.test(name)) continue
    const list = join(dataFolder, name, LIST)
    if ((await statIfThere(list)) !== undefined && (await listContains(list, hash))) return true
  }
  return false
}

/** Whether a file of one hash a line has this one. */
async function listContains(file: string, hash: string): Promise<boolean> {
  let rest = ''
  for await (const part of createReadStream(file, { encoding: 'latin1', highWaterMark: 1024 * 1024 })) {
    const text = rest + String(part)
    if (text.includes(hash)) return true
    rest = text.slice(-hash.length)
  }
  return false
}
