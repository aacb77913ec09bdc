import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

// Users can't grant permissions they don't have: a condition with `@me` matches different records for another user.

let app: TestApp
let owner: Caller
let lead: Caller
let other: Caller
let collection = ''
let ownRole = ''

const OWN = 'keeper = @me'

async function makeRole(name: string, grants: readonly unknown[]): Promise<string> {
  const policy = await owner.post('/api/policies', { name, grants })
  expect(policy.status, policy.text).toBe(201)
  const role = await owner.post('/api/roles', { name, policies: [policy.body.id] })
  expect(role.status, role.text).toBe(201)
  return role.body.id
}

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
  const made = await owner.post('/api/collections', {
    label: 'Cases',
    fields: [
      { label: 'Title', kind: 'text' },
      { label: 'Keeper', kind: 'user' },
    ],
  })
  collection = made.body.id
  ;[lead, other] = [await app.asViewer(), await app.asViewer()]
  const reads = { permission: 'records:read', collection, where: OWN }
  const managing = ['users:manage', 'roles:manage'].map((permission) => ({ permission, collection: null }))
  ownRole = await makeRole('Own cases', [reads])
  const leads = await makeRole('Leads', [...managing, reads])
  expect((await owner.patch(`/api/users/${lead.userId}`, { roles: [leads] })).status).toBe(200)
  expect((await owner.patch(`/api/users/${other.userId}`, { roles: [await makeRole('None', [])] })).status).toBe(200)
  for (const [title, keeper] of [
    ['Mine', lead.userId],
    ['Theirs', other.userId],
  ]) {
    expect((await owner.post('/api/collections/cases/records', { values: { title, keeper } })).status).toBe(201)
  }
})
afterAll(() => app.close())

test("a manager limited to their own records can't assign the same role to other users", async () => {
  const { body } = await lead.get('/api/collections/cases/records')
  expect(body.items.map(({ values }: { values: { title: string } }) => values.title)).toEqual(['Mine'])
  const given = await lead.patch(`/api/users/${other.userId}`, { roles: [ownRole] })
  expect([given.status, given.body.code]).toEqual([403, 'forbidden'])
  expect((await other.get('/api/collections/cases/records')).status).toBe(403)
})

test("a manager limited by a condition on the current user can't grant the same access through an invitation, policy or role", async () => {
  const guest = { email: 'new@example.org', name: 'New', roles: [ownRole] }
  expect((await lead.post('/api/users', guest)).status).toBe(403)
  const grants = [{ permission: 'records:read', collection, where: OWN }]
  const asText = [{ permission: 'records:read', collection, where: { field: 'keeper', op: '=', value: '@me' } }]
  expect((await lead.post('/api/policies', { name: 'Again', grants })).status).toBe(403)
  expect((await lead.post('/api/policies', { name: 'Again', grants: asText })).status).toBe(403)
  const { policies } = (await owner.get(`/api/roles/${ownRole}`)).body
  expect((await lead.post('/api/roles', { name: 'Again', policies })).status).toBe(403)
  const { roles } = (await lead.get('/api/users')).body
  expect(roles.find(({ id }: { id: string }) => id === ownRole)).toMatchObject({ mayGive: false })
})

test('a manager who can read everything can assign a role with the same access', async () => {
  const managing = { permission: 'users:manage', collection: null }
  const chiefs = await makeRole('Chiefs', [managing, { permission: 'records:read', collection }])
  const chief = await app.asViewer()
  await owner.patch(`/api/users/${chief.userId}`, { roles: [chiefs] })
  expect((await chief.post('/api/users', { email: 'n@example.org', name: 'N', roles: [ownRole] })).status).toBe(201)
})

test('the permissions that a role adds are shown only for assignable roles, without naming hidden collections', async () => {
  const secret = await owner.post('/api/collections', { label: 'Secret', fields: [{ label: 'Title', kind: 'text' }] })
  const reader = await makeRole('Case readers', [{ permission: 'records:read', collection }])
  const writer = await makeRole('Writers', [{ permission: 'records:create', collection: secret.body.id }])
  const asked = (caller: Caller, role: string, to: string) =>
    caller.get(`/api/users/added-access?role=${role}&to=${to}`)
  expect((await asked(owner, reader, ownRole)).body).toEqual({
    items: [{ permission: 'records:read', collection, adds: 'records' }],
    addsToHidden: false,
  })
  expect((await asked(lead, reader, ownRole)).status).toBe(403)
  expect((await asked(owner, 'nothing', ownRole)).body.code).toBe('definition-invalid')

  const inviter = await app.asGranted([
    { permission: 'users:manage', collection: null },
    { permission: 'records:read', collection },
    { permission: 'records:create', collection: secret.body.id },
  ])
  const { status, body, text } = await asked(inviter, writer, reader)
  expect([status, body]).toEqual([200, { items: [], addsToHidden: true }])
  expect(text).not.toContain(secret.body.id)
})
