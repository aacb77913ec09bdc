import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder with package.json above `folder`: the same for the sources and for the bundled server. */
function findRoot(folder: string): string {
  const parent = dirname(folder)
  return existsSync(join(folder, 'package.json')) || parent === folder ? folder : findRoot(parent)
}

/** Where package.json, the built interface and the sample data are. */
export const PROJECT_ROOT = findRoot(import.meta.dirname)
