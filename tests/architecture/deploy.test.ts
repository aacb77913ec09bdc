import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ALL_ENDPOINTS } from '#api/all-endpoints.ts'
import { readConfig } from '#server/platform/config/config.ts'

const read = (file: string): string => readFileSync(file, 'utf8')

const SAMPLES = ['Dockerfile', ...readdirSync('deploy').map((name) => `deploy/${name}`)]

/** Names of the environment variables that the configuration reads. */
function readSettingNames(): ReadonlySet<string> {
  const names = new Set<string>()
  const environment = new Proxy<{ [name: string]: string }>({}, { get: (_, name) => void names.add(String(name)) })
  readConfig(environment)
  return names
}

const settings = readSettingNames()

/** Settings of Node, PostgreSQL and the S3 server. */
const OTHER_SETTINGS: ReadonlySet<string> = new Set([
  'NODE_OPTIONS',
  'MALLOC_ARENA_MAX',
  'POSTGRES_USER',
  'POSTGRES_DB',
  'POSTGRES_PASSWORD',
  'ROOT_ACCESS_KEY',
  'ROOT_SECRET_KEY',
])

const isProvider = (name: string): boolean => /^OIDC_[A-Z0-9]+_(?:ISSUER|CLIENT_ID|CLIENT_SECRET)$/.test(name)

/** Variables assigned in a sample: `NAME=value` or `NAME: value`, also in comments. */
function settingsIn(text: string): string[] {
  return [...text.matchAll(/(?<![\w${])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|PORT|HOST)(?:=|: )/g)].map(
    ([, name = '']) => name,
  )
}

/** `NAME=value` and `NAME: value` lines; Compose variables get a placeholder value. */
function environmentIn(text: string): { [name: string]: string } {
  const lines = text.matchAll(/^\s*#?([A-Z][A-Z0-9_]+)(?:=|: )(.*)$/gm)
  const values = [...lines].map(([, name = '', value = '']) => [name, value.replaceAll(/\$\{[^}]*\}/g, 'filled-in')])
  return Object.fromEntries(values)
}

test('deployment samples use only existing settings', () => {
  const unknown = SAMPLES.flatMap((file) =>
    settingsIn(read(file))
      .filter((name) => !settings.has(name) && !OTHER_SETTINGS.has(name) && !isProvider(name))
      .map((name) => `${file}: ${name}`),
  )
  expect(settings.size).toBeGreaterThan(15)
  expect(unknown).toEqual([])
})

test.each(['deploy/dossier.env', 'deploy/compose.yaml', 'deploy/compose.postgres-s3.yaml'])(
  'a server starts with all settings of %s',
  (file) => {
    const environment = { ...environmentIn(read('deploy/dossier.env')), ...environmentIn(read(file)) }
    const config = readConfig({ ...environment, OIDC_EXAMPLE_CLIENT_SECRET: 'filled-in' })
    expect(config.ok ? [] : config.fault).toEqual([])
  },
)

test('the README documents every setting', () => {
  const documented = read('README.md')
  expect([...settings].filter((name) => !documented.includes(`\`${name}\``))).toEqual([])
})

test('deployment samples use the actual port and paths', () => {
  const config = readConfig({})
  const port = config.ok ? String(config.value.port) : ''
  const paths = new Set(ALL_ENDPOINTS.map(({ endpoint }) => endpoint.path))
  for (const file of SAMPLES.filter((name) => !name.endsWith('.json'))) {
    for (const [, found] of read(file).matchAll(/127\.0\.0\.1:(\d+)|^EXPOSE (\d+)$/gm))
      expect([file, found]).toEqual([file, found === undefined ? undefined : port])
    for (const [path] of read(file).matchAll(/\/api\/[\w.-]+|(?<![\w/])\/metrics\b/g)) expect(paths).toContain(path)
  }
  expect(read('Dockerfile')).toContain(`EXPOSE ${port}\n`)
})

test('the container image is built from the release and its sources', () => {
  const dockerfile = read('Dockerfile')
  const included = new Set(Array.from(read('.dockerignore').matchAll(/^!(\S+)$/gm), ([, name = '']) => name))
  const shipped = [...read('scripts/release.ts').matchAll(/^const SHIPPED = \[([^\]]+)\]/gm)].flatMap(([, list = '']) =>
    Array.from(list.matchAll(/'([^']+)'/g), ([, name = '']) => name),
  )
  const sources = shipped.filter((name) => !name.startsWith('dist/'))
  expect(sources.length).toBeGreaterThan(4)
  expect(sources.filter((name) => !included.has(name))).toEqual([])
  expect([...included].filter((name) => !existsSync(name))).toEqual([])
  expect(dockerfile).toContain('COPY --from=build /release ./\n')
  expect(dockerfile).toMatch(/^USER dossier$/m)
})

test('the dashboard and alerts use only existing metrics', () => {
  const sources = readdirSync('server/operations/metrics').map((name) => read(`server/operations/metrics/${name}`))
  const documented = new Set(
    sources.flatMap((text) => [...text.matchAll(/'((?:dossier|process|nodejs)_[a-z0-9_]+)'/g)].map(([, name]) => name)),
  )
  const names = ['deploy/alerts.yaml', 'deploy/grafana-dashboard.json'].flatMap((file) =>
    [...read(file).matchAll(/\b(?:dossier|process|nodejs)_[a-z0-9_]+/g)].map(([name]) => name),
  )
  const plain = new Set(names.map((name) => name.replace(/_bucket$/, '')))
  expect([...plain].filter((name) => !documented.has(name))).toEqual([])
  expect(plain.size).toBeGreaterThan(20)
})
