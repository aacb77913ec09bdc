/**
 * `npm run release`: creates a folder and a tarball that run without sources, front-end packages or build tools. After
 * unpacking: `npm ci && npm start`.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type Manifest = {
  readonly name: string
  readonly version: string
  readonly dependencies: { readonly [name: string]: string }
  readonly [key: string]: unknown
}

/** Release files besides package.json and its lockfile. */
const SHIPPED = [
  '.npmrc',
  'dist/server',
  'dist/web',
  'samples',
  'deploy',
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
]

/** Runs the bundled server without scripts/boot.mjs, but with the same memory setting. */
const SCRIPTS = {
  start: 'node --max-semi-space-size=8 dist/server/main.js',
  dossier: 'node dist/server/cli.js',
}

/** The packages imported by the bundled server. */
function serverPackages(names: readonly string[]): readonly string[] {
  const code = globSync('dist/server/*.js')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const imported = new Set(Array.from(code.matchAll(/(?:from|import\()\s*"([^".][^"]*)"/g), ([, name = '']) => name))
  return names.filter((name) => [...imported].some((one) => one === name || one.startsWith(`${name}/`)))
}

// npm's package.json format; only the fields of Manifest are read.
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest
const { devDependencies: _, overrides: __, ...kept } = manifest
const names = serverPackages(Object.keys(manifest.dependencies))
const folder = join('dist', 'release', `${manifest.name}-${manifest.version}`)
rmSync('dist/release', { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
for (const path of SHIPPED) cpSync(path, join(folder, path), { recursive: true })
const dependencies = Object.fromEntries(names.map((name) => [name, manifest.dependencies[name]]))
writeFileSync(
  join(folder, 'package.json'),
  `${JSON.stringify({ ...kept, imports: undefined, scripts: SCRIPTS, dependencies }, null, 2)}\n`,
)
cpSync('package-lock.json', join(folder, 'package-lock.json'))
// npm removes packages that are no longer in package.json from the lockfile.
execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'], {
  cwd: folder,
  stdio: ['ignore', 'ignore', 'inherit'],
})
execFileSync('tar', ['-czf', `${manifest.name}-${manifest.version}.tar.gz`, `${manifest.name}-${manifest.version}`], {
  cwd: join('dist', 'release'),
})
console.log(`${folder}\n${folder}.tar.gz`)
