import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import { tusSender } from '#tests/support/files/tus-sender.ts'
import { importAsNew } from '#tests/conformance/csv-import.ts'

// Names of built-in object properties, which users may also use as names.

const ODD = [
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  'valueOf',
  'isPrototypeOf',
  'then',
  'toJSON',
  'length',
] as const

let app: TestApp
let owner: Caller
let reader: Caller

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
  reader = await app.asEditor()
})
afterAll(() => app.close())

/** Asserts that a response is either a success or a defined problem, never a server error. */
function expectKnown(answer: Answer, what: string): Answer {
  expect(answer.status, `${what}: ${answer.text}`).toBeLessThan(500)
  if (answer.status >= 400) expect(answer.body.code, what).toEqual(expect.any(String))
  return answer
}

const encoded = encodeURIComponent

describe.each(ODD)('the unusual name %s', (name) => {
  test('in a user attribute does not affect signed-in users', async () => {
    const items = [{ name, label: name, many: false }]
    const saved = expectKnown(await owner.put('/api/workspace/profile-fields', { items }), 'attribute')
    for (const who of [owner, reader]) {
      const { status, body } = await who.get('/api/auth/user')
      expect(status).toBe(200)
      if (saved.status === 200) expect(body.user.profile[name]).toEqual([])
    }
    expectKnown(await owner.patch(`/api/users/${reader.userId}`, { profile: { [name]: name } }), 'value')
    expect((await owner.get('/api/users')).status).toBe(200)
    expect((await reader.get('/api/auth/user')).status).toBe(200)
    expect((await owner.put('/api/workspace/profile-fields', { items: [] })).status).toBe(200)
  })

  test('works as a collection, field or option name in every read', async () => {
    const label = name
    const options = { choices: [{ name }, { name: 'Other' }] }
    const fields = [
      { label: `Text ${name}`, kind: 'text' },
      { label, kind: 'text' },
      { label: `${name} option`, kind: 'select', options },
      { label: `${name} options`, kind: 'multi-select', options },
      { label: `${name} data`, kind: 'json' },
    ]
    const made = await owner.post('/api/collections', { label, fields })
    expect(made.status, made.text).toBe(201)
    const path = `/api/collections/${made.body.name}`
    expectKnown(await owner.patch(path, { name }), 'collection name')
    const named = await owner.post(`${path}/fields`, { name, label: 'Named', kind: 'text' })
    expectKnown(named, 'field name')
    const base = `/api/collections/${(await owner.get(`/api/collections/${made.body.id}`)).body.name}`
    const [first, second, option, many, data] = made.body.fields.map((field: { name: string }) => field.name)
    const json: unknown = JSON.parse(`{ "${name === '__proto__' ? 'proto' : name}": "${name}" }`)
    const values = { [first]: name, [second]: name, [option]: name, [many]: [name], [data]: json }
    const record = await owner.post(`${base}/records`, { values })
    expect(record.status, record.text).toBe(201)
    expect(record.body.values).toMatchObject(values)
    const reads = [
      '',
      '/records',
      `/records?search=${encoded(name)}`,
      `/records?filter=${encoded(`${second} = "${name}" && ${option} = "${name}"`)}`,
      `/records?sort=${second}&fields=${second}&expand=${second}`,
      `/groups?by=${option},${second}&aggregates=count`,
      '/sums?aggregates=count',
      `/export.csv?fields=${second}`,
      `/records/${record.body.id}`,
      '/views',
    ]
    for (const each of reads) expect((await owner.get(base + each)).status, each).toBe(200)
    const odd = ['records?fields=', 'records?sort=', 'records?expand=', 'groups?by=', 'sums?aggregates=', 'records?']
    for (const each of odd) expectKnown(await owner.get(`${base}/${each}${name}`), each)
    expectKnown(await owner.get(`${base}/records?filter=${encoded(`${name} = "x"`)}`), 'filter')
    expectKnown(await owner.get(`${base}/groups?by=${name}&aggregates=sum(${name})`), 'aggregate')
    for (const body of [{ values: { [name]: 'x' } }, `{"values":{"${name}":"x"}}`]) {
      const headers = { 'content-type': 'application/json' }
      const raw = typeof body === 'string' ? { raw: body, headers } : { body }
      expectKnown(await owner.request('POST', `${base}/records`, raw), 'value')
    }
    expect((await owner.get(`/api/search?q=${encoded(name)}`)).body.groups.length).toBeGreaterThan(0)
    const view = {
      name,
      isShared: true,
      layout: { order: [name], widthsPx: { [second]: 100 }, footers: { [name]: 'sum' } },
    }
    expectKnown(await owner.post(`${base}/views`, view), 'view')
    expectKnown(await owner.post(`${base}/views`, { name: `Plain ${name}`, isShared: true }), 'plain view')
    for (const each of ['/api/collections', '/api/openapi.json', '/api/home/counts', '/api/sidebar', `${base}/views`]) {
      expectKnown(await owner.get(each), each)
    }
    expect((await owner.delete(base)).status).toBe(204)
  })

  test('in a hidden field neither hides nor reveals anything else', async () => {
    const made = await owner.post('/api/collections', {
      label: `Hidden ${name}`,
      fields: [
        { label: 'Title', kind: 'text' },
        { label: name, kind: 'text' },
      ],
    })
    const { id: collection, name: path } = made.body
    const [, { name: field, id }] = made.body.fields
    expect((await owner.post(`/api/collections/${path}/records`, { values: { title: 'Seen' } })).status).toBe(201)
    const some = await app.asGranted([
      { permission: 'records:read', collection, fields: { except: [id] } },
      { permission: 'records:export', collection },
    ])
    for (const each of ['records', 'records?search=Seen', 'export.csv', 'groups?by=title']) {
      const { status, text } = await some.get(`/api/collections/${path}/${each}`)
      expect(status, each).toBe(200)
      expect(text, each).not.toMatch(/native code|function/)
    }
    for (const who of [owner, some]) {
      const found = expectKnown(await who.get('/api/search?q=Seen'), 'search everywhere')
      expect(found.body.groups[0].items[0].snippet).toBeNull()
    }
    expectKnown(await some.get(`/api/collections/${path}/groups?by=${field}`), 'hidden group')
    expect((await owner.delete(`/api/collections/${path}`)).status).toBe(204)
  })

  test('in a role, policy, token, group or user is returned unchanged', async () => {
    const policy = await owner.post('/api/policies', { name, about: name, grants: [] })
    expect(policy.status, policy.text).toBe(201)
    const role = await owner.post('/api/roles', { name, about: name, policies: [policy.body.id] })
    expect(role.status, role.text).toBe(201)
    expect(expectKnown(await owner.get(`/api/roles/${role.body.id}`), 'role').body.name).toBe(name)
    const given = await owner.patch(`/api/users/${reader.userId}`, { roles: ['editor', role.body.id] })
    expect(given.body.roles).toContainEqual({ id: role.body.id, name })
    expectKnown(await owner.patch(`/api/users/${reader.userId}`, { roles: [name] }), 'role by name')
    expectKnown(await owner.get(`/api/users?role=${encoded(name)}`), 'users of role')
    expectKnown(await owner.get(`/api/roles/${encoded(name)}`), 'role path')
    expectKnown(await owner.get(`/api/policies/${encoded(name)}`), 'policy path')
    expect((await reader.patch('/api/account/profile', { name })).status).toBe(204)
    expect((await reader.get('/api/auth/user')).body.user.name).toBe(name)
    expect((await owner.get(`/api/people?search=${encoded(name)}`)).body.items).toContainEqual(
      expect.objectContaining({ name }),
    )
    expect((await owner.post('/api/tokens', { name, scopes: ['records:read'] })).status).toBe(201)
    expectKnown(await owner.post('/api/tokens', { name, scopes: [name] }), 'scope')
    for (const each of ['/api/tokens', '/api/audit', '/api/audit.csv', '/api/roles', '/api/policies']) {
      expect((await owner.get(each)).status, each).toBe(200)
    }
    expect((await owner.patch(`/api/users/${reader.userId}`, { roles: ['editor'] })).status).toBe(200)
    expect((await owner.delete(`/api/roles/${role.body.id}`)).status).toBe(204)
  })

  test('in a CSV header becomes a field', async () => {
    const done = await importAsNew(owner, `CSV ${name}`, `title,${name}\nOne,${name}\n`)
    expect(done.body.state, done.text).toBe('done')
    const { body } = await owner.get(`/api/collections/${done.body.collection}/records`)
    expect(Object.values(body.items[0].values)).toContain(name)
    expect((await owner.delete(`/api/collections/${done.body.collection}`)).status).toBe(204)
  })

  test('in URLs, headers and metadata is reported as unknown without a server error', async () => {
    const places = [
      `/api/${name}`,
      `/api/collections/${encoded(name)}`,
      `/api/collections/${encoded(name)}/records/${encoded(name)}`,
      `/api/imports/${encoded(name)}`,
      `/api/jobs/${encoded(name)}`,
      `/api/files/${encoded(name)}`,
      `/api/users?${encoded(name)}=1`,
      `/api/audit?kind=${encoded(name)}`,
      `/api/uploads?load=${encoded(name)}`,
      `/api/openapi.json?${encoded(name)}=1`,
    ]
    for (const each of places) expectKnown(await owner.get(each), each)
    for (const header of ['time-zone', 'accept-language', 'view-as', 'content-language', 'range', 'if-match']) {
      expectKnown(await owner.get('/api/collections', { [header]: name }), header)
    }
    expectKnown(await owner.post(`/api/templates/${name}/use`, {}), 'template')
    expectKnown(await owner.post(`/api/auth/providers/${name}/begin`, {}), 'provider')
    expectKnown(await owner.patch('/api/account/profile', { language: name }), 'language')
  })

  test("in upload metadata doesn't affect the upload target", async () => {
    const url = await listening()
    const metadata = `${name} ${Buffer.from('x').toString('base64')}`
    const answer = await tusSender(url, owner).create({}, { 'upload-length': '1', 'upload-metadata': metadata })
    expect(answer.status).toBe(400)
  })
})

let address: Promise<string> | undefined
const listening = (): Promise<string> => (address ??= app.listen())
