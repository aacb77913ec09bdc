/** Writes `docs/licences.md` anew: under which licence everything is that is installed with the server. */
import { readFileSync, writeFileSync } from 'node:fs'

/** The part of package-lock.json that is read here. */
export type LicensedLock = {
  readonly packages: { readonly [place: string]: { readonly license?: string; readonly dev?: boolean } }
}

/** Where the list stands. */
export const LICENSES_FILE = 'docs/licences.md'

const HEAD = `# Licences

Under which licence everything is that is installed with the server, on any platform; \`node scripts/licences.ts\` writes this list from
\`package-lock.json\`. Which kinds may be in it is said by \`tests/architecture/dependencies.test.ts\`, and why below. What reaches the
browser is listed once more by the build, with the texts, in \`dist/web/.vite/license.md\`.

- **MIT, MIT-0, ISC, BSD, 0BSD, Apache-2.0, BlueOak, Unlicense, PSF, CC0**: do what you like and keep the notice.
- **MPL-2.0** (the CSS minifier of the build) and **LGPL-3.0-or-later** (libvips behind \`sharp\`) are installed as they are published,
  beside our code and replaceable; nothing of them is changed or built in.
- **OFL-1.1**: the typefaces, served as they are.
`

/** Each package that is installed without the development tools, with its licence. */
export function licensesOf({ packages }: LicensedLock): readonly { readonly name: string; readonly license: string }[] {
  const found = new Map<string, { name: string; license: string }>()
  for (const [place, { license = 'none', dev }] of Object.entries(packages)) {
    if (place === '' || dev === true) continue
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
    found.set(`${name} ${license}`, { name, license })
  }
  return [...found.values()]
}

/** The whole page. */
export function printLicenses(lock: LicensedLock): string {
  const byLicense = Map.groupBy(licensesOf(lock), ({ license }) => license)
  const sections = [...byLicense]
    .sort(([a, left], [b, right]) => right.length - left.length || a.localeCompare(b))
    .map(([license, packages]) => {
      const names = packages.map(({ name }) => `\`${name}\``).sort()
      return `\n## ${license} (${names.length})\n\n${names.join(', ')}\n`
    })
  return `${HEAD}${sections.join('')}`
}

if (import.meta.main) {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as LicensedLock
  writeFileSync(LICENSES_FILE, printLicenses(lock))
}
