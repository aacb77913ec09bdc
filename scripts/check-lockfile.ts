/** Checks that the lockfile installs on every platform; part of `npm run check`. */
import { readFileSync } from 'node:fs'

type Names = Readonly<Record<string, string>>

type LockedPackage = {
  readonly resolved?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly dependencies?: Names
  readonly devDependencies?: Names
  readonly optionalDependencies?: Names
}

export type Lockfile = { readonly packages: Readonly<Record<string, LockedPackage>> }

export type Manifest = Pick<LockedPackage, 'dependencies' | 'devDependencies' | 'optionalDependencies'>

/** Resolves a package like Node: in the importer's folder, then in each parent folder. */
function isLocked(lock: Lockfile, asking: string, name: string): boolean {
  let place = asking
  while (place !== '') {
    if (`${place}/node_modules/${name}` in lock.packages) return true
    place = place.slice(0, Math.max(0, place.lastIndexOf('node_modules/') - 1))
  }
  return `node_modules/${name}` in lock.packages
}

/** Missing platform packages, unexpected registry URLs and missing integrity hashes in one lockfile entry. */
function faultsOfEntry(lock: Lockfile, place: string, locked: LockedPackage): string[] {
  const missing = Object.keys(locked.optionalDependencies ?? {}).filter((name) => !isLocked(lock, place, name))
  const faults = missing.map((name) => `${place || 'package.json'} may need ${name}, which has no entry.`)
  if (locked.resolved !== undefined) faults.push(`${place} names the address it was fetched from.`)
  if (place !== '' && !locked.link && !locked.integrity) faults.push(`${place} has no integrity hash.`)
  return faults
}

/** Dependencies that differ between package.json and the lockfile. */
function differences(lock: Lockfile, manifest: Manifest, kind: keyof Manifest): string[] {
  const requested = manifest[kind] ?? {}
  const locked = lock.packages['']?.[kind] ?? {}
  const names = [...new Set([...Object.keys(requested), ...Object.keys(locked)])]
  const differing = names.filter((name) => requested[name] !== locked[name])
  return differing.map((name) => `${name} differs between package.json and package-lock.json.`)
}

export function findLockfileErrors(lock: Lockfile, manifest: Manifest): string[] {
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'] as const
  return [
    ...Object.entries(lock.packages).flatMap(([place, locked]) => faultsOfEntry(lock, place, locked)),
    ...kinds.flatMap((kind) => differences(lock, manifest, kind)),
  ]
}

if (import.meta.main) {
  // npm's file formats.
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lockfile
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest
  const faults = findLockfileErrors(lock, manifest)
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length === 0 ? 0 : 1
}
