import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, openTestApp, type TestApp } from '#tests/support/test-app.ts'

/**
 * How access control failed elsewhere, class by class, with real roles and policies. Each class has longer tests of its
 * own; this is where to look whether one was forgotten.
 */
let app: TestApp
let url: string
let owner: Caller
let ana: Caller
const FORBIDDEN = '7351'

type Named = { readonly id: string; readonly name: string }

const people = '/api/collections/people'
const records = `${people}/records`
let ours = ''
let theirs = ''
let policy: Named
let role: Named

/** Ana sees who is of the north, but no salary; she may add files and change what she sees. */
beforeAll(async () => {
  app = await openTestApp()
  url = await app.listen()
  owner = await app.asOwner()
  await owner.post('/api/collections', {
    label: 'People',
    fields: [
      { label: 'Name', kind: 'text' },
      { label: 'Region', kind: 'text' },
      { label: 'Salary', kind: 'number' },
      { label: 'Papers', kind: 'files' },
    ],
  })
  const create = [
    { name: 'Ida', region: 'North', salary: Number(FORBIDDEN) },
    { name: 'Kim', region: 'South', salary: Number(FORBIDDEN) },
  ].map((values) => ({ values }))
  ;[ours, theirs] = (await owner.post(`${records}/bulk`, { create })).body.created
  const bounded = { collection: 'people', where: 'region = "North"', fields: { except: ['salary'] } }
  policy = (
    await owner.post('/api/policies', {
      name: 'North',
      grants: [
        { permission: 'records:read', ...bounded },
        { permission: 'records:update', ...bounded },
      ],
    })
  ).body
  role = (await owner.post('/api/roles', { name: 'North', policies: [policy.id] })).body
  ana = await app.asViewer()
  await owner.patch(`/api/users/${ana.userId}`, { roles: [role.id] })
})
afterAll(() => app.close())

describe('a second road without the guard', () => {
  test('is not an upload: neither to a record out of sight, nor to somebody else’s file', async () => {
    const begin = (who: Caller, record: string) =>
      fetch(`${url}/api/tus?collection=people&field=papers&record=${record}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${who.token}`, 'tus-resumable': '1.0.0', 'upload-length': '3' },
      })
    expect([403, 404]).toContain((await begin(ana, theirs)).status)
    const begun = await begin(owner, theirs)
    expect(begun.status).toBe(201)
    const place = new URL(begun.headers.get('location') ?? '', url)
    const touch = (method: string, headers: Record<string, string>) =>
      fetch(place, {
        method,
        headers: { authorization: `Bearer ${ana.token}`, 'tus-resumable': '1.0.0', ...headers },
        ...(method === 'PATCH' && { body: 'abc' }),
      })
    const chunk = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    const answers = [await touch('HEAD', {}), await touch('PATCH', chunk), await touch('DELETE', {})]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
  })

  test('is not an export, an import, a bulk change or a search', async () => {
    expect((await ana.get(`${people}/export.csv`)).status).toBe(403)
    const imported = await ana.request('POST', `${people}/imports?name=x.csv`, {
      raw: 'name\nX\n',
      headers: { 'content-type': 'text/csv' },
    })
    expect(imported.status).toBe(403)
    const all = await ana.post(`${records}/bulk`, { where: {}, update: { values: { name: 'Ida' } } })
    expect(all.body).toMatchObject({ updated: 1 })
    expect((await ana.post(`${records}/bulk`, { update: [{ id: theirs, values: { name: 'x' } }] })).status).toBe(404)
    expect((await ana.get('/api/search?q=kim')).text).not.toContain('Kim')
  })
})

describe('filter, sort and search as an oracle', () => {
  test('answer about a field out of sight as about one that is not there', async () => {
    const asked = ['filter=salary > 1', 'sort=salary', 'fields=salary', 'expand=salary']
    for (const query of asked) {
      const encoded = encodeURI(query)
      const [hidden, unknown] = [
        await ana.get(`${records}?${encoded}`),
        await ana.get(`${records}?${encoded.replace('salary', 'sarala')}`),
      ]
      expect([hidden.status, hidden.body.code]).toEqual([unknown.status, unknown.body.code])
      expect(hidden.body.detail.replaceAll('salary', 'sarala')).toBe(unknown.body.detail)
    }
    for (const query of ['by=salary', 'by=region&aggregates=sum(salary)']) {
      expect((await ana.get(`${people}/groups?${query}`)).status).toBe(400)
    }
    const found = await ana.get(`${records}?search=${FORBIDDEN}&marks=true`)
    expect(found.body.items).toEqual([])
  })

  test('is no error text either: of a stale version, of a value, of an explanation', async () => {
    const stale = await ana.patch(`${records}/${ours}`, { values: { name: 'x' }, version: 0 })
    const refused = await ana.patch(`${records}/${ours}`, { values: { salary: 1 } })
    const unknown = await ana.patch(`${records}/${ours}`, { values: { sarala: 1 } })
    const explained = await ana.post('/api/explain', { permission: 'records:read', collection: 'people' })
    for (const { text } of [stale, refused, unknown, explained]) expect(text).not.toContain(FORBIDDEN)
    expect(refused.status).toBe(unknown.status)
    expect(refused.body.detail.replaceAll('salary', 'sarala')).toBe(unknown.body.detail)
    expect(explained.text).not.toContain('region')
  })
})

describe('the life of a session', () => {
  test('does not outlast a right: sessions and tokens lose it with the next request', async () => {
    const who = await app.asViewer()
    await owner.patch(`/api/users/${who.userId}`, { roles: [role.id] })
    const made = await who.post('/api/tokens', { name: 'Script', scopes: ['records:read', 'records:update'] })
    const program = app.withToken(made.body.token)
    const statuses = async () => [(await who.get(records)).status, (await program.get(records)).status]
    expect(await statuses()).toEqual([200, 200])
    await owner.patch(`/api/users/${who.userId}`, { roles: ['contributor'] })
    expect((await program.get(records)).body.items).toEqual([])
    await owner.patch(`/api/users/${who.userId}`, { isDisabled: true })
    expect(await statuses()).toEqual([401, 401])
  })
})

describe('whoever manages people', () => {
  test('gets no further by it: not by a role, a policy, a note, a token, or a second account', async () => {
    const grants = [
      { permission: 'users:manage', collection: null },
      { permission: 'records:read', collection: 'people', where: 'region = "North"' },
    ]
    const managing = await owner.post('/api/policies', { name: 'Managing', grants })
    const manages = await owner.post('/api/roles', { name: 'Managers', policies: [managing.body.id] })
    const manager = await app.asViewer()
    await owner.patch(`/api/users/${manager.userId}`, { roles: [manages.body.id] })
    const tries = [
      await manager.patch(`/api/users/${manager.userId}`, { roles: ['viewer'] }),
      await manager.patch(`/api/users/${manager.userId}`, { roles: ['owner'] }),
      await manager.post('/api/users', { email: 'second@example.org', name: 'Second', roles: ['viewer'] }),
      await manager.patch(`/api/users/${owner.userId}`, { isDisabled: true }),
      await manager.post('/api/policies', { name: 'All', grants: [{ permission: 'records:read', collection: null }] }),
      await manager.patch(`/api/roles/${manages.body.id}`, { policies: ['viewer'] }),
    ]
    expect(tries.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403])
    const wide = await manager.post('/api/tokens', { name: 'Wide', scopes: ['records:read', 'collections:manage'] })
    const program = app.withToken(wide.body.token)
    expect((await program.get(records)).body.items).toHaveLength(1)
    expect((await program.delete(people)).status).toBe(403)
  })
})

describe('secrets in readable settings', () => {
  test('are not there: what the workspace says about itself needs its permission', async () => {
    const paths = [
      '/api/policies',
      '/api/roles',
      '/api/users',
      '/api/outbox',
      '/api/audit',
      '/api/workspace/session-policy',
    ]
    expect(await Promise.all(paths.map(async (path) => (await ana.get(path)).status))).toEqual(paths.map(() => 403))
  })
})

describe('a cap in the logic', () => {
  test('cuts no condition off: it holds for thousands of related records alike', async () => {
    const { id } = (await owner.get(people)).body
    await owner.post('/api/collections', {
      label: 'Visits',
      fields: [{ label: 'Whom', kind: 'relation', options: { collection: id, many: false } }],
    })
    const create = Array.from({ length: 3000 }, (_, at) => ({ values: { whom: at % 2 === 0 ? ours : theirs } }))
    expect((await owner.post('/api/collections/visits/records/bulk', { create })).status).toBe(200)
    const visits = await owner.post('/api/policies', {
      name: 'Visits',
      grants: [{ permission: 'records:read', collection: 'visits', where: 'whom.region = "North"' }],
    })
    await owner.patch(`/api/roles/${role.id}`, { policies: [policy.id, visits.body.id] })
    const { body } = await ana.get('/api/collections/visits/records?count=exact&perPage=500')
    expect(body.total).toBe(1500)
    expect(body.items.every(({ values }: { values: { whom: string } }) => values.whom === ours)).toBe(true)
  })
})

describe('a rule that stops fitting', () => {
  test('lets nothing through, whatever it said', async () => {
    const { body } = await owner.get(people)
    const region = body.fields.find(({ name }: Named) => name === 'region')
    // As an older program, or a hand in the database, may have left it.
    const grants = JSON.stringify([
      {
        id: 'g',
        permission: 'records:read',
        collection: body.id,
        where: {
          any: [
            { field: region.id, op: '!=', value: 'x' },
            { field: '0'.repeat(26), op: '!=', value: 'x' },
          ],
        },
      },
    ])
    const spoilt = await owner.post('/api/policies', { name: 'Spoilt', grants: [] })
    await app.database.write(({ db }) =>
      db.updateTable('policies').set({ grants }).where('id', '=', spoilt.body.id).execute(),
    )
    const holds = await owner.post('/api/roles', { name: 'Spoilt', policies: [spoilt.body.id] })
    const who = await app.asViewer()
    await owner.patch(`/api/users/${who.userId}`, { roles: [holds.body.id] })
    expect((await who.get(records)).body.items).toEqual([])
  })
})
