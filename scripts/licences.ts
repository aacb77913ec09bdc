/** Generates `docs/licences.md`: the licenses of all packages installed with the server. */
import { readFileSync, writeFileSync } from 'node:fs'

export type LicensedLock = {
  readonly packages: { readonly [place: string]: { readonly license?: string; readonly dev?: boolean } }
}

export const LICENSES_FILE = 'docs/licences.md'

const HEAD = `# Licenses

The licenses of all packages that are installed with the server, on any platform. \`node scripts/licences.ts\` generates this page from
\`package-lock.json\`. \`tests/architecture/dependencies.test.ts\` defines the allowed licenses; the reasons are below. The build also lists the packages
shipped to the browser or bundled with the server, with the license texts, in \`dist/web/.vite/license.md\` and \`dist/server/.vite/license.md\`.

- **MIT, MIT-0, ISC, BSD, 0BSD, Apache-2.0, BlueOak, Unlicense, PSF, CC0**: permissive; keep the notice.
- **MPL-2.0** (the CSS minifier of the build) and **LGPL-3.0-or-later** (libvips, used by \`sharp\`) are installed as published,
  separate and replaceable; they are neither modified nor bundled.
- **OFL-1.1**: the fonts, served unmodified.
`

/** Production packages with their licenses. */
export function licensesOf({ packages }: LicensedLock): readonly { readonly name: string; readonly license: string }[] {
  const found = new Map<string, { name: string; license: string }>()
  for (const [place, { license = 'none', dev }] of Object.entries(packages)) {
    if (place === '' || dev === true) continue
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
    found.set(`${name} ${license}`, { name, license })
  }
  return [...found.values()]
}

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
