import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importInto } from '#tests/conformance/csv-import.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

// Users choose their own display names, so a name must not match another user.

let app: TestApp
let owner: Caller
let boss: Caller
let member: Caller
let bossEmail = ''

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
  boss = await app.asEditor()
  member = await app.asEditor()
  bossEmail = (await boss.get('/api/auth/user')).body.user.email
  await boss.patch('/api/account/profile', { name: 'The Boss' })
  await member.patch('/api/account/profile', { name: 'Member' })
  const fields = [
    { label: 'Title', kind: 'text' },
    { label: 'Keeper', kind: 'user' },
    { label: 'Words', kind: 'text' },
  ]
  expect((await owner.post('/api/collections', { label: 'Cases', fields })).status).toBe(201)
})
afterAll(() => app.close())

/** Stores a display name that an earlier version allowed. */
const storeName = (who: Caller, name: string) =>
  app.database.write(({ db }) =>
    db
      .updateTable('users')
      .set({ name, name_fold: name.toLowerCase() })
      .where('id', '=', who.userId ?? '')
      .execute(),
  )

const CASES = '/api/collections/cases/records'
const keeperOf = async (title: string): Promise<string | null | undefined> => {
  const { body } = await owner.get(`${CASES}?filter=${encodeURIComponent(`title = "${title}"`)}`)
  return body.items[0]?.values.keeper
}

describe('text pasted into a user field', () => {
  const find = async (who: Caller, ...texts: readonly string[]) => {
    const { body } = await who.post('/api/people/find', { texts })
    return body.items?.map(({ person, isAmbiguous }: { person: { id: string } | null; isAmbiguous: boolean }) =>
      isAmbiguous ? 'several' : (person?.id ?? null),
    )
  }

  test('matches by ID, email or unique display name', async () => {
    const gone = await app.asEditor()
    const email = (await gone.get('/api/auth/user')).body.user.email
    await gone.patch('/api/account/profile', { name: 'Leaving' })
    expect(await find(member, boss.userId ?? '', ` ${bossEmail.toUpperCase()} `, 'the boss', 'nobody')).toEqual([
      boss.userId,
      boss.userId,
      boss.userId,
      null,
    ])
    expect((await owner.patch(`/api/users/${gone.userId}`, { isDisabled: true })).status).toBe(200)
    expect(await find(member, gone.userId ?? '', email, 'Leaving')).toEqual([null, null, null])
    await boss.patch('/api/account/profile', { name: 'Leaving' })
    expect(await find(member, 'Leaving')).toEqual(['several'])
    await boss.patch('/api/account/profile', { name: 'The Boss' })
  })

  test("isn't matched for users who can't update records", async () => {
    const viewer = await app.asViewer()
    expect((await viewer.post('/api/people/find', { texts: [bossEmail] })).status).toBe(403)
  })
})

describe('an import', () => {
  test("matches an email to its user, regardless of other users' display names", async () => {
    await storeName(member, bossEmail)
    const done = await importInto(owner, 'cases', `title,keeper\nBy email,${bossEmail}\nBy id,${boss.userId}\n`)
    expect(done.body.state, done.text).toBe('done')
    expect(await keeperOf('By email')).toBe(boss.userId)
    expect(await keeperOf('By id')).toBe(boss.userId)
    await storeName(member, boss.userId ?? '')
    await importInto(owner, 'cases', `title,keeper\nBy id again,${boss.userId}\n`)
    expect(await keeperOf('By id again')).toBe(boss.userId)
    await storeName(member, 'Member')
  })

  test('rejects names shared by several users, including disabled ones', async () => {
    const gone = await app.asEditor()
    await storeName(gone, 'Shared Name')
    await storeName(member, 'Shared Name')
    await owner.patch(`/api/users/${gone.userId}`, { isDisabled: true })
    const done = await importInto(owner, 'cases', 'title,keeper\nAmbiguous,Shared Name\n', '?onBadRow=skip')
    expect(done.body.errors).toEqual([
      { row: 1, column: 'Keeper', message: expect.stringContaining('More than one person is named “Shared Name”.') },
    ])
    expect(await keeperOf('Ambiguous')).toBeUndefined()
    await storeName(member, 'Member')
  })

  test('matches a unique name', async () => {
    await importInto(owner, 'cases', 'title,keeper\nBy name,the boss\n')
    expect(await keeperOf('By name')).toBe(boss.userId)
  })
})

test('converting a text field to a user field matches names in the same way', async () => {
  await storeName(member, bossEmail)
  const made = await owner.post(CASES, { values: { title: 'Converted', words: bossEmail } })
  const changed = await owner.patch('/api/collections/cases/fields/words', { kind: 'user', acceptLoss: true })
  expect(changed.status, changed.text).toBeLessThan(300)
  expect((await owner.get(`${CASES}/${made.body.id}`)).body.values.words).toBe(boss.userId)
  await storeName(member, 'Member')
})

describe('a display name', () => {
  test.each(['Ann\u200b', 'A\u202ennA', '\u3164', '\u2800', '\u0301\u0302', 'Ann\u0007', 'a'.repeat(121), ' '])(
    '%j is rejected everywhere',
    async (name) => {
      const tried = [
        await member.patch('/api/account/profile', { name }),
        await owner.post('/api/users', { email: 'new@example.org', name, roles: ['viewer'] }),
        await owner.post('/api/roles', { name, policies: [] }),
        await owner.post('/api/policies', { name, grants: [] }),
        await owner.post('/api/tokens', { name, scopes: ['records:read'] }),
        await app.guest.post('/api/invitations/accept', { code: 'x', name, password: 'x' }),
      ]
      for (const { status, body } of tried) {
        expect(status).toBe(400)
        expect(body.errors[0]).toMatchObject({ path: 'name' })
      }
    },
  )

  test('is stored in normalized form', async () => {
    expect((await member.patch('/api/account/profile', { name: ' Rene\u0301\u3000 Lee ' })).status).toBe(204)
    expect((await member.get('/api/auth/user')).body.user.name).toBe('Ren\u00e9 Lee')
  })

  test("can't contain another user's email, active or not", async () => {
    for (const name of [
      bossEmail,
      bossEmail.toUpperCase(),
      'nobody@example.org',
      `The Boss <${bossEmail}>`,
      boss.userId,
    ]) {
      const tried = await member.patch('/api/account/profile', { name })
      expect([tried.status, tried.body.code]).toEqual([422, 'values-invalid'])
    }
    const own = (await member.get('/api/auth/user')).body.user.email
    expect((await member.patch('/api/account/profile', { name: own })).status).toBe(204)
    const invited = { email: 'guest@example.org', name: bossEmail, roles: ['viewer'] }
    expect((await owner.post('/api/users', invited)).status).toBe(422)
  })

  test('remains readable if stored by an earlier version, and its user can change everything else', async () => {
    await storeName(member, 'Ann\u200b\u202e')
    for (const path of ['/api/auth/user', '/api/people', '/api/collections', '/api/account/sessions']) {
      expect((await member.get(path)).status, path).toBe(200)
    }
    expect((await owner.get('/api/users?perPage=500')).status).toBe(200)
    expect((await member.patch('/api/account/profile', { language: 'de' })).status).toBe(204)
    expect((await member.patch('/api/account/profile', { name: 'Member' })).status).toBe(204)
  })
})
