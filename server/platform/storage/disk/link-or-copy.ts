import { constants } from 'node:fs'
import { copyFile, link, open, rename } from 'node:fs/promises'

export const PARTIAL_EXTENSION = '.new'

/** A hard link costs nothing; where the file system has none, the file is copied and renamed. */
export async function linkOrCopy(path: string, target: string): Promise<void> {
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
