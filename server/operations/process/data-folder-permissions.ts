import { stat } from 'node:fs/promises'

/** Permission bits of the group and of all other users. */
const GROUP_AND_OTHERS_MASK = 0o077

/** Makes every file and folder that this process and its children create private to its user. */
export const keepNewFilesPrivate = (): void => void process.umask(GROUP_AND_OTHERS_MASK)

/** A warning with its fix when other users of the machine can enter the data folder; Windows has no such bits. */
export async function warningIfShared(folder: string): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined
  const { mode } = await stat(folder)
  if ((mode & GROUP_AND_OTHERS_MASK) === 0) return undefined
  return `DOSSIER_DATA: ${folder} contains the database and its keys and is readable by other users. Run: chmod -R go= "${folder}"`
}
