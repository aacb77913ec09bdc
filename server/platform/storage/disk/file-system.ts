import type { Dir, Stats } from 'node:fs'
import { mkdir, open, opendir, readFile, stat, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Makes what was created, renamed or removed in a folder survive a power cut. Windows does not know how; it needs none. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes a folder with all above it, and makes each new one durable. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

/** What the file system knows of a file, undefined when there is none. */
export const statIfThere = (path: string): Promise<Stats | undefined> => unlessMissing(stat(path))

/** A folder to look through, undefined when there is none. */
export const openFolderIfThere = (folder: string): Promise<Dir | undefined> => unlessMissing(opendir(folder))

/** What a file holds, undefined when there is none. */
export const readIfThere = (path: string): Promise<Buffer | undefined> => unlessMissing(readFile(path))

/**
 * Removes a file, if it is there. Node's `rm` takes a file that may not be removed for a folder, and says that it is none;
 * this says what is the matter.
 */
export const removeIfThere = (path: string): Promise<void> => unlessMissing(unlink(path))

async function unlessMissing<Found>(looking: Promise<Found>): Promise<Found | undefined> {
  try {
    return await looking
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
