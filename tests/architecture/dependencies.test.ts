import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { LICENSES_FILE, type LicensedLock, licensesOf, printLicenses } from '../../scripts/licences.ts'
import { billOfMaterials } from '../../scripts/sbom.ts'

type Manifest = { readonly [part: string]: { readonly [name: string]: string } | undefined }

const manifest: Manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const lock: LicensedLock = JSON.parse(readFileSync('package-lock.json', 'utf8'))

const asked = ['dependencies', 'devDependencies', 'optionalDependencies', 'overrides'].flatMap((part) =>
  Object.entries(manifest[part] ?? {}).map(([name, version]) => ({ part, name, version })),
)
const installed = asked.filter(({ part }) => part !== 'overrides').map(({ name }) => name)

/** Names in the first cell of each table row; `@types/*` matches every name with this prefix. */
const told = readFileSync('docs/dependencies.md', 'utf8')
  .split('\n')
  .flatMap((line) => (line.startsWith('| `') ? (line.split('|')[1]?.match(/(?<=`)[^`,\s]+(?=`)/g) ?? []) : []))

const standsFor = (name: string, dependency: string): boolean =>
  name.endsWith('*') ? dependency.startsWith(name.slice(0, -1)) : name === dependency

/** Licenses that packages installed with the server may have; any other needs a review. */
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

/** Every license of an expression must be allowed, also of "A OR B". */
const isAllowed = (license: string): boolean =>
  license.split(/[()\s]+|AND|OR/).every((one) => one === '' || ALLOWED.has(one))

test('lists every dependency in docs/dependencies.md, and no others', () => {
  const untold = installed.filter((dependency) => !told.some((name) => standsFor(name, dependency)))
  const gone = told.filter((name) => !installed.some((dependency) => standsFor(name, dependency)))
  expect({ untold, gone }).toEqual({ untold: [], gone: [] })
})

test('every dependency is asked for in exactly one version', () => {
  expect(asked.filter(({ version }) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([])
})

test('every package installed with the server has an allowed license', () => {
  expect(licensesOf(lock).filter(({ license }) => !isAllowed(license))).toEqual([])
})

test('docs/licences.md matches the lockfile (node scripts/licences.ts generates it)', () => {
  expect(readFileSync(LICENSES_FILE, 'utf8')).toBe(printLicenses(lock))
})

test('the bill of materials names everything that is installed with the server, with its hash and what it stands on', () => {
  const { components, dependencies } = billOfMaterials(lock)
  const named = new Map(components.map((component) => [component.name, component]))
  expect(licensesOf(lock).filter(({ name }) => !named.has(name))).toEqual([])
  expect(components.filter(({ hashes, version }) => hashes.length === 0 || version === '')).toEqual([])
  expect(components.filter(({ name }) => name === 'vitest')).toEqual([])
  expect(named.get('zod')?.purl).toBe(`pkg:npm/zod@${manifest['dependencies']?.['zod']}`)
  expect(named.get('@mantine/core')?.purl).toMatch(/^pkg:npm\/%40mantine\/core@/)
  const known = new Set(['dossier', ...components.map((component) => component['bom-ref'])])
  expect(dependencies.flatMap(({ dependsOn }) => dependsOn).filter((place) => !known.has(place))).toEqual([])
  expect(dependencies.find(({ ref }) => ref === 'dossier')?.dependsOn).toContain('node_modules/fastify')
})
