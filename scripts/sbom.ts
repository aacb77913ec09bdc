/**
 * `npm run --silent sbom`: a CycloneDX 1.6 bill of materials for the production packages, generated offline from the
 * lockfile. `npm sbom` omits packages that development tools also depend on.
 */
import { readFileSync } from 'node:fs'

type Names = { readonly [name: string]: string }

type LockedPackage = {
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly dependencies?: Names
  readonly optionalDependencies?: Names
}

/** The fields read from package-lock.json; keys are folders, '' is the project itself. */
type Lock = { readonly packages: { readonly [place: string]: LockedPackage } }

const FOLDER = 'node_modules/'

const nameOf = (place: string): string => place.slice(place.lastIndexOf(FOLDER) + FOLDER.length)

const purlOf = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`

/** Converts base64 `sha512-…` to hex `SHA-512`. */
function hashesOf(integrity = ''): object[] {
  const [, bits, base64 = ''] = /^sha(\d+)-(\S+)/.exec(integrity) ?? []
  return bits === undefined ? [] : [{ alg: `SHA-${bits}`, content: Buffer.from(base64, 'base64').toString('hex') }]
}

const licensesOf = (license: string): object[] =>
  /[\s()]/.test(license) ? [{ expression: license }] : [{ license: { id: license } }]

const componentOf = ([place, { version = '', license, integrity, optional }]: [string, LockedPackage]) => ({
  type: 'library',
  'bom-ref': place,
  name: nameOf(place),
  version,
  purl: purlOf(nameOf(place), version),
  scope: optional === true ? 'optional' : 'required',
  ...(license !== undefined && { licenses: licensesOf(license) }),
  hashes: hashesOf(integrity),
})

/** Resolves a package like Node: in the importer's folder, then in each parent folder. */
function placeFor(lock: Lock, asking: string, name: string): string | undefined {
  for (let at = asking; ; at = at.slice(0, Math.max(0, at.lastIndexOf(FOLDER) - 1))) {
    const place = at === '' ? `${FOLDER}${name}` : `${at}/${FOLDER}${name}`
    if (place in lock.packages) return place
    if (at === '') return undefined
  }
}

const dependenciesOf = (lock: Lock, [place, locked]: [string, LockedPackage]) => ({
  ref: place === '' ? 'dossier' : place,
  dependsOn: Object.keys({ ...locked.dependencies, ...locked.optionalDependencies }).flatMap(
    (name) => placeFor(lock, place, name) ?? [],
  ),
})

/** Deterministic: the same lockfile gives the same output. */
export function billOfMaterials(lock: Lock) {
  const all = Object.entries(lock.packages).filter(([, { dev }]) => dev !== true)
  const { version = '', license = '' } = lock.packages[''] ?? {}
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': 'dossier',
        name: 'dossier',
        version,
        purl: purlOf('dossier', version),
        licenses: licensesOf(license),
      },
    },
    components: all.filter(([place]) => place !== '').map(componentOf),
    dependencies: all.map((one) => dependenciesOf(lock, one)),
  }
}

if (import.meta.main) {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock
  process.stdout.write(`${JSON.stringify(billOfMaterials(lock), null, 2)}\n`)
}
