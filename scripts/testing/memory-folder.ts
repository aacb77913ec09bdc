import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive, sweepAbandoned } from '#tests/support/database/postgres-server.ts'

const MOUNTED_AT = '/dev/shm'
const NAME = /^dossier-tests-(\d+)$/

const GB = 1024 ** 3
/** Files of the tests take less than half of this. */
const SPACE_NEEDED = 2 * GB
/** Memory for the files, the workers and the browsers. */
const MEMORY_NEEDED = 6 * GB

/** A new folder in memory; undefined if the machine has too little, or isn't Linux. */
export function createMemoryFolder(): string | undefined {
  if (!existsSync(MOUNTED_AT)) return undefined
  removeAbandoned()
  const { bavail, bsize } = statfsSync(MOUNTED_AT)
  if (bavail * bsize < SPACE_NEEDED || process.availableMemory() < MEMORY_NEEDED) return undefined
  const folder = join(MOUNTED_AT, `dossier-tests-${process.pid}`)
  mkdirSync(folder)
  // PostgreSQL may run as another user.
  chmodSync(folder, 0o1777)
  return folder
}

/** Removes the folders of killed test runs. */
function removeAbandoned(): void {
  for (const name of readdirSync(MOUNTED_AT)) {
    const owner = NAME.exec(name)?.[1]
    if (owner === undefined || isAlive(Number(owner))) continue
    const folder = join(MOUNTED_AT, name)
    sweepAbandoned(folder)
    rmSync(folder, { recursive: true, force: true })
  }
}
