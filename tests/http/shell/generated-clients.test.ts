import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

const run = promisify(execFile)

let app: TestApp
let owner: Caller
let folder: string

const FIELDS = [
  { label: 'Title', kind: 'text', required: true, description: 'Ends */ early.\n`${x}` \\', options: { max: 80 } },
  { label: 'Stage', kind: 'select', options: { choices: [{ name: 'Draft' }, { name: 'It’s “final” */' }] } },
  { label: 'No options', kind: 'select' },
  { label: 'Marks', kind: 'multi-select', options: { choices: [{ name: '1' }, { name: '<1' }, { name: '日本' }] } },
  { label: 'Number', kind: 'auto-number' },
  { label: 'Class', kind: 'text', options: { pattern: '[A-Z]+' } },
  { label: 'Wage', kind: 'number', options: { min: 1 } },
  { label: 'Next', kind: 'relation', options: { collection: 'boats', many: true } },
  ...['long-text', 'rich-text', 'checkbox', 'date', 'date-time', 'email', 'url', 'phone', 'user', 'files', 'json'].map(
    (kind) => ({ label: `A ${kind}`, kind }),
  ),
]

/** The generators need the API of an older TypeScript version than ours; the ts-morph package includes one. */
const OLDER_TYPESCRIPT = {
  'typescript.cjs': `module.exports = require(${JSON.stringify(resolve('node_modules/@ts-morph/common'))}).ts`,
  'use-older-typescript.mjs': `import { registerHooks } from 'node:module'
const url = new URL('typescript.cjs', import.meta.url).href
registerHooks({ resolve: (name, context, next) => (name === 'typescript' ? { url, shortCircuit: true } : next(name, context)) })`,
}

/** A program that reads and writes records using the types of all three clients. */
const USE = `import type { components } from './openapi-typescript'
import type * as orval from './orval'
import type * as heyApi from './hey-api'

type Create = components['schemas']['boats.create'] & orval.BoatsCreate & heyApi.BoatsCreate
export const sent: Create = { values: { title: 'Ada', stage: 'Draft', marks: ['<1'], wage: 2, next: [], aCheckbox: true } }
export const empty: Create = { values: { title: 'Ada', stage: null, noOptions: null } }

type AnyCreate = components['schemas']['boats.create'] | orval.BoatsCreate | heyApi.BoatsCreate
// @ts-expect-error: the title is required.
export const untitled: AnyCreate = { values: { stage: 'Draft' } }
// @ts-expect-error: the select has no such option.
export const unknownOption: AnyCreate = { values: { title: 'Ada', stage: 'Lost' } }

type AnyList = components['schemas']['boats.list'] | orval.BoatsList | heyApi.BoatsList
export const titleOf = (list: AnyList): string | null | undefined => list.items[0]?.values.title
// @ts-expect-error: there is no such field.
export const unknownField = (list: AnyList) => list.items[0]?.values.titel
`

const HEY_API_PLUGINS = ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch', 'zod']

const STRICT = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'esnext',
    lib: ['esnext', 'dom', 'dom.iterable'],
    types: [],
    paths: { zod: [resolve('node_modules/zod')] },
  },
  include: ['.'],
}

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
  for (const label of ['Boats', 'Record', 'Class'])
    expect((await owner.post('/api/collections', { label, fields: FIELDS.slice(0, 7) })).status).toBe(201)
  for (const field of FIELDS.slice(7))
    expect((await owner.post('/api/collections/boats/fields', field)).status).toBe(201)
  folder = await mkdtemp(join(tmpdir(), 'dossier-clients-'))
  const { text } = await owner.get('/api/openapi.json')
  const files = {
    'openapi.json': text,
    ...OLDER_TYPESCRIPT,
    'use.ts': USE,
    'tsconfig.json': JSON.stringify(STRICT),
  }
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

/** Runs an executable of a package in the test folder; returns its output, even if it fails. */
async function runIn(file: string, args: readonly string[]): Promise<string> {
  const hook = pathToFileURL(join(folder, 'use-older-typescript.mjs')).href
  const options = { cwd: folder, env: { ...process.env, NODE_OPTIONS: `--import=${hook}` } }
  const { stdout, stderr } = await run(process.execPath, [resolve('node_modules', file), ...args], options).catch(
    (failed: { stdout: string; stderr: string }) => failed,
  )
  return stdout + stderr
}

test('openapi-typescript, orval and @hey-api/openapi-ts generate clients that compile in strict mode', {
  timeout: 300_000,
}, async () => {
  const orval = ['orval/dist/bin/orval.mjs', ['--input', 'openapi.json', '--client']] as const
  const generated = [
    await runIn('openapi-typescript/bin/cli.js', ['openapi.json', '-o', 'openapi-typescript.ts']),
    await runIn(orval[0], [...orval[1], 'fetch', '--output', 'orval.ts']),
    await runIn(orval[0], [...orval[1], 'zod', '--output', 'orval-zod.ts']),
    await runIn('@hey-api/openapi-ts/bin/run.js', ['-i', 'openapi.json', '-o', 'hey-api', '-p', ...HEY_API_PLUGINS]),
  ]
  expect(generated.join('\n')).not.toMatch(/error|🛑/i)
  const compiled = await run(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', folder]).catch(
    (failed: { stdout: string }) => failed,
  )
  expect(compiled.stdout).toBe('')
})
