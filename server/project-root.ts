import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The nearest folder with package.json, for sources and for the bundle. */
function findRoot(folder: string): string {
  const parent = dirname(folder)
  return existsSync(join(folder, 'package.json')) || parent === folder ? folder : findRoot(parent)
}

export const PROJECT_ROOT = findRoot(import.meta.dirname)
