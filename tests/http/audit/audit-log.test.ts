import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Caller, openTestApp, TEST_PASSWORD, type TestApp } from '#tests/support/server/test-app.ts'

const NEXT = 'eleven herons count the tide'

let app: TestApp
let owner: Caller

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
})
afterAll(() => app.close())

type Entry = {
  readonly id: string
  readonly kind: string
  readonly user: { readonly id: string } | null
  readonly about: { readonly id: string } | null
  readonly address: string
  readonly details: Readonly<Record<string, string>>
}

const entries = async (query = ''): Promise<Entry[]> => (await owner.get(`/api/audit${query}`)).body.items

/** A user's audit log entries, newest first. */
const kindsOf = async (id: string | undefined): Promise<string[]> =>
  (await entries()).filter(({ user, about }) => user?.id === id || about?.id === id).map(({ kind }) => kind)

async function aUser() {
  const caller = await app.asEditor()
  const { email } = (await caller.get('/api/auth/user')).body.user as { email: string }
  const signIn = (password = TEST_PASSWORD): Promise<Answer> =>
    app.guest.post('/api/auth/login', { email, password, client: 'api' })
  return { caller, email, signIn, id: caller.userId ?? '' }
}

describe('audit log', () => {
  test('records sign-ins, failed sign-ins and sign-outs with user and address', async () => {
    const { caller, signIn, id } = await aUser()
    await signIn('my secret typed wrongly')
    await caller.post('/api/auth/logout')
    expect(await kindsOf(id)).toEqual(['signed-out', 'sign-in-failed', 'signed-in'])
    const [out, failed, signedIn] = await entries()
    expect(out).toMatchObject({ user: { id, name: 'editor' }, about: null, address: '127.0.0.1' })
    expect(failed).toMatchObject({ user: null, about: { id }, details: { method: 'password' } })
    expect(signedIn?.details).toEqual({ methods: 'password', session: expect.any(String) })
  })

  test('records a failed sign-in to an unknown account without the entered text', async () => {
    await app.guest.post('/api/auth/login', { email: 'my-password-in-the-wrong-field', password: 'x', client: 'api' })
    const answer = await owner.get('/api/audit')
    expect(answer.body.items[0]).toMatchObject({ kind: 'sign-in-failed', user: null, about: null })
    expect(answer.text).not.toContain('wrong-field')
  })

  test('records ended sessions and changes to passwords and tokens', async () => {
    const { caller, signIn, id } = await aUser()
    const other = (await signIn()).body
    await caller.delete(`/api/account/sessions/${other.session_id}`)
    const { body: token } = await caller.post('/api/tokens', { name: 'Script', scopes: ['records:read'] })
    await caller.delete(`/api/tokens/${token.id}`)
    await caller.post('/api/account/password', { current: TEST_PASSWORD, next: NEXT })
    const kinds = ['password-changed', 'token-revoked', 'token-made', 'session-ended', 'signed-in', 'signed-in']
    expect(await kindsOf(id)).toEqual(kinds)
    expect((await owner.get('/api/audit')).text).not.toContain(token.token)
  })

  test('records invitations, acceptances, user changes and deactivations with their actors', async () => {
    const { body: guest } = await owner.post('/api/users', { email: 'guest@example.org', name: 'G', roles: ['viewer'] })
    const outbox = (await owner.get('/api/outbox')).body
    const code = /code=([\w-]+)/.exec(outbox.items[0].text)?.[1]
    await app.guest.post('/api/invitations/accept', { code, name: 'Guest', password: NEXT })
    await owner.patch(`/api/users/${guest.id}`, { roles: ['editor'] })
    await owner.patch(`/api/users/${guest.id}`, { isDisabled: true })
    await owner.patch(`/api/users/${guest.id}`, { isDisabled: false })
    const kinds = ['user-enabled', 'user-disabled', 'role-changed', 'signed-in', 'invitation-accepted', 'invited']
    expect(await kindsOf(guest.id)).toEqual(kinds)
    const changed = (await entries()).find(({ kind }) => kind === 'role-changed')
    expect(changed).toMatchObject({
      user: { id: owner.userId },
      about: { id: guest.id, name: 'Guest' },
      details: { from: 'Viewer', to: 'Editor', was: 'viewer', is: 'editor' },
    })
  })

  test('records refresh token theft once and emails the user', async () => {
    const { email, signIn, id } = await aUser()
    const refresh = (token: string) => app.guest.post('/api/auth/refresh', { refresh_token: token })
    const first = (await signIn()).body.refresh_token
    const second = (await refresh(first)).body.refresh_token
    await refresh(second)
    app.clock.move(11_000)
    expect((await refresh(first)).body.code).toBe('refresh-reused')
    await refresh(first)
    expect((await kindsOf(id)).filter((kind) => kind === 'refresh-reused')).toHaveLength(1)
    const mails = await app.database.read.selectFrom('mails').select(['recipient', 'subject', 'body']).execute()
    const emails = mails.filter(({ recipient }) => recipient === email)
    expect(emails.map(({ subject }) => subject)).toEqual(['You were signed out of Dossier for security reasons'])
    expect(emails[0]?.body).toContain('/account/sessions')
  })

  test('is paged, newest first, without gaps or duplicates', async () => {
    const { caller } = await aUser()
    for (let round = 0; round < 60; round += 1) {
      const { body } = await caller.post('/api/tokens', { name: `T ${round}`, scopes: ['records:read'] })
      await caller.delete(`/api/tokens/${body.id}`)
    }
    const seen: string[] = []
    let next: string | null = ''
    while (next !== null) {
      const page: Answer = await owner.get(`/api/audit${next === '' ? '' : `?before=${next}`}`)
      expect(page.body.items.length).toBeLessThanOrEqual(50)
      seen.push(...page.body.items.map(({ id }: Entry) => id))
      next = page.body.next
    }
    expect(seen).toEqual([...new Set(seen)].toSorted().toReversed())
    const stored = await app.database.read.selectFrom('audit_log').select('id').execute()
    expect(seen).toHaveLength(stored.length)
  })

  test('shows changes to policies and roles only to role managers', async () => {
    const { body: tasks } = await owner.post('/api/collections', {
      label: 'Tasks',
      fields: [
        { label: 'Title', kind: 'text' },
        { label: 'Status', kind: 'select', options: { choices: [{ name: 'open' }, { name: 'done' }] } },
      ],
    })
    const { body: policy } = await owner.post('/api/policies', {
      name: 'Task work',
      grants: [{ permission: 'records:read', collection: tasks.id }],
    })
    const [grant] = policy.grants
    const where = 'status = "open"'
    const change = { permission: 'records:read', collection: tasks.id, id: grant.id, where }
    expect((await owner.patch(`/api/policies/${policy.id}`, { grants: [change] })).status).toBe(200)
    const { body: role } = await owner.post('/api/roles', { name: 'Task worker', policies: [] })
    await owner.patch(`/api/roles/${role.id}`, { policies: [policy.id] })
    const [ofRole, , ofPolicy] = (await owner.get('/api/audit?group=access')).body.items
    expect(ofRole.changes).toEqual([{ property: 'policies', of: '', before: null, after: 'Task work' }])
    expect(ofPolicy.changes).toEqual([{ property: 'records:read', of: 'Tasks', before: {}, after: { where } }])
    const found = await owner.get(`/api/audit?text=${encodeURIComponent('where status open')}`)
    expect(found.body.items.map(({ kind }: Entry) => kind)).toContain('policy-edited')
    expect((await owner.get('/api/audit.csv?group=access')).text).toContain('Can view Tasks: all → where status')

    const auditor = await app.asGranted([{ permission: 'audit:read', collection: null }])
    const seen = await auditor.get('/api/audit?group=access')
    expect(seen.body.items.map(({ changes }: { changes: object[] }) => changes.length)).toEqual(
      seen.body.items.map(() => 0),
    )
    expect(seen.text).not.toMatch(/records:read|status|"was"/)
    expect((await auditor.get('/api/audit.csv?group=access')).text).not.toContain('status')
  })

  test('shows changes to collections and fields only to their managers', async () => {
    const { body: staff } = await owner.post('/api/collections', {
      label: 'Staff',
      fields: [{ label: 'Pay', kind: 'number' }],
    })
    await owner.patch(`/api/collections/${staff.id}/fields/pay`, { required: true, label: 'Wage' })
    await owner.patch(`/api/collections/${staff.id}`, { label: 'People' })
    await owner.post(`/api/collections/${staff.id}/records`, { values: { pay: 4711 } })
    await owner.delete(`/api/collections/${staff.id}`)
    const { items } = (await owner.get(`/api/audit?group=collections&collection=${staff.id}`)).body
    const change = (property: string, of: string, before: unknown, after: unknown) => ({ property, of, before, after })
    expect(
      items
        .map(({ kind, details, changes }: { kind: string; details: object; changes: object[] }) => [
          kind,
          details,
          changes,
        ])
        .slice(1, 3),
    ).toEqual([
      ['collection-changed', { name: 'People' }, [change('label', '', 'Staff', 'People')]],
      [
        'collection-changed',
        { name: 'Staff' },
        [change('fieldLabel', 'Wage', 'Pay', 'Wage'), change('fieldRequired', 'Wage', false, true)],
      ],
    ])
    expect(items.map(({ kind }: Entry) => kind)).toEqual([
      'collection-removed',
      'collection-changed',
      'collection-changed',
      'collection-created',
    ])
    expect(JSON.stringify(items)).not.toContain('4711')

    const auditor = await app.asGranted([{ permission: 'audit:read', collection: null }])
    const seen = await auditor.get(`/api/audit?collection=${staff.id}`)
    expect(seen.body.items).toHaveLength(4)
    expect(seen.text).not.toMatch(/Wage|People|Staff/)
  })

  test('requires the audit log permission', async () => {
    expect((await (await app.asEditor()).get('/api/audit')).status).toBe(403)
    expect((await owner.get('/api/audit?after=x')).status).toBe(400)
  })

  test('has no endpoint to change or remove entries', () => {
    const paths = app.routes.filter(({ endpoint }) => endpoint.path.startsWith('/api/audit'))
    expect(paths.map(({ endpoint }) => endpoint.method)).toEqual(['GET', 'GET'])
  })
})
