import type { Dir, Stats } from 'node:fs'
import { mkdir, open, opendir, readFile, stat, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Problem } from '#domain/shared/problem.ts'

/** Makes changes to a folder survive a power loss. Windows has no such call and doesn't need one. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made))
}

export const statIfThere = (path: string): Promise<Stats | undefined> => unlessMissing(stat(path))

export const openFolderIfThere = (folder: string): Promise<Dir | undefined> => unlessMissing(opendir(folder))

export const readIfThere = (path: string): Promise<Buffer | undefined> => unlessMissing(readFile(path))

/**
 * Removes a file if it exists. Node's `rm` reports a file that can't be deleted as a directory; this reports the actual
 * cause.
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

const RETRY_AFTER_SECONDS = 60

const FULL = 'The server disk is full. Free up space, then try again.'
const CLOSED = 'The server disk is read-only. Make it writable, then try again.'

const DISK_MESSAGES: { readonly [code: string]: string } = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EROFS: CLOSED,
  EPERM: CLOSED,
  EACCES: CLOSED,
  EIO: CLOSED,
}

export function toDiskProblem(error: Error): Problem | undefined {
  const sentence = 'code' in error && typeof error.code === 'string' ? DISK_MESSAGES[error.code] : undefined
  return sentence === undefined
    ? undefined
    : new Problem('not-ready', sentence, { retryAfterSeconds: RETRY_AFTER_SECONDS })
}
