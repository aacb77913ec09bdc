import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Example, PolicyGrant } from '#domain/access/policy.ts'
import { faultyGrants } from '#server/access/rights/access-rules-cache.ts'
import { collectionsById } from '#server/query/definitions/definitions-cache.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

// Grant conditions compare values and IDs, so renaming or reordering options or changing an email address must not
// grant access.

type Option = { readonly id: string; readonly name: string; readonly color: string }
type Shown = { readonly id: string; readonly name: string; readonly options: { readonly choices: readonly Option[] } }

const PAPERS = '/api/collections/papers'

let app: TestApp
let owner: Caller
let collection = ''
let level: Shown
let fieldIds: Readonly<Record<string, string>>
let records: Readonly<Record<string, string>>
let made = 0

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
  const answer = await owner.post('/api/collections', {
    label: 'Papers',
    fields: [
      { label: 'Title', kind: 'text' },
      { label: 'Keeper', kind: 'user' },
      {
        label: 'Level',
        kind: 'select',
        options: { choices: ['Public', 'Internal', 'Secret'].map((name) => ({ name })) },
      },
      { label: 'Other level', kind: 'select', options: { choices: [{ name: 'Public' }, { name: 'Secret' }] } },
      { label: 'Contact', kind: 'email' },
    ],
  })
  expect(answer.status, answer.text).toBe(201)
  collection = answer.body.id
  fieldIds = Object.fromEntries(answer.body.fields.map(({ name, id }: Shown) => [name, id]))
  level = answer.body.fields[2]
  const one = async (title: string) => {
    const values = { title, level: title, keeper: owner.userId, contact: 'boss@example.org' }
    return [title, (await owner.post(`${PAPERS}/records`, { values })).body.id] as const
  }
  records = Object.fromEntries([await one('Public'), await one('Internal'), await one('Secret')])
})
afterAll(() => app.close())

const reading = (where: unknown) => ({ permission: 'records:read', collection, where })
const save = (where: unknown, rest: object = {}) =>
  owner.post('/api/policies', { name: `Policy ${(made += 1)}`, grants: [reading(where)], ...rest })

/** A user whose only role contains this policy. */
async function holderOf(policy: string): Promise<Caller & { readonly role: string }> {
  const role = await owner.post('/api/roles', { name: `Role ${(made += 1)}`, policies: [policy] })
  const who = await app.asViewer()
  expect((await owner.patch(`/api/users/${who.userId}`, { roles: [role.body.id] })).status).toBe(200)
  return { ...who, role: role.body.id }
}

const titles = async (who: Caller): Promise<readonly string[]> => {
  const { body } = await who.get(`${PAPERS}/records?perPage=100`)
  return (body.items ?? []).map(({ values }: { values: { title: string } }) => values.title)
}

/** Stores a policy directly in the database, as an earlier version might have saved it. */
async function stored(grant: Partial<PolicyGrant>, examples: readonly Example[] = []): Promise<string> {
  const { body } = await save('title = "none"')
  const grants = JSON.stringify([{ id: 'g', permission: 'records:read', collection, ...grant }])
  await app.database.write(async ({ db }) => {
    await db
      .updateTable('policies')
      .set({ grants, examples: JSON.stringify(examples) })
      .where('id', '=', body.id)
      .execute()
  })
  // The policy is reloaded with the next change to a role, which increments the version.
  return body.id
}

describe('a grant condition', () => {
  test.each([
    ['keeper ~ "Ann"', 7, 'people can change their names'],
    ['title = "x" && createdBy !~ "Ann"', 25, 'people can change their names'],
    ['updatedBy ^= "A"', 10, 'people can change their names'],
    ['level < "Secret"', 6, 'options can be reordered'],
    ['level between "Public" and "Internal"', 6, 'options can be reordered'],
    ['level !~ "Secret"', 6, 'options can be renamed'],
    ['level = otherLevel', 8, 'options can be renamed'],
    ['contact = @me.email', 10, '@me.email'],
    ['title != @me.name', 9, '@me.name'],
  ])('cannot be %s', async (where, position, words) => {
    const { status, body } = await save(where)
    expect([status, body.code]).toEqual([422, 'definition-invalid'])
    expect(body.errors[0]).toMatchObject({ path: 'grants.0.where', position })
    expect(body.errors[0].message).toContain(words)
  })

  test('rejects the same conditions in tree form, and never matches everything if an attribute is missing', async () => {
    const items = [{ name: 'level', label: 'Level', many: false }]
    expect((await owner.put('/api/workspace/profile-fields', { items })).status).toBe(200)
    for (const where of [
      { any: [{ field: 'title', op: '=', value: 'x' }, { all: [{ field: 'keeper', op: '$=', value: 'x' }] }] },
      { field: 'contact', op: 'in', value: [{ marker: '@me.email' }] },
      { field: 'level', op: '>=', value: 'Public' },
      'level != @me.level',
    ]) {
      expect((await save(where)).status, JSON.stringify(where)).toBe(422)
    }
    expect((await save('otherLevel = @me.level && keeper != @me')).status).toBe(201)
  })

  test('keeps referring to the same options after they are reordered or swap names', async () => {
    const policy = await save('level != "Secret"')
    const who = await holderOf(policy.body.id)
    const [open, internal, secret] = level.options.choices
    if (!open || !internal || !secret) throw new Error('There are three.')
    const change = (choices: readonly object[]) =>
      owner.patch(`${PAPERS}/fields/level`, { options: { choices: [...choices] } })
    const want = ['Public', 'Internal']
    expect(await titles(who)).toEqual(want)
    for (const choices of [
      [secret, open, internal],
      [open, { ...internal, name: 'Secret?' }, { ...secret, name: 'Harmless' }],
      // A condition must not match an option whose name equals another option's ID.
      [{ ...open, name: secret.id }, internal, { ...secret, name: 'Harmless' }],
    ]) {
      const changed = await change(choices)
      expect(changed.status, changed.text).toBe(200)
      expect(await titles(who)).toEqual(want)
    }
    expect((await change([open, internal, secret])).status).toBe(200)
  })
})

describe('a condition saved by an earlier version', () => {
  const cases = (): readonly (readonly [string, Partial<PolicyGrant>])[] => [
    ['people by name', { where: { field: fieldIds['keeper'] ?? '', op: '!~', value: 'Ann' } }],
    ['options in order', { where: { field: level.id, op: '<', value: level.options.choices[2]?.id ?? '' } }],
    ['an email', { where: { field: fieldIds['contact'] ?? '', op: '!=', value: { marker: '@me.email' } } }],
  ]

  test('matches nothing and is reported to role managers and by the doctor command', async () => {
    for (const [what, grant] of cases()) {
      const id = await stored(grant)
      const who = await holderOf(id)
      expect(await titles(who), what).toEqual([])
      expect((await who.get(`${PAPERS}/records/${records['Public']}`)).status, what).toBe(404)
      const { body } = await owner.get(`/api/policies/${id}`)
      expect(body.grants[0], what).toMatchObject({ where: grant.where, fault: expect.stringMatching(/./) })
      const explained = { user: who.userId, permission: 'records:read', collection, record: records['Public'] }
      expect((await owner.post('/api/explain', explained)).body.may, what).toBe('no')
      const renamed = await owner.patch(`/api/policies/${id}`, { name: `Renamed ${(made += 1)}` })
      expect(renamed.status, renamed.text).toBe(200)
      expect(await titles(who), what).toEqual([])
      const found = await faultyGrants(app.database.read, await collectionsById(app.database.read))
      expect(found.join(' '), what).toContain(renamed.body.name)
      expect((await owner.patch(`/api/policies/${id}`, { grants: [reading('title = "Public"')] })).status).toBe(200)
      expect(await titles(who), what).toEqual(['Public'])
    }
  })

  test('leaves the rest of the policy unchanged', async () => {
    const odd = { field: fieldIds['keeper'] ?? '', op: '~', value: 'owner' } as const
    const plain = { field: fieldIds['title'] ?? '', op: '=', value: 'Internal' } as const
    const who = await holderOf(await stored({ where: { any: [odd, plain] } }))
    expect(await titles(who)).toEqual(['Internal'])
  })
})

test('policy examples are evaluated when a collection definition changes, not only when a policy does', async () => {
  const extra = await owner.post(`${PAPERS}/fields`, {
    label: 'Embargo',
    kind: 'select',
    options: { choices: [{ name: 'Held' }, { name: 'Free' }] },
  })
  expect(extra.status, extra.text).toBe(201)
  const held = await owner.post(`${PAPERS}/records`, { values: { title: 'Held back', embargo: 'Held' } })
  const policy = await save('embargo is empty')
  const who = await holderOf(policy.body.id)
  const example = { who: { role: who.role }, may: false, permission: 'records:read', collection, record: held.body.id }
  expect((await owner.patch(`/api/policies/${policy.body.id}`, { examples: [example] })).status).toBe(200)

  const embargo = extra.body.fields.at(-1)
  const free = embargo.options.choices.filter(({ name }: Option) => name === 'Free')
  const refused = await owner.patch(`${PAPERS}/fields/embargo`, { options: { choices: free }, acceptLoss: true })
  expect([refused.status, refused.body.code]).toEqual([422, 'example-broken'])
  expect(refused.body.detail).toContain(policy.body.name)
  expect((await owner.get(`${PAPERS}/records/${held.body.id}`)).body.values.embargo).toBe('Held')

  const manager = await app.asGranted([
    { permission: 'collections:manage', collection },
    { permission: 'records:read', collection },
  ])
  const reported = await manager.patch(`${PAPERS}/fields/embargo`, { options: { choices: free }, acceptLoss: true })
  expect([reported.status, reported.body.code]).toEqual([422, 'example-broken'])
  expect(reported.text).not.toContain(policy.body.name)
  expect((await owner.patch(`${PAPERS}/fields/embargo`, { label: 'Embargo now' })).status).toBe(200)
})
