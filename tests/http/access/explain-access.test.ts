import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

type Named = { readonly id: string; readonly name: string }

let app: TestApp
let owner: Caller
let ana: Caller
let people: Named & { readonly fields: Readonly<Record<string, string>> }
let policy: Named
let role: Named
let north = ''
let south = ''

/** People in two regions; Ana can read those in the north, except their salary, and update her own record. */
beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
  const { body } = await owner.post('/api/collections', {
    label: 'People',
    fields: [
      { label: 'Region', kind: 'text' },
      { label: 'Salary', kind: 'number' },
    ],
  })
  people = { ...body, fields: Object.fromEntries(body.fields.map((field: Named) => [field.name, field.id])) }
  const create = ['North', 'South'].map((region) => ({ values: { region, salary: 1 } }))
  const made = await owner.post('/api/collections/people/records/bulk', { create })
  ;[north, south] = made.body.created
  policy = (
    await owner.post('/api/policies', {
      name: 'North',
      grants: [
        { permission: 'records:read', collection: 'people', where: 'region = "North"', fields: { except: ['salary'] } },
        { permission: 'records:update', collection: 'people', where: 'createdBy = @me' },
      ],
    })
  ).body
  role = (await owner.post('/api/roles', { name: 'Northerners', policies: [policy.id] })).body
  ana = await app.asViewer()
  await owner.patch(`/api/users/${ana.userId}`, { roles: [role.id] })
})
afterAll(() => app.close())

const explain = async (who: Caller, question: object) => {
  const { status, body } = await who.post('/api/explain', { permission: 'records:read', ...question })
  return status === 200 ? body : [status, body.code]
}

describe('a role manager', () => {
  const about = (question: object) => explain(owner, { user: ana.userId, collection: 'people', ...question })

  test('sees the deciding grant, policy and role', async () => {
    const answer = await about({ record: north, field: 'region' })
    expect(answer).toMatchObject({ may: 'yes', because: null, where: null })
    expect(answer.by).toEqual([
      {
        role: { id: role.id, name: 'Northerners' },
        policy: { id: policy.id, name: 'North' },
        grant: expect.any(String),
        where: { field: people.fields['region'], op: '=', value: 'North' },
      },
    ])
  })

  test('sees the condition if access depends on the record', async () => {
    expect(await about({})).toMatchObject({ may: 'some', where: { field: people.fields['region'] } })
  })

  test('sees that a record can be updated without being read if a grant allows it', async () => {
    const unseen = await owner.post('/api/policies', {
      name: 'Unseen',
      grants: [
        { permission: 'records:read', collection: 'people', where: 'region = "North"' },
        { permission: 'records:update', collection: 'people' },
        { permission: 'records:export', collection: 'people' },
      ],
    })
    const blind = await owner.post('/api/roles', { name: 'Half blind', policies: [unseen.body.id] })
    const bob = await app.asViewer()
    await owner.patch(`/api/users/${bob.userId}`, { roles: [blind.body.id] })
    const requested = { user: bob.userId, collection: 'people', record: south, field: 'salary' }
    expect(await explain(owner, { ...requested, permission: 'records:update' })).toMatchObject({ may: 'yes' })
    expect(await explain(owner, { ...requested, permission: 'records:export' })).toMatchObject({
      because: 'needs-read',
    })
    const changed = await bob.patch(`/api/collections/people/records/${south}`, { values: { salary: 2 } })
    expect([changed.status, changed.body.values]).toEqual([200, {}])
  })

  test('sees the missing permission', async () => {
    expect(await about({ record: south })).toMatchObject({ may: 'no', because: 'condition' })
    expect(await about({ field: 'salary' })).toMatchObject({ may: 'no', because: 'field' })
    expect(await about({ permission: 'records:delete' })).toMatchObject({ may: 'no', because: 'no-grant', by: [] })
    expect(await about({ permission: 'records:update', record: south })).toMatchObject({ because: 'condition' })
  })

  test('can explain access for a role and for the workspace', async () => {
    expect(await explain(owner, { role: role.id, collection: 'people' })).toMatchObject({ may: 'some' })
    expect(await explain(owner, { role: 'editor', permission: 'users:manage' })).toMatchObject({ may: 'no' })
    expect(await explain(owner, { role: 'owner', permission: 'users:manage' })).toMatchObject({
      may: 'yes',
      by: [{ role: { id: 'owner', name: 'Owner' }, policy: null, grant: null, where: null }],
    })
  })

  test('gets an error if the requested record, field, collection or user does not exist', async () => {
    expect(await about({ record: '0'.repeat(26) })).toEqual([404, 'record-not-found'])
    expect(await about({ field: 'wage' })).toEqual([404, 'not-found'])
    expect(await about({ collection: 'pupils' })).toEqual([404, 'collection-not-found'])
    expect(await about({ user: 'nobody' })).toEqual([404, 'not-found'])
    expect(await about({ role: role.id })).toEqual([400, 'invalid-request'])
    expect(await explain(owner, { field: 'salary' })).toEqual([400, 'invalid-request'])
  })
})

describe('other users', () => {
  test('can explain only their own access, and see no conditions', async () => {
    expect(await explain(ana, { user: owner.userId })).toEqual([403, 'forbidden'])
    expect(await explain(ana, { role: 'owner' })).toEqual([403, 'forbidden'])
    expect(await explain(ana, { collection: 'people' })).toEqual({
      may: 'some',
      because: null,
      where: null,
      by: [
        {
          role: { id: role.id, name: 'Northerners' },
          policy: { id: policy.id, name: 'North' },
          grant: expect.any(String),
          where: null,
        },
      ],
    })
    expect((await app.guest.post('/api/explain', { permission: 'records:read' })).status).toBe(401)
  })

  test('get the same response for hidden and missing resources', async () => {
    const unseen = await ana.post('/api/explain', {
      permission: 'records:read',
      collection: 'people',
      field: 'salary',
    })
    const unknown = await ana.post('/api/explain', { permission: 'records:read', collection: 'people', field: 'wage' })
    expect([unseen.status, unseen.body.detail.replaceAll('salary', 'wage')]).toEqual([404, unknown.body.detail])
    expect(await explain(ana, { collection: 'people', record: south })).toEqual([404, 'record-not-found'])
    const nobody = await app.asGranted([])
    expect(await explain(nobody, { collection: 'people' })).toEqual([404, 'collection-not-found'])
  })

  test('see when a token lacks the required scope', async () => {
    const editor = await app.asEditor()
    const { token } = (await editor.post('/api/tokens', { name: 'Script', scopes: ['records:read'] })).body
    const program = app.withToken(token)
    expect(await explain(program, { collection: 'people' })).toMatchObject({ may: 'yes' })
    expect(await explain(program, { permission: 'records:update', collection: 'people' })).toMatchObject({
      may: 'no',
      because: 'token',
    })
  })
})

test('a hidden collection is reported as missing for every permission', async () => {
  const { body: other } = await owner.post('/api/collections', { label: 'Others' })
  const stranger = await app.asGranted([{ permission: 'records:read', collection: other.id }])
  const requested = [{ field: 'nowhere' }, { field: 'salary' }, { record: south }, { permission: 'users:manage' }]
  for (const question of requested) {
    const [people, nothing] = await Promise.all(
      ['people', 'nothing'].map((collection) => explain(stranger, { collection, ...question })),
    )
    expect(people).toEqual([404, 'collection-not-found'])
    expect(nothing).toEqual(people)
  }
})

test("an unreadable record can't be updated, regardless of other grants", async () => {
  const blind = await owner.post('/api/policies', {
    name: 'Blind',
    grants: [{ permission: 'records:update', collection: 'people' }],
  })
  const blinded = await owner.post('/api/roles', { name: 'Blind', policies: [blind.body.id] })
  expect(
    await explain(owner, { role: blinded.body.id, permission: 'records:update', collection: 'people' }),
  ).toMatchObject({ may: 'no', because: 'needs-read' })
})
