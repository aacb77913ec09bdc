import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LICENSES_FILE, type LicensedLock, licensesOf, printLicenses } from '../../scripts/licences.ts'
import { billOfMaterials } from '../../scripts/sbom.ts'

/** An override may apply to the dependencies of one package only. */
type Versions = { readonly [name: string]: string | Versions }
type Manifest = { readonly [part: string]: Versions | undefined }

const manifest: Manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const lock: LicensedLock = JSON.parse(readFileSync('package-lock.json', 'utf8'))

const versionsIn = (versions: Versions): readonly (readonly [name: string, version: string])[] =>
  Object.entries(versions).flatMap(([name, version]) =>
    typeof version === 'string' ? [[name, version] as const] : versionsIn(version),
  )

const requested = ['dependencies', 'devDependencies', 'optionalDependencies', 'overrides'].flatMap((part) =>
  versionsIn(manifest[part] ?? {}).map(([name, version]) => ({ part, name, version })),
)
const installed = requested.filter(({ part }) => part !== 'overrides').map(({ name }) => name)

/** Package names in the first cell of each table row; `@types/*` matches every name with this prefix. */
const documented = readFileSync('docs/dependencies.md', 'utf8')
  .split('\n')
  .flatMap((line) => (line.startsWith('| `') ? (line.split('|')[1]?.match(/(?<=`)[^`,\s]+(?=`)/g) ?? []) : []))

const matchesName = (name: string, dependency: string): boolean =>
  name.endsWith('*') ? dependency.startsWith(name.slice(0, -1)) : name === dependency

/** Licenses allowed for packages installed with the server; any other license needs a review. */
const ALLOWED: ReadonlySet<string> = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'Unlicense',
  'PSF-2.0',
  'CC0-1.0',
  'MPL-2.0',
  'LGPL-3.0-or-later',
  'OFL-1.1',
])

/** Every license in an expression must be allowed, including in "A OR B". */
const isAllowed = (license: string): boolean =>
  license.split(/[()\s]+|AND|OR/).every((one) => one === '' || ALLOWED.has(one))

test('docs/dependencies.md lists exactly the installed dependencies', () => {
  const undocumented = installed.filter((dependency) => !documented.some((name) => matchesName(name, dependency)))
  const removed = documented.filter((name) => !installed.some((dependency) => matchesName(name, dependency)))
  expect({ undocumented, removed }).toEqual({ undocumented: [], removed: [] })
})

test('every dependency is pinned to one exact version', () => {
  expect(requested.filter(({ version }) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([])
})

test('every package installed with the server has an allowed license', () => {
  expect(licensesOf(lock).filter(({ license }) => !isAllowed(license))).toEqual([])
})

test('docs/licences.md matches the lockfile (node scripts/licences.ts generates it)', () => {
  expect(readFileSync(LICENSES_FILE, 'utf8')).toBe(printLicenses(lock))
})

test('the bill of materials lists all production packages with hashes and dependencies', () => {
  const { components, dependencies } = billOfMaterials(lock)
  const byName = new Map(components.map((component) => [component.name, component]))
  expect(licensesOf(lock).filter(({ name }) => !byName.has(name))).toEqual([])
  expect(components.filter(({ hashes, version }) => hashes.length === 0 || version === '')).toEqual([])
  expect(components.filter(({ name }) => name === 'vitest')).toEqual([])
  const zod = requested.find(({ name }) => name === 'zod')
  expect(byName.get('zod')?.purl).toBe(`pkg:npm/zod@${zod?.version}`)
  expect(byName.get('@mantine/core')?.purl).toMatch(/^pkg:npm\/%40mantine\/core@/)
  const known = new Set(['dossier', ...components.map((component) => component['bom-ref'])])
  expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((place) => !known.has(place))).toEqual([])
  expect(dependencies.find(({ ref }) => ref === 'dossier')?.dependsOn).toContain('node_modules/fastify')
})
