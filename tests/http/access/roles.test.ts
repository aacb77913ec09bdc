import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let owner: Caller

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
})
afterAll(() => app.close())

let made = 0

type Named = { readonly id: string; readonly name: string }
type People = Named & { readonly fields: Readonly<Record<string, string>>; readonly records: readonly string[] }

/** Creates a collection for each test, with two people in the north and one in the south. */
async function makePeople(): Promise<People> {
  const { body, text } = await owner.post('/api/collections', {
    label: `People ${(made += 1)}`,
    fields: [
      { label: 'Name', kind: 'text' },
      { label: 'Region', kind: 'select', options: { choices: [{ name: 'North' }, { name: 'South' }] } },
      { label: 'Salary', kind: 'number' },
    ],
  })
  expect(body.id, text).toBeDefined()
  const values = [
    { name: 'Ida', region: 'North', salary: 10 },
    { name: 'Jon', region: 'North', salary: 20 },
    { name: 'Kim', region: 'South', salary: 30 },
  ]
  const created = await owner.post(`/api/collections/${body.name}/records/bulk`, {
    create: values.map((each) => ({ values: each })),
  })
  const fields = Object.fromEntries(body.fields.map((field: Named) => [field.name, field.id]))
  return { id: body.id, name: body.name, fields, records: created.body.created }
}

async function makePolicy(
  grants: readonly unknown[],
  rest: object = {},
): Promise<Named & { readonly version: number }> {
  const answer = await owner.post('/api/policies', { name: `Policy ${(made += 1)}`, grants, ...rest })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

async function makeRole(...policies: readonly string[]): Promise<Named & { readonly version: number }> {
  const answer = await owner.post('/api/roles', { name: `Role ${(made += 1)}`, policies })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

/** A user with only these roles. */
async function withRoles(...roles: readonly string[]): Promise<Caller> {
  const caller = await app.asViewer()
  const answer = await owner.patch(`/api/users/${caller.userId}`, { roles })
  expect(answer.status, answer.text).toBe(200)
  return caller
}

/** A user with one role, which has one policy with these grants. */
async function granted(...grants: readonly unknown[]): Promise<Caller> {
  return withRoles((await makeRole((await makePolicy(grants)).id)).id)
}

const names = async (who: Caller, { name }: People): Promise<readonly unknown[]> => {
  const { body } = await who.get(`/api/collections/${name}/records?perPage=500`)
  return body.items?.map((item: { values: { name?: unknown } }) => item.values.name)
}

describe('the roles of a workspace', () => {
  test('initially include four built-in roles, and all except the owner role can be changed', async () => {
    const { items } = (await owner.get('/api/roles')).body
    expect(items.slice(0, 4).map(({ id, isFixed }: { id: string; isFixed: boolean }) => [id, isFixed])).toEqual([
      ['owner', true],
      ['editor', false],
      ['contributor', false],
      ['viewer', false],
    ])
    expect((await owner.patch('/api/roles/owner', { name: 'Boss' })).status).toBe(422)
    expect((await owner.delete('/api/roles/owner')).status).toBe(422)
    const renamed = await owner.patch('/api/roles/viewer', { name: 'Reader', version: 1 })
    expect(renamed.body).toMatchObject({ id: 'viewer', name: 'Reader', policies: ['viewer'], version: 2 })
    const again = await owner.patch('/api/roles/viewer', { name: 'Viewer', version: 1 })
    expect([again.status, again.body.code, again.body.current.name]).toEqual([409, 'version-conflict', 'Reader'])
    await owner.patch('/api/roles/viewer', { name: 'Viewer' })
  })

  test('can be combined, giving the user all of their grants', async () => {
    const people = await makePeople()
    const north = await makePolicy([
      {
        permission: 'records:read',
        collection: people.name,
        where: 'region = "North"',
        fields: { except: ['salary'] },
      },
    ])
    const south = await makePolicy([{ permission: 'records:read', collection: people.id, where: 'region = "South"' }])
    const [first, second] = [await makeRole(north.id), await makeRole(south.id)]
    const who = await withRoles(first.id)
    expect(await names(who, people)).toEqual(['Ida', 'Jon'])
    await owner.patch(`/api/users/${who.userId}`, { roles: [first.id, second.id] })
    expect(await names(who, people)).toEqual(['Ida', 'Jon', 'Kim'])
    const user = (await who.get('/api/auth/user')).body.user
    expect(user.roles).toEqual(
      [first, second].toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ id, name }) => ({ id, name })),
    )
    const seen = (await who.get(`/api/collections/${people.name}/records?sort=name`)).body.items
    expect(seen.map((item: { values: object }) => Object.hasOwn(item.values, 'salary'))).toEqual([false, false, true])
  })

  test('take effect on the next request, including in other processes', async () => {
    const people = await makePeople()
    const policy = await makePolicy([{ permission: 'records:read', collection: people.id, where: 'region = "North"' }])
    const who = await withRoles((await makeRole(policy.id)).id)
    const another = await app.startAnother()
    const elsewhere = async () => {
      const { payload } = await another.app.inject({
        method: 'GET',
        url: `/api/collections/${people.name}/records`,
        headers: { authorization: `Bearer ${who.token}` },
      })
      return JSON.parse(payload).items?.length
    }
    expect([await elsewhere(), (await names(who, people)).length]).toEqual([2, 2])
    await owner.patch(`/api/policies/${policy.id}`, {
      grants: [{ permission: 'records:read', collection: people.id, where: 'region = "South"' }],
    })
    expect([await elsewhere(), (await names(who, people)).length]).toEqual([1, 1])
    await owner.patch(`/api/policies/${policy.id}`, { grants: [] })
    expect([await elsewhere(), await names(who, people)]).toEqual([undefined, undefined])
    await another.stop()
  })

  test("can't be deleted while assigned, and the error names the users", async () => {
    const role = await makeRole('viewer')
    const who = await withRoles(role.id)
    const refused = await owner.delete(`/api/roles/${role.id}`)
    expect([refused.status, refused.body.code]).toEqual([409, 'in-use'])
    expect(refused.body.users).toEqual([{ id: who.userId, name: 'viewer' }])
    await owner.patch(`/api/users/${who.userId}`, { roles: ['viewer'] })
    expect((await owner.delete(`/api/roles/${role.id}`)).status).toBe(204)
    expect((await owner.get(`/api/roles/${role.id}`)).status).toBe(404)
  })

  test("can't be deleted while a workflow or a policy example refers to them, and the error names the workflow or example", async () => {
    const [role, another] = [await makeRole(), await makeRole()]
    const { body } = await owner.post('/api/collections', {
      label: `Papers ${(made += 1)}`,
      fields: [{ label: 'State', kind: 'state', options: { choices: [{ name: 'Draft' }, { name: 'Final' }] } }],
    })
    const [draft, final] = body.fields[0].options.choices
    const transitions = [{ name: 'Publish', from: draft.id, to: final.id, roles: [role.id] }]
    const defined = await owner.patch(`/api/collections/${body.name}`, { workflow: { transitions, states: {} } })
    expect(defined.status, defined.text).toBe(200)
    const refused = await owner.delete(`/api/roles/${role.id}`)
    expect([refused.status, refused.body.code]).toEqual([409, 'in-use'])
    expect(refused.body.collections).toEqual([{ id: body.id, name: body.name, label: body.label }])

    const examples = [{ who: { role: another.id }, may: false, permission: 'records:read', collection: null }]
    const policy = await makePolicy([], { examples })
    const named = await owner.delete(`/api/roles/${another.id}`)
    expect([named.status, named.body.policies]).toEqual([409, [{ id: policy.id, name: policy.name }]])
  })

  test('must have unique names and refer to existing policies', async () => {
    const role = await makeRole()
    expect((await owner.post('/api/roles', { name: role.name.toUpperCase(), policies: [] })).body.code).toBe(
      'name-taken',
    )
    expect((await owner.patch(`/api/roles/${role.id}`, { policies: ['nothing'] })).body.errors).toEqual([
      expect.objectContaining({ path: 'policies', code: 'unknown-policy' }),
    ])
    const policy = await makePolicy([])
    await owner.patch(`/api/roles/${role.id}`, { policies: [policy.id] })
    const refused = await owner.delete(`/api/policies/${policy.id}`)
    expect([refused.status, refused.body.roles]).toEqual([409, [{ id: role.id, name: role.name }]])
  })

  test('can be changed only with the role management permission, a session and re-authentication', async () => {
    const { token } = (await owner.post('/api/tokens', { name: 'Script', scopes: ['records:read'] })).body
    for (const who of [await app.asEditor(), app.withToken(token)]) {
      expect((await who.get('/api/roles')).status).toBe(403)
      expect((await who.post('/api/policies', { name: 'x', grants: [] })).status).toBe(403)
    }
    const another = await app.asOwner()
    app.clock.move(15 * 60 * 1000 + 1)
    expect((await another.post('/api/roles', { name: 'x', policies: [] })).body.code).toBe('step-up-needed')
    owner = await app.asOwner()
  })
})

describe('a contributor', () => {
  test('can create records, and read, update and delete only their own', async () => {
    const people = await makePeople()
    const [who, other] = [await app.as('contributor'), await app.as('contributor')]
    const path = `/api/collections/${people.name}/records`
    expect(await names(who, people)).toEqual([])
    const mine = await who.post(path, { values: { name: 'Mine' } })
    expect(mine.status).toBe(201)
    await other.post(path, { values: { name: 'Theirs' } })
    expect(await names(who, people)).toEqual(['Mine'])
    expect((await who.get(`${path}?count=exact`)).body.total).toBe(1)
    expect((await who.patch(`${path}/${mine.body.id}`, { values: { name: 'Changed' } })).status).toBe(200)
    for (const caller of [other, who]) {
      expect((await caller.patch(`${path}/${people.records[0]}`, { values: { name: 'x' } })).status).toBe(404)
      expect((await caller.delete(`${path}/${people.records[0]}`)).status).toBe(404)
    }
    expect((await other.get(`${path}/${mine.body.id}`)).status).toBe(404)
    expect((await who.get(`/api/collections/${people.name}/export.csv`)).status).toBe(403)
    expect((await who.delete(`${path}/${mine.body.id}`)).status).toBe(204)
  })
})

describe('a role manager who is not an owner', () => {
  const own = [
    { permission: 'roles:manage', collection: null },
    { permission: 'users:manage', collection: null },
    { permission: 'records:read', collection: null },
    { permission: 'records:update', collection: null, where: 'createdBy = @me' },
  ] as const

  test('can assign only permissions they have', async () => {
    const chief = await granted(...own)
    const save = (...grants: readonly unknown[]) => chief.post('/api/policies', { name: `Own ${(made += 1)}`, grants })
    expect((await save(own[2])).status).toBe(201)
    // The condition matches different records for another user.
    expect((await save(own[3])).status).toBe(403)
    expect((await save({ ...own[2], where: 'createdBy = @me' })).status).toBe(201)
    expect((await save({ permission: 'records:update', collection: null })).status).toBe(403)
    expect((await save({ permission: 'records:delete', collection: null, where: 'createdBy = @me' })).status).toBe(403)
    expect((await chief.post('/api/roles', { name: `Own ${(made += 1)}`, policies: ['viewer'] })).status).toBe(201)
    expect((await chief.post('/api/roles', { name: `Own ${(made += 1)}`, policies: ['editor'] })).status).toBe(403)
  })

  test("can't assign, revoke or change roles with more permissions than their own", async () => {
    const chief = await granted(...own)
    const [viewer, editor] = [await app.asViewer(), await app.asEditor()]
    const give = (who: Caller, roles: readonly string[]) => chief.patch(`/api/users/${who.userId}`, { roles })
    expect((await give(viewer, ['owner'])).status).toBe(403)
    expect((await give(viewer, ['viewer', 'editor'])).status).toBe(403)
    expect((await give(editor, ['viewer'])).status).toBe(403)
    expect((await give(chief, ['owner'])).status).toBe(403)
    expect((await chief.patch('/api/policies/editor', { grants: [] })).status).toBe(403)
    expect((await chief.patch('/api/roles/editor', { policies: [] })).status).toBe(403)
    expect((await chief.delete('/api/roles/editor')).status).toBe(403)
    expect((await give(viewer, ['viewer'])).status).toBe(200)
    const { roles } = (await chief.get('/api/users')).body
    expect(roles.filter((role: { mayGive: boolean }) => role.mayGive).map(({ id }: Named) => id)).toContain('viewer')
    expect(roles.filter((role: { mayGive: boolean }) => role.mayGive).map(({ id }: Named) => id)).not.toContain(
      'editor',
    )
  })
})

describe('a policy', () => {
  test('is stored with IDs, and reports all validation errors', async () => {
    const people = await makePeople()
    const policy = await makePolicy([
      { permission: 'records:read', collection: people.name, where: 'region = "North"', fields: { only: ['name'] } },
    ])
    const { grants } = (await owner.get(`/api/policies/${policy.id}`)).body
    const [grant] = grants
    expect(grant).toMatchObject({ collection: people.id, fields: { only: [people.fields['name']] }, presets: null })
    expect(grant.where.field).toBe(people.fields['region'])

    await owner.patch(`/api/collections/${people.name}/fields/region`, { name: 'area', label: 'Area' })
    const kept = await owner.patch(`/api/policies/${policy.id}`, { grants, version: policy.version })
    expect(kept.body.grants, kept.text).toEqual(grants)

    const refused = await owner.patch(`/api/policies/${policy.id}`, {
      grants: [
        { permission: 'records:read', collection: people.name, where: 'wage > 3' },
        { permission: 'records:read', collection: 'nowhere' },
        { permission: 'audit:read', collection: people.name },
      ],
    })
    expect([refused.status, refused.body.code]).toEqual([422, 'definition-invalid'])
    expect(refused.body.errors.map(({ path, code }: { path: string; code: string }) => [path, code])).toEqual([
      ['grants.0.where', 'invalid-filter'],
      ['grants.1.collection', 'unknown-collection'],
      ['grants.2.collection', 'out-of-place'],
    ])
    expect((await owner.patch(`/api/policies/${policy.id}`, { name: 'x', version: 1 })).status).toBe(409)
  })

  test('is audited with the values before and after', async () => {
    const policy = await makePolicy([{ permission: 'records:read', collection: null }])
    await owner.patch(`/api/policies/${policy.id}`, { grants: [] })
    const [entry] = (await owner.get('/api/audit')).body.items
    expect(entry).toMatchObject({ kind: 'policy-edited', details: { policy: policy.id, name: policy.name } })
    expect(JSON.parse(entry.details.was).grants).toHaveLength(1)
    expect(JSON.parse(entry.details.is).grants).toEqual([])
  })
})

describe('a policy example', () => {
  test('blocks any save that would make it fail', async () => {
    const people = await makePeople()
    const open = await makePolicy([{ permission: 'records:read', collection: people.id }])
    const all = await makeRole(open.id)
    const policy = await makePolicy([
      { permission: 'records:read', collection: people.id, fields: { except: ['salary'] } },
    ])
    const role = await makeRole(policy.id)
    const ana = await withRoles(role.id)
    const examples = [
      { who: { user: ana.userId }, may: false, permission: 'records:read', collection: people.name, field: 'salary' },
      { who: { role: role.id }, may: true, permission: 'records:read', collection: people.name, field: 'name' },
    ]
    const saved = await owner.patch(`/api/policies/${policy.id}`, { examples })
    expect(
      saved.body.examples.map(({ state }: { state: string }) => state),
      saved.text,
    ).toEqual(['holds', 'holds'])

    const refusals = [
      await owner.patch(`/api/policies/${policy.id}`, {
        grants: [{ permission: 'records:read', collection: people.id }],
      }),
      await owner.patch(`/api/roles/${role.id}`, { policies: [policy.id, open.id] }),
      await owner.patch(`/api/users/${ana.userId}`, { roles: [role.id, all.id] }),
    ]
    expect(refusals.map(({ status, body }) => [status, body.code])).toEqual(
      Array.from({ length: 3 }, () => [422, 'example-broken']),
    )
    expect(refusals[0]?.body.detail).toContain(
      'Nothing was saved. This saved example would fail: viewer cannot view Salary in People 31 (Policy 34).',
    )
    expect(refusals[0]?.body.examples).toEqual([
      { policy: { id: policy.id, name: policy.name }, example: saved.body.examples[0].id, may: 'yes' },
    ])
    const emptied = await owner.patch(`/api/policies/${policy.id}`, { grants: [] })
    expect(emptied.body.detail).toContain(
      'Nothing was saved. This saved example would fail: The role Role 35 can view Name in People 31 (Policy 34).',
    )
    expect((await owner.get(`/api/policies/${policy.id}`)).body.grants).toHaveLength(1)

    const withdrawn = await owner.patch(`/api/policies/${policy.id}`, { examples: [] })
    expect(withdrawn.status).toBe(200)
    expect((await owner.patch(`/api/users/${ana.userId}`, { roles: [role.id, all.id] })).status).toBe(200)
  })

  test('can refer to a single record and is evaluated as the user or role it names', async () => {
    const people = await makePeople()
    const [ida, , kim] = people.records
    const policy = await makePolicy([{ permission: 'records:read', collection: people.id, where: 'region = "North"' }])
    const role = await makeRole(policy.id)
    const about = (record: string | undefined, may: boolean) => ({
      who: { role: role.id },
      may,
      permission: 'records:read',
      collection: people.id,
      record,
    })
    const examples = [about(ida, true), about(kim, false)]
    expect((await owner.patch(`/api/policies/${policy.id}`, { examples })).status).toBe(200)
    const moved = await owner.patch(`/api/policies/${policy.id}`, {
      grants: [{ permission: 'records:read', collection: people.id, where: 'region = "South"' }],
    })
    expect([moved.status, moved.body.errors.length]).toEqual([422, 2])
    await owner.delete(`/api/collections/${people.name}/records/${kim}`)
    const [first, second] = (await owner.get(`/api/policies/${policy.id}`)).body.examples
    expect([first.state, second.state]).toEqual(['holds', 'stale'])
  })

  test('is rejected if its user or resource is missing', async () => {
    const refused = await owner.post('/api/policies', {
      name: `Policy ${(made += 1)}`,
      grants: [],
      examples: [
        { who: { user: 'nobody' }, may: true, permission: 'records:read', collection: null },
        { who: { role: 'viewer' }, may: true, permission: 'records:read', collection: 'nowhere' },
      ],
    })
    expect(refused.body.errors.map(({ path }: { path: string }) => path)).toEqual([
      'examples.0.who',
      'examples.1.collection',
    ])
  })
})

describe('user attributes', () => {
  test('can be used in conditions with one or several values', async () => {
    const people = await makePeople()
    const items = [{ name: 'region', label: 'Region', many: true }]
    expect((await owner.request('PUT', '/api/workspace/profile-fields', { body: { items } })).body).toEqual({ items })
    const who = await granted({ permission: 'records:read', collection: people.id, where: 'region = @me.region' })
    expect(await names(who, people)).toEqual([])
    const noted = await owner.patch(`/api/users/${who.userId}`, { profile: { region: ['South', 'Nowhere'] } })
    expect(noted.body.profile).toEqual({ region: ['South', 'Nowhere'] })
    expect(await names(who, people)).toEqual(['Kim'])
    await owner.patch(`/api/users/${who.userId}`, { profile: { region: ['South', 'north'] } })
    expect(await names(who, people)).toEqual(['Ida', 'Jon', 'Kim'])

    const requested = (filter: string) =>
      who.get(`/api/collections/${people.name}/records?filter=${encodeURIComponent(filter)}`)
    expect((await requested('region != @me.region')).body.items).toEqual([])
    expect((await requested('name = @me.shoe')).body.detail).toContain('@me.region')
    const refused = await owner.request('PUT', '/api/workspace/profile-fields', { body: { items: [] } })
    expect([refused.status, refused.body.code]).toEqual([409, 'in-use'])
    expect((await owner.patch(`/api/users/${who.userId}`, { profile: { shoe: '42' } })).status).toBe(422)
  })

  test('can be changed only by users who have all resulting permissions', async () => {
    const items = [
      { name: 'region', label: 'Region', many: true },
      { name: 'shoe', label: 'Shoe', many: false },
    ]
    await owner.request('PUT', '/api/workspace/profile-fields', { body: { items } })
    const people = await makePeople()
    await makePolicy([{ permission: 'records:read', collection: people.id, where: 'region = @me.region' }])
    const own = [
      { permission: 'users:manage', collection: null },
      { permission: 'records:read', collection: null },
    ]
    const [manager, chief] = [
      await granted(...own),
      await granted(...own, { permission: 'roles:manage', collection: null }),
    ]
    const viewer = await app.asViewer()
    const note = async (by: Caller, about: Caller, profile: object) =>
      (await by.patch(`/api/users/${about.userId}`, { profile })).status
    expect(await note(manager, viewer, { shoe: '42' })).toBe(403)
    expect(await note(chief, viewer, { shoe: '42' })).toBe(200)
    expect(await note(chief, chief, { region: ['North'] })).toBe(403)
    expect(await note(chief, viewer, { region: ['North'] })).toBe(403)
    expect(await note(chief, viewer, { shoe: '43', region: [] })).toBe(200)
    expect(await note(owner, viewer, { region: ['North'] })).toBe(200)
  })
})

describe('a collection definition that policies depend on', () => {
  const refusal = ({
    status,
    body,
  }: {
    readonly status: number
    readonly body: { code?: string; policies?: unknown }
  }) => [status, body.code, body.policies]

  test("can't lose elements used by policies, and the error names the policies", async () => {
    const people = await makePeople()
    const policy = await makePolicy([
      { permission: 'records:read', collection: people.id, where: 'region != "North"', fields: { except: ['salary'] } },
    ])
    const named = [409, 'in-use', [{ id: policy.id, name: policy.name }]]
    const path = `/api/collections/${people.name}`
    const [region] = (await owner.get(path)).body.fields.filter(({ name }: Named) => name === 'region')
    const [north, south] = region.options.choices
    const change = (field: string, body: object) => owner.patch(`${path}/fields/${field}`, body)
    expect(refusal(await owner.delete(`${path}/fields/region`))).toEqual(named)
    expect(refusal(await owner.delete(`${path}/fields/salary`))).toEqual(named)
    expect(refusal(await change('region', { kind: 'text', acceptLoss: true }))).toEqual(named)
    expect(refusal(await change('region', { options: { choices: [south] }, acceptLoss: true }))).toEqual(named)
    expect(refusal(await owner.delete(path))).toEqual(named)

    expect((await change('region', { options: { choices: [north] }, acceptLoss: true })).status).toBe(200)
    expect((await change('region', { options: { choices: [{ ...north, name: 'Nord' }] } })).status).toBe(200)
    expect((await owner.delete(`${path}/fields/name`)).status).toBe(200)
    await owner.patch(`/api/policies/${policy.id}`, { grants: [] })
    expect((await owner.delete(path)).status).toBe(204)
  })

  test("can't lose fields read through relations by conditions of other collections", async () => {
    const people = await makePeople()
    const tasks = await owner.post('/api/collections', {
      label: `Tasks ${(made += 1)}`,
      fields: [{ label: 'Owner', kind: 'relation', options: { collection: people.id, many: false } }],
    })
    const policy = await makePolicy([
      { permission: 'records:read', collection: tasks.body.id, where: 'owner.region = "North"' },
      { permission: 'records:update', collection: tasks.body.id, where: 'owner.name !~ "Kim"' },
    ])
    const path = `/api/collections/${people.name}`
    const named = [409, 'in-use', [{ id: policy.id, name: policy.name }]]
    expect(refusal(await owner.delete(`${path}/fields/region`))).toEqual(named)
    expect(refusal(await owner.delete(`${path}/fields/name`))).toEqual(named)
    expect(refusal(await owner.delete(`/api/collections/${tasks.body.name}/fields/owner`))).toEqual(named)
    expect((await owner.delete(`${path}/fields/salary`)).status).toBe(200)
  })

  test("is protected, but the error doesn't name policies to users who can't see them", async () => {
    const people = await makePeople()
    await makePolicy([{ permission: 'records:read', collection: people.id, where: 'salary > 3' }])
    const manager = await granted(
      { permission: 'collections:manage', collection: people.id },
      { permission: 'records:read', collection: people.id },
    )
    const refused = await manager.delete(`/api/collections/${people.name}/fields/salary`)
    expect(refusal(refused)).toEqual([409, 'in-use', undefined])
  })
})

describe('an import', () => {
  test('reveals nothing if its user loses the permission while it runs', async () => {
    const people = await makePeople()
    const who = await granted(
      { permission: 'records:read', collection: people.id },
      { permission: 'records:import', collection: people.id },
    )
    const rows = Array.from({ length: 40_000 }, (_, at) => `Person ${at}`)
    const path = `/api/collections/${people.name}/imports`
    const begun = await who.request('POST', `${path}?name=people.csv`, {
      raw: `name\n${rows.join('\n')}\n`,
      headers: { 'content-type': 'text/csv' },
    })
    await owner.patch(`/api/users/${who.userId}`, { roles: ['contributor'] })
    const stored = () =>
      app.database.read.selectFrom('imports').selectAll().where('id', '=', begun.body.id).executeTakeFirstOrThrow()
    let { state, failure } = await stored()
    while (state === 'running' || state === 'undoing') ({ state, failure } = await stored())
    expect([state, failure]).toEqual([
      'failed',
      expect.stringContaining('The user who started this import no longer has permission.'),
    ])
    expect(await names(owner, people)).toEqual(['Ida', 'Jon', 'Kim'])
  }, 60_000)
})
