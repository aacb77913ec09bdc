import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TOKEN_PERMISSIONS } from '#domain/access/grant.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import { areasOf, successResponses, type OpenApiDocument, type Operation } from '#web/features/api-docs/open-api.ts'
import { curlCommand, variablesOf } from '#web/features/api-docs/curl-command.ts'

const run = promisify(execFile)

let app: TestApp
let owner: Caller
let origin: string
let folder: string
let operations: readonly Operation[]
/** Shell variables that the examples expect. */
let set: { readonly [variable: string]: string }

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
  origin = await app.listen()
  folder = await mkdtemp(join(tmpdir(), 'dossier-shell-'))
  const fields = [
    { label: 'Title', kind: 'text', required: true, options: { max: 8 } },
    { label: 'Line', kind: 'select', options: { choices: [{ name: 'North' }] } },
    { label: 'Code', kind: 'text', options: { pattern: '[A-Z]+' } },
    { label: 'Notes', kind: 'rich-text' },
    { label: 'Papers', kind: 'files' },
    { label: 'Next', kind: 'relation', options: { collection: 'boats' } },
    { label: 'Keeper', kind: 'user' },
  ]
  await owner.post('/api/collections', { name: 'boats', label: 'Boats', fields: fields.slice(0, 5) })
  for (const field of fields.slice(5)) await owner.post('/api/collections/boats/fields', field)
  await owner.post('/api/collections', { name: 'spare', label: 'Spare' })
  const { body } = await owner.get('/api/openapi.json')
  operations = areasOf(body as OpenApiDocument).flatMap((area) => area.operations)
  const made = await owner.post('/api/tokens', { name: 'Shell', scopes: TOKEN_PERMISSIONS })
  expect(made.status, made.text).toBe(201)
  set = { DOSSIER_TOKEN: made.body.token, DOSSIER_SESSION: owner.token ?? '', COLLECTION: 'boats', FIELD: 'papers' }
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true, force: true })
})

/** Runs the displayed curl command; returns the status and output. */
async function answerTo(operation: Operation, more: { readonly [variable: string]: string } = {}) {
  const line = `${curlCommand(operation, origin)} -s -w '\n%{http_code}'`
  const env = { PATH: process.env['PATH'] ?? '', ...set, ...more }
  const { stdout } = await run('sh', ['-ec', line], { cwd: folder, env }).then(
    (done) => done,
    (failed: Error) => Promise.reject(new Error(`${line}\n${failed.message}`)),
  )
  const [, text = '', status = ''] = /^([^]*)\n(\d+)$/.exec(stdout) ?? []
  return { line, text, status: Number(status) }
}

const operationNamed = (id: string): Operation => {
  const found = operations.find(({ operationId }) => operationId === id)
  if (!found) throw new Error(`There is no operation ${id}.`)
  return found
}

async function expectDone(id: string, more: { readonly [variable: string]: string } = {}): Promise<string> {
  const operation = operationNamed(id)
  const { line, text, status } = await answerTo(operation, more)
  expect(
    successResponses(operation).map(([each]) => Number(each)),
    `${line}\n${text}`,
  ).toContain(status)
  return text
}

/** Error codes for malformed requests, which no example may cause. */
const MALFORMED =
  /"code":"(?:invalid-(?!credentials|code)[\w-]+|unknown-parameter|wrong-content-type|upload-target-missing|upload-version-unknown)"/

/** Arguments for destructive examples, so that they delete only data that no other example uses. */
const DROPPED: { readonly [operation: string]: { readonly [variable: string]: string } } = {
  deleteCollection: { COLLECTION: 'spare' },
  removeField: { FIELD: 'code' },
}

describe('a shell command from the API reference', () => {
  test('adds, lists, reads, updates and deletes a record', async () => {
    const made = JSON.parse(await expectDone('boats.create'))
    expect(made.values).toMatchObject({ title: 'Boat hou', line: 'North', code: null, papers: [] })
    const listed = JSON.parse(await expectDone('boats.list'))
    expect(listed.items).toHaveLength(1)
    const RECORD = made.id
    expect(JSON.parse(await expectDone('boats.read', { RECORD })).id).toBe(RECORD)
    expect(JSON.parse(await expectDone('boats.update', { RECORD })).id).toBe(RECORD)
    await expectDone('boats.delete', { RECORD })
  })

  test('sends a file with tus, as a form and in chunks', async () => {
    const begun = await expectDone('tusCreate')
    expect(begun).toMatch(/^Upload-Offset: 12\r$/im)
    const empty = await owner.request('POST', '/api/tus?collection=boats&field=papers', {
      headers: { 'tus-resumable': '1.0.0', 'upload-length': '12' },
    })
    const UPLOAD = String(empty.headers['location']).split('/').at(-1) ?? ''
    expect(await expectDone('tusHead', { UPLOAD })).toMatch(/^Upload-Offset: 0\r$/im)
    expect(await expectDone('tusPatch', { UPLOAD })).toMatch(/^Upload-Offset: 12\r$/im)
    expect((await owner.get(`/api/files/${UPLOAD}`)).text).toBe('Hello, world')
    const ID = await expectDone('filePondProcess')
    expect((await owner.get(`/api/files/${ID}`)).text).toBe('Hello, world')
    await expectDone('filePondRevert', { ID })
  })

  test('imports and exports CSV', async () => {
    const looked = JSON.parse(await expectDone('uploadImport'))
    expect(looked.preview.columns).toMatchObject([{ header: 'Title' }])
    await expectDone('importInto')
    expect(await expectDone('exportRecords')).toContain('title,line')
  })

  test('is well-formed for every operation and gets a documented response', async () => {
    const wrong: string[] = []
    for (const operation of operations) {
      const unset = variablesOf(operation, () => '').filter(({ name }) => set[name] === undefined)
      const nobody = Object.fromEntries(unset.map(({ name }) => [name, '01jd9q4z7m3k8w2x5v6c0b1n4r']))
      const { line, text, status } = await answerTo(operation, { ...nobody, ...DROPPED[operation.operationId] })
      const reported = Object.keys(operation.responses).map(Number)
      if (!reported.includes(status) || MALFORMED.test(text)) wrong.push(`${line}\n→ ${status} ${text}`)
    }
    expect(wrong).toEqual([])
  })
})
