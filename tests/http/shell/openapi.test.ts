import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ALL_ENDPOINTS } from '#api/all-endpoints.ts'
import { openApiChecker } from '#tests/support/server/check-openapi.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let owner: Caller

const ADDRESS = '/api/openapi.json'
const FIELDS = [
  { label: 'Title', kind: 'text', required: true, description: 'As on the cover', options: { max: 80 } },
  { label: 'Stage', kind: 'select', options: { choices: [{ name: 'Draft' }, { name: 'Final' }] } },
  { label: 'Whispered wage', kind: 'number', description: 'Whispered on Fridays', options: { min: 1 } },
  { label: 'Many', kind: 'multi-select', options: { choices: [{ name: 'One' }, { name: 'Two' }] } },
  { label: 'Counted', kind: 'auto-number' },
  ...['long-text', 'rich-text', 'checkbox', 'date', 'date-time', 'email', 'url', 'phone', 'user', 'files', 'json'].map(
    (kind) => ({ label: `A ${kind}`, kind }),
  ),
]

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
  for (const label of ['Contracts', 'Vault'])
    expect((await owner.post('/api/collections', { label, fields: FIELDS })).status).toBe(201)
})
afterAll(() => app.close())

const documentFor = async (caller: Caller) => {
  const { status, body } = await caller.get(ADDRESS)
  expect(status).toBe(200)
  return body
}

/** All objects in an OpenAPI document, with their paths. */
function* objectsIn(value: unknown, path = ''): Generator<readonly [string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return
  yield [path, value as Record<string, unknown>]
  for (const [name, part] of Object.entries(value)) yield* objectsIn(part, `${path}/${name}`)
}

const collectionOf = async (name: string) => (await owner.get(`/api/collections/${name}`)).body

describe('the OpenAPI document', () => {
  test('contains every endpoint, each with a unique operation name', async () => {
    const { openapi, paths } = await documentFor(owner)
    expect(openapi).toBe('3.1.0')
    const mounted = app.routes.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`)
    expect(ALL_ENDPOINTS.map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`).sort()).toEqual(mounted.sort())
    for (const { endpoint, name } of ALL_ENDPOINTS) {
      const path = endpoint.path.replaceAll(/:([^/]+)/g, '{$1}')
      expect(paths[path]?.[endpoint.method.toLowerCase()], name).toMatchObject({ operationId: name })
    }
    const operations = Object.values(paths).flatMap((one) => Object.values(one as object))
    const ids = operations.map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('has only valid references and declares every path parameter', async () => {
    const document = await documentFor(owner)
    const names = new Set(Object.keys(document.components.schemas))
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9._-]+$/)
    for (const [path, { $ref, $schema, $id }] of objectsIn(document)) {
      if (typeof $ref === 'string') expect(names, `${path} → ${$ref}`).toContain($ref.split('/').at(-1))
      expect([$schema, $id], path).toEqual([undefined, undefined])
    }
    for (const [path, verbs] of Object.entries<Record<string, { parameters?: { in: string; name: string }[] }>>(
      document.paths,
    )) {
      const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name)
      for (const { parameters = [] } of Object.values(verbs))
        expect(parameters.filter((one) => one.in === 'path').map(({ name }) => name)).toEqual(inPath)
    }
  })

  test('describes every parameter', async () => {
    const { paths } = await documentFor(owner)
    const operations = Object.values(paths).flatMap((verbs) => Object.values(verbs as object))
    const silent = operations.flatMap(({ operationId, parameters = [] }) =>
      parameters
        .filter(({ description = '' }: { description?: string }) => description === '')
        .map(({ name }: { name: string }) => `${operationId}: ${name}`),
    )
    expect(silent).toEqual([])
    const { parameters } = paths['/api/tus'].post
    expect(parameters).toContainEqual(expect.objectContaining({ name: 'Upload-Length', in: 'header', required: true }))
  })

  test('lists the responses, error codes and required access of each operation', async () => {
    const { paths, components } = await documentFor(owner)
    const list = paths['/api/collections/{collection}/records'].get
    expect(list.responses[400]['x-codes']).toContain('invalid-filter')
    expect(list.responses[404]['x-codes']).toEqual(['collection-not-found'])
    expect(list['x-permission']).toBe('records:read')
    expect(paths['/api/health'].get.security).toEqual([])
    expect(paths['/api/files/{file}'].get.security).toEqual([{ bearer: [] }, {}])
    expect(paths['/api/account/tours'].get['x-by-hand']).toBe(true)
    expect(components.schemas.problem.required).toContain('code')
    const perPage = list.parameters.find(({ name }: { name: string }) => name === 'perPage')
    expect(perPage.schema).toMatchObject({ type: 'number', maximum: 500 })
  })

  test('describes the records of each collection with valid examples', async () => {
    const { paths, components } = await documentFor(owner)
    const { properties } = components.schemas['contracts.values']
    expect(Object.keys(properties)).toHaveLength(FIELDS.length)
    expect(properties.stage).toEqual({ title: 'Stage', type: ['string', 'null'], enum: ['Draft', 'Final', null] })
    expect(properties.title).toMatchObject({ type: ['string', 'null'], maxLength: 80, description: 'As on the cover' })
    expect(properties.counted).toMatchObject({ readOnly: true })
    const { post, get } = paths['/api/collections/contracts/records']
    const { example } = post.requestBody.content['application/json']
    const made = await owner.post('/api/collections/contracts/records', example)
    expect(made.status, made.text).toBe(201)
    const filter = get.parameters.find(({ name }: { name: string }) => name === 'filter').example
    const found = await owner.get(`/api/collections/contracts/records?filter=${encodeURIComponent(filter)}`)
    expect(found.body.items).toHaveLength(1)
    const differences = openApiChecker(components.schemas)
    expect(differences({ $ref: '#/components/schemas/contracts.list' }, found.body)).toBeUndefined()
    expect(differences({ $ref: '#/components/schemas/contracts.record' }, made.body)).toBeUndefined()
    expect(differences({ $ref: '#/components/schemas/contracts.create' }, { values: {} })).toContain('title')
  })

  test('omits unreadable fields and collections, and forbidden operations', async () => {
    const { id, fields } = await collectionOf('contracts')
    const wage = fields.find(({ name }: { name: string }) => name === 'whisperedWage').id
    const reader = await app.asGranted([{ permission: 'records:read', collection: id, fields: { except: [wage] } }])
    const { status, text, body } = await reader.get(ADDRESS)
    expect(status).toBe(200)
    expect(text).not.toMatch(/whispered/i)
    expect(text).not.toMatch(/vault/i)
    expect(Object.keys(body.paths['/api/collections/contracts/records'])).toEqual(['get'])
    // Users who manage a collection see its definition, but only the records they can read.
    const manager = await app.asGranted([
      { permission: 'collections:manage', collection: null },
      { permission: 'records:read', collection: id, fields: { except: [wage] } },
    ])
    expect((await manager.get(ADDRESS)).text).not.toMatch(/whispered|vault/i)
  })

  test('is updated after changes to permissions and collections, and sent only if changed', async () => {
    const { id } = await collectionOf('vault')
    let isOpen = true
    const reader = await app.asGranted(() => (isOpen ? [{ permission: 'records:read', collection: id }] : []))
    const before = await reader.get(ADDRESS)
    expect(before.text).toMatch(/vault/i)
    const again = await reader.get(ADDRESS, { 'if-none-match': String(before.headers['etag']) })
    expect([again.status, again.text]).toEqual([304, ''])
    expect((await owner.post('/api/collections/vault/fields', { label: 'Added', kind: 'text' })).status).toBe(201)
    const after = await reader.get(ADDRESS, { 'if-none-match': String(before.headers['etag']) })
    expect(after.body.components.schemas['vault.values'].properties).toHaveProperty('added')
    isOpen = false
    expect((await reader.get(ADDRESS)).text).not.toMatch(/vault/i)
  })

  test('requires a session or token, and reflects its permissions', async () => {
    expect((await app.guest.get(ADDRESS)).body.code).toBe('token-missing')
    const { id } = await collectionOf('vault')
    const made = await owner.post('/api/tokens', { name: 'One', scopes: [`records:read@${id}`] })
    const { body, text } = await app.withToken(made.body.token).get(ADDRESS)
    expect(Object.keys(body.paths['/api/collections/vault/records'])).toEqual(['get'])
    expect(text).not.toMatch(/contracts/i)
  })

  test('is shown on a documentation page served like other pages', async () => {
    const page = await app.guest.get('/api/docs')
    expect(page.status).toBe(200)
    expect(page.headers['content-type']).toContain('text/html')
    expect(page.headers['content-security-policy']).not.toContain('sandbox')
    expect((await app.guest.get('/api/docs/more')).status).toBe(404)
  })
})
