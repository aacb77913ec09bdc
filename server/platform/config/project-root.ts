import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'

/** The nearest folder that contains package.json; works from both the sources and the bundle. */
function findRoot(folder: string): string {
  const parent = dirname(folder)
  return existsSync(join(folder, 'package.json')) || parent === folder ? folder : findRoot(parent)
}

export const PROJECT_ROOT = findRoot(import.meta.dirname)

const packageFile = join(PROJECT_ROOT, 'package.json')

export const VERSION = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(packageFile, 'utf8'))).version
