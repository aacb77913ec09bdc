import { stat } from 'node:fs/promises'

const GROUP_AND_OTHERS_MASK = 0o077

/** Makes all files and folders that this process creates private to its user. */
export const keepNewFilesPrivate = (): void => void process.umask(GROUP_AND_OTHERS_MASK)

/** Warns if other users can enter the data folder; not available on Windows. */
export async function warningIfShared(folder: string): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined
  const { mode } = await stat(folder)
  if ((mode & GROUP_AND_OTHERS_MASK) === 0) return undefined
  return `DOSSIER_DATA: ${folder} contains the database and its keys and is readable by other users. Run: chmod -R go= "${folder}"`
}
