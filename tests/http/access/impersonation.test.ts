import { auditDetails } from '#domain/audit/describe-audit.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import { auditEntriesOf } from '#tests/support/identity/test-user.ts'
import { type Answer, type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import { tusSender } from '#tests/support/files/tus-sender.ts'

let app: TestApp
let owner: Caller
let records: string
let own: Grant

const MANAGING: readonly Grant[] = [
  { permission: 'users:manage', collection: null },
  { permission: 'roles:manage', collection: null },
]

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
  const made = await owner.post('/api/collections', {
    name: 'tasks',
    label: 'Tasks',
    fields: [
      { name: 'title', label: 'Title', kind: 'text' },
      { name: 'pay', label: 'Pay', kind: 'number' },
      { name: 'plan', label: 'Plan', kind: 'files' },
    ],
  })
  const pay = made.body.fields.find((field: { name: string }) => field.name === 'pay').id
  records = `/api/collections/${made.body.id}/records`
  own = {
    permission: 'records:read',
    collection: made.body.id,
    where: { field: 'createdBy', op: '=', value: { marker: '@me' } },
    fields: { except: [pay] },
  }
  await owner.post(records, { values: { title: 'of the owner', pay: 7 } })
})
afterAll(() => app.close())

const begin = (by: Caller, { userId }: Caller) => by.post('/api/view-as', { user: userId })
const stop = (by: Caller) => by.delete('/api/view-as')
const as = ({ userId = '' }: Caller) => ({ 'view-as': userId })
const codeOf = ({ status, body }: Answer) => `${status} ${body?.code ?? ''}`.trim()

/** A user who can create records and read only their own, except the amount. */
async function anAuthor(): Promise<Caller> {
  const author = await app.asGranted([own, { ...own, permission: 'records:create' }])
  const { status } = await author.post(records, { values: { title: 'of the author' } })
  expect(status).toBe(201)
  return author
}

const titlesOf = ({ body }: Answer): string[] =>
  body.items.map(({ values }: { readonly values: { readonly title: string } }) => values.title)

describe('impersonation', () => {
  test('shows exactly what the user sees', async () => {
    const author = await anAuthor()
    const begun = await begin(owner, author)
    expect([begun.status, begun.body]).toEqual([201, { user: { id: author.userId, name: 'viewer' } }])

    const seen = await owner.get(records, as(author))
    expect(titlesOf(seen)).toEqual(['of the author'])
    expect(seen.text).toBe((await author.get(records)).text)
    expect(codeOf(await owner.get(`${records}?filter=pay > 1`, as(author)))).toBe('400 invalid-filter')
    const all = await owner.get(records)
    expect(titlesOf(all)).toEqual(expect.arrayContaining(['of the owner', 'of the author']))
    await stop(owner)
  })

  test("returns both users and the impersonated user's permissions", async () => {
    const author = await anAuthor()
    await begin(owner, author)
    const seen = (await owner.get('/api/auth/user', as(author))).body.user
    expect(seen).toMatchObject({ id: author.userId, scope: ['records:read'] })
    expect(seen.view_as).toEqual({
      user: { id: author.userId, name: 'viewer' },
      by: { id: owner.userId, name: 'owner' },
      is_on: true,
      held: ['records:read', 'records:create'],
    })
    const self = (await owner.get('/api/auth/user')).body.user
    expect(self).toMatchObject({ id: owner.userId, view_as: { user: { id: author.userId }, is_on: false } })
    await stop(owner)
    expect((await owner.get('/api/auth/user')).body.user.view_as).toBeNull()
  })

  test('cannot change records or accounts', async () => {
    const editor = await app.asEditor()
    await begin(owner, editor)
    const tries: readonly (readonly [string, string, unknown?])[] = [
      ['POST', records, { values: { title: 'x' } }],
      ['POST', `${records}/bulk`, { create: [{ title: 'x' }] }],
      ['GET', records.replace(/records$/, 'export.csv')],
      ['POST', '/api/tokens', { name: 'x', scopes: ['records:read'] }],
      ['GET', '/api/tokens'],
      ['GET', '/api/account/sessions'],
      ['DELETE', '/api/account/sessions?scope=all'],
      ['POST', '/api/account/password', { current: 'x', next: 'y' }],
      ['PATCH', '/api/account/profile', { name: 'x' }],
      ['POST', '/api/auth/providers/acme/begin', { purpose: 'link' }],
      ['POST', '/api/view-as', { user: owner.userId }],
      ['GET', '/api/users'],
    ]
    for (const [method, path, body] of tries) {
      const answer = await owner.request(method, path, { headers: as(editor), ...(body !== undefined && { body }) })
      expect(`${method} ${path} ${codeOf(answer)}`).toBe(`${method} ${path} 403 view-as-read-only`)
    }
    await stop(owner)
  })

  test('is never cached', async () => {
    const author = await anAuthor()
    await begin(owner, author)
    for (const path of [records, '/api/collections', '/api/auth/user', '/api/files/none']) {
      expect((await owner.get(path, as(author))).headers['cache-control']).toBe('no-store')
    }
    const editor = await app.asEditor()
    await begin(owner, editor)
    const sender = tusSender(await app.listen(), owner)
    const file = await sender.send({ collection: 'tasks', field: 'plan' }, Buffer.from('a plan'), 'plan.txt')
    await owner.post(records, { values: { title: 'with a plan', plan: [file] } })
    expect((await owner.get(`/api/files/${file}`)).headers['cache-control']).toBe('private, no-cache')
    const seen = await owner.get(`/api/files/${file}`, as(editor))
    expect([seen.status, seen.text, seen.headers['cache-control']]).toEqual([200, 'a plan', 'no-store'])
    await stop(owner)
  })

  test('reflects grant changes immediately, and never impersonates disabled users', async () => {
    const seen = await app.asEditor()
    await begin(owner, seen)
    await owner.patch(`/api/users/${seen.userId}`, { roles: ['viewer'] })
    expect((await owner.get('/api/auth/user', as(seen))).body.user.view_as.held).toEqual(['records:read'])
    await owner.patch(`/api/users/${seen.userId}`, { isDisabled: true })
    expect(codeOf(await owner.get(records, as(seen)))).toBe('409 view-as-ended')
    expect(codeOf(await begin(owner, seen))).toBe('404 not-found')
  })
})

describe('permission to impersonate', () => {
  test("requires permission to manage users and roles, doesn't extend to owners, and never exceeds the impersonator's access", async () => {
    const [author, editor] = [await anAuthor(), await app.asEditor()]
    const another = await app.asOwner()
    const manager = await app.asGranted([...MANAGING, own])
    const reader = await app.asGranted([...MANAGING, { permission: 'records:read', collection: null }])
    const said = async (by: Caller, whom: Caller) => codeOf(await begin(by, whom))
    expect(await said(editor, author)).toBe('403 forbidden')
    expect(await said(await app.asGranted(MANAGING.slice(0, 1)), author)).toBe('403 forbidden')
    expect(await said(manager, author)).toBe('403 forbidden')
    expect(await said(manager, editor)).toBe('403 forbidden')
    expect(await said(reader, another)).toBe('403 forbidden')
    expect(await said(owner, owner)).toBe('403 forbidden')
    expect(await said(reader, author)).toBe('201')
    expect(await said(another, owner)).toBe('201')
    expect(codeOf(await owner.post('/api/view-as', { user: 'nobody' }))).toBe('404 not-found')
  })

  test('is checked on every request', async () => {
    const manager = await app.asOwner()
    const author = await anAuthor()
    await begin(manager, author)
    expect((await manager.get(records, as(author))).status).toBe(200)
    await owner.patch(`/api/users/${manager.userId}`, { roles: ['editor'] })
    expect(codeOf(await manager.get(records, as(author)))).toBe('403 forbidden')
    expect((await manager.get(records)).status).toBe(200)
  })

  test('is never granted to API tokens', async () => {
    const author = await anAuthor()
    await begin(owner, author)
    const { body } = await owner.post('/api/tokens', { name: 't', scopes: ['records:read'] })
    const program = app.withToken(body.token)
    expect(codeOf(await program.get(records, as(author)))).toBe('403 forbidden')
    expect(codeOf(await program.post('/api/view-as', { user: author.userId }))).toBe('403 forbidden')
    await stop(owner)
  })
})

describe('an impersonation session', () => {
  test('is tied to the session that started it and to the impersonated user', async () => {
    const [author, other] = [await anAuthor(), await anAuthor()]
    const another = await app.asOwner()
    await begin(owner, author)
    expect(codeOf(await another.get(records, as(author)))).toBe('409 view-as-ended')
    expect(codeOf(await owner.get(records, as(other)))).toBe('409 view-as-ended')
    await begin(owner, other)
    expect(codeOf(await owner.get(records, as(author)))).toBe('409 view-as-ended')
    expect((await owner.get(records, as(other))).status).toBe(200)
    await stop(owner)
    expect(codeOf(await owner.get(records, as(other)))).toBe('409 view-as-ended')
  })

  test('can be ended at any time and ends with the session that started it', async () => {
    const author = await anAuthor()
    const another = await app.asOwner()
    await begin(another, author)
    expect((await another.delete('/api/view-as', undefined, as(author))).status).toBe(204)
    expect(codeOf(await another.get(records, as(author)))).toBe('409 view-as-ended')
    await begin(another, author)
    expect((await another.request('POST', '/api/auth/logout', { headers: as(author) })).status).toBe(204)
    expect(codeOf(await another.get(records, as(author)))).toBe('401 session-ended')
    expect((await author.get('/api/auth/user')).status).toBe(200)
  })

  test('is audited once when it starts and once when it ends', async () => {
    const author = await anAuthor()
    await begin(owner, author)
    await begin(owner, author)
    await owner.get(records, as(author))
    await owner.delete('/api/view-as', undefined, as(author))
    await stop(owner)
    const entries = await auditEntriesOf(app, author.userId ?? '')
    const reported = entries.map(({ kind }) => kind).filter((kind) => kind.startsWith('view-as'))
    expect(reported).toEqual(['view-as-begun', 'view-as-ended'])
    const { items } = (await owner.get('/api/audit')).body
    expect(items[0]).toMatchObject({ kind: 'view-as-ended', user: { id: owner.userId }, about: { id: author.userId } })
  })

  test('is audited with its latest possible end time, because expiry is not logged', async () => {
    const [author, another] = [await anAuthor(), await app.asOwner()]
    const { body } = await another.get('/api/account/sessions')
    const { endsAt } = body.items.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent)
    await begin(another, author)
    const [entry] = (await another.get(`/api/audit?person=${author.userId}&kind=view-as-begun`)).body.items
    expect(Date.parse(entry.details.until)).toBeGreaterThanOrEqual(Date.parse(endsAt))
    expect(auditDetails(entry)).toBe(`ends no later than ${entry.details.until.slice(0, 16).replace('T', ' ')} UTC`)

    app.clock.set(entry.details.until)
    expect(codeOf(await another.get(records, as(author)))).toMatch(/^401 /)
    const renewed = await app.asOwner()
    const kinds = (await renewed.get(`/api/audit?person=${author.userId}`)).body.items.map(
      ({ kind }: { kind: string }) => kind,
    )
    expect(kinds).not.toContain('view-as-ended')
  })
})
