import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import { importInto } from '#tests/conformance/csv-import.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import { tusSender } from '#tests/support/files/tus-sender.ts'

// Side channels that could reveal hidden data or grant access.

let app: TestApp
let url: string
let owner: Caller

beforeAll(async () => {
  app = await openTestApp()
  url = await app.listen()
  owner = await app.asOwner()
})
afterAll(() => app.close())

let made = 0

type Ids = { readonly [name: string]: string }
type Papers = {
  readonly id: string
  readonly name: string
  readonly field: Ids
  readonly state: Ids
  readonly region: readonly object[]
}

const idsOf = (items: readonly { readonly id: string; readonly name: string }[]): Ids =>
  Object.fromEntries(items.map(({ id, name }) => [name, id]))

async function makePapers(): Promise<Papers> {
  const { body, status, text } = await owner.post('/api/collections', {
    label: `Papers ${(made += 1)}`,
    fields: [
      { label: 'Title', kind: 'text' },
      { label: 'Region', kind: 'select', options: { choices: [{ name: 'North' }, { name: 'South' }] } },
      { label: 'Salary', kind: 'number' },
      { label: 'Remark', kind: 'text' },
      { label: 'State', kind: 'state', options: { choices: [{ name: 'Draft' }, { name: 'Sealed' }] } },
    ],
  })
  expect(status, text).toBe(201)
  const choicesOf = (name: string) => body.fields.find((field: { name: string }) => field.name === name).options.choices
  const { id, name } = body
  return { id, name, field: idsOf(body.fields), state: idsOf(choicesOf('state')), region: choicesOf('region') }
}

const idIn = (ids: Ids, name: string): string => ids[name] ?? ''
const at = ({ name }: Papers, rest = ''): string => `/api/collections/${name}${rest}`

async function add(papers: Papers, values: object): Promise<string> {
  const { body, status, text } = await owner.post(at(papers, '/records'), { values })
  expect(status, text).toBe(201)
  return body.id
}

const on = ({ id }: Papers, permission: Grant['permission'], rest: Partial<Grant> = {}): Grant => ({
  permission,
  collection: id,
  ...rest,
})

const without = ({ field }: Papers, ...names: readonly string[]): Pick<Grant, 'fields'> => ({
  fields: { except: names.map((name) => idIn(field, name)) },
})

const workflow = ({ state }: Papers, when: string | null, requiredToLeave: readonly string[] = []) => ({
  transitions: [{ name: 'Seal', from: idIn(state, 'Draft'), to: idIn(state, 'Sealed'), when }],
  states: { [idIn(state, 'Draft')]: { requiredToLeave }, [idIn(state, 'Sealed')]: { frozen: 'all' } },
})

async function ofRole(grants: readonly object[], profile?: object): Promise<Caller> {
  const policy = await owner.post('/api/policies', { name: `Policy ${(made += 1)}`, grants })
  expect(policy.status, policy.text).toBe(201)
  const role = await owner.post('/api/roles', { name: `Role ${(made += 1)}`, policies: [policy.body.id] })
  const caller = await app.asViewer()
  const answer = await owner.patch(`/api/users/${caller.userId}`, {
    roles: [role.body.id],
    ...(profile && { profile }),
  })
  expect(answer.status, answer.text).toBe(200)
  return caller
}

describe("a collection manager who can't read one of its fields", () => {
  const managerOf = (papers: Papers): Promise<Caller> =>
    app.asGranted([
      on(papers, 'collections:manage'),
      on(papers, 'records:transition'),
      on(papers, 'records:read', without(papers, 'salary')),
    ])

  test("can't make a transition depend on the field, which would reveal its values", async () => {
    const papers = await makePapers()
    const manager = await managerOf(papers)
    const probing = await manager.patch(at(papers), { workflow: workflow(papers, 'salary > 100') })
    expect([probing.status, probing.body.errors?.[0]?.path]).toEqual([422, 'workflow.transitions.0.when'])
    const filled = await manager.patch(at(papers), { workflow: workflow(papers, null, [idIn(papers.field, 'salary')]) })
    expect(filled.status, filled.text).toBe(422)
    expect((await manager.patch(at(papers), { workflow: workflow(papers, 'title = "x"') })).status).toBe(200)
  })

  test('preserves conditions and locks that an owner set on the field', async () => {
    const papers = await makePapers()
    const manager = await managerOf(papers)
    await owner.patch(at(papers), { workflow: workflow(papers, 'salary > 100', [idIn(papers.field, 'salary')]) })
    const { workflow: shown } = (await manager.get(at(papers))).body
    const renamed = { ...shown, transitions: shown.transitions.map((one: object) => ({ ...one, name: 'Close' })) }
    const { field: _, ...sent } = renamed
    const saved = await manager.patch(at(papers), { workflow: sent })
    expect(saved.status, saved.text).toBe(200)
    const { workflow: now } = (await owner.get(at(papers))).body
    expect(now.transitions[0]).toMatchObject({ name: 'Close', when: { field: 'salary', op: '>', value: 100 } })
    expect(now.states[idIn(papers.state, 'Draft')].requiredToLeave).toEqual([idIn(papers.field, 'salary')])
  })

  test('sees no values of the field in warnings about type changes or uniqueness', async () => {
    const papers = await makePapers()
    await add(papers, { salary: 4711 })
    await add(papers, { salary: 4711 })
    const manager = await managerOf(papers)
    const kind = await manager.patch(at(papers, '/fields/salary'), { kind: 'checkbox' })
    const unique = await manager.patch(at(papers, '/fields/salary'), { unique: true })
    for (const { status, text } of [kind, unique]) {
      expect(status, text).toBe(403)
      expect(text).not.toContain('4711')
    }
    expect((await owner.patch(at(papers, '/fields/salary'), { unique: true })).text).toContain('4711')
  })

  test("doesn't see hidden collections that link to theirs", async () => {
    const papers = await makePapers()
    const secret = await owner.post('/api/collections', {
      label: `Hidden plan ${(made += 1)}`,
      fields: [{ label: 'Paper', kind: 'relation', options: { collection: papers.id } }],
    })
    expect(secret.status, secret.text).toBe(201)
    const refused = await (await managerOf(papers)).delete(at(papers))
    expect(refused.status).toBe(422)
    expect(refused.text).not.toContain('Hidden plan')
  })
})

describe('a locked field', () => {
  test("doesn't reveal the status to users who can't read it", async () => {
    const papers = await makePapers()
    const record = await add(papers, { title: 'A', state: 'Sealed' })
    await owner.patch(at(papers), { workflow: workflow(papers, null) })
    const who = await app.asGranted([
      on(papers, 'records:read', without(papers, 'state')),
      on(papers, 'records:update', without(papers, 'state')),
    ])
    const refused = await who.patch(at(papers, `/records/${record}`), { values: { title: 'B' } })
    expect([refused.status, refused.body.code]).toEqual([422, 'field-frozen'])
    expect(refused.text).not.toContain('Sealed')
  })

  test("doesn't reveal a value to users who can write but not read it", async () => {
    const papers = await makePapers()
    const record = await add(papers, { salary: 5, state: 'Sealed' })
    await owner.patch(at(papers), { workflow: workflow(papers, null) })
    const who = await app.asGranted([
      on(papers, 'records:read', without(papers, 'salary')),
      on(papers, 'records:update'),
    ])
    const guesses = [4, 5].flatMap((salary) => [
      who.patch(at(papers, `/records/${record}`), { values: { salary } }),
      who.post(at(papers, '/records/bulk'), { update: [{ id: record, values: { salary } }] }),
      who.post(at(papers, '/records/bulk'), { where: {}, update: { values: { salary } } }),
    ])
    const answers = await Promise.all(guesses)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 422))
    expect(answers[0]?.text.replaceAll(/"requestId":"[^"]*"/g, '')).toBe(
      answers[3]?.text.replaceAll(/"requestId":"[^"]*"/g, ''),
    )
  })
})

test("doesn't reveal a value during an import if the user can read it only in other records", async () => {
  const papers = await makePapers()
  for (const title of ['A', 'B']) await add(papers, { title, salary: 5, state: 'Sealed' })
  await owner.patch(at(papers), { workflow: workflow(papers, null) })
  const who = await app.asGranted([
    on(papers, 'records:read', without(papers, 'salary')),
    on(papers, 'records:read', { where: { field: 'title', op: '=', value: 'nowhere' } }),
    on(papers, 'records:update'),
    on(papers, 'records:import'),
  ])
  const { body, text } = await importInto(who, papers.id, 'Title,Salary\nA,5\nB,6\n', '?key=title&onBadRow=skip')
  expect(body.progress, text).toMatchObject({ rowsStored: 0, rowsRefused: 2 })
})

test("a transition doesn't reveal the current status to users who can't read it", async () => {
  const papers = await makePapers()
  const record = await add(papers, { state: 'Sealed' })
  await owner.patch(at(papers), { workflow: workflow(papers, null) })
  const who = await app.asGranted([
    on(papers, 'records:read', without(papers, 'state')),
    on(papers, 'records:transition'),
  ])
  const requested = async (to: string) => {
    const { requestId: _, ...body } = (await who.post(at(papers, `/records/${record}/transitions`), { to })).body
    return body
  }
  expect(await requested('Nowhere')).toEqual(await requested('Draft'))
})

test("a field description is hidden from users who can't read the field, even if they can write it", async () => {
  const papers = await makePapers()
  await owner.patch(at(papers, '/fields/salary'), { description: 'Gross, without the usual bonus' })
  await add(papers, { title: 'A', salary: 5 })
  const who = await app.asGranted([
    on(papers, 'records:read', without(papers, 'salary')),
    on(papers, 'records:create'),
    on(papers, 'records:import'),
  ])
  const imported = await importInto(who, papers.id, 'Title,Salary\nB,6\n', '?onBadRow=skip')
  const places = ['/api/collections', at(papers), at(papers, '/records'), '/api/openapi.json']
  const answers = await Promise.all(places.map((place) => who.get(place)))
  expect(answers.map(({ status }) => status)).toEqual(places.map(() => 200))
  for (const { text } of [imported, ...answers]) expect(text).not.toContain('bonus')
  expect((await owner.get(at(papers))).text).toContain('bonus')
})

describe('a default value', () => {
  test('is not revealed in an error if it is invalid for a hidden field', async () => {
    const papers = await makePapers()
    const target = await add(papers, { title: 'Kept secret' })
    const { body } = await owner.post('/api/collections', {
      label: `Notes ${(made += 1)}`,
      fields: [
        { label: 'Text', kind: 'text' },
        { label: 'Origin', kind: 'relation', options: { collection: papers.id } },
        { label: 'Ledger', kind: 'text', unique: true },
      ],
    })
    const field = idsOf(body.fields)
    const grant = (presets: object) =>
      ({ permission: 'records:create', collection: body.id, fields: { only: [idIn(field, 'text')] }, presets }) as Grant
    const reads: Grant = { permission: 'records:read', collection: body.id, fields: { only: [idIn(field, 'text')] } }
    const pointing = await app.asGranted([grant({ [idIn(field, 'origin')]: target }), reads])
    const first = await pointing.post(`/api/collections/${body.name}/records`, { values: { text: 'x' } })
    expect(first.status, first.text).toBe(201)
    expect((await owner.get(`/api/collections/${body.name}/records/${first.body.id}`)).body.values.origin).toBe(target)

    const same = await app.asGranted([grant({ [idIn(field, 'ledger')]: 'L1' }), reads])
    await same.post(`/api/collections/${body.name}/records`, { values: { text: 'x' } })
    const second = await same.post(`/api/collections/${body.name}/records`, { values: { text: 'y' } })
    expect(second.status, second.text).toBe(422)
    expect(second.text).not.toMatch(/ledger/i)
    const importer = await app.asGranted([
      grant({ [idIn(field, 'ledger')]: 'L2' }),
      { permission: 'records:import', collection: body.id, fields: { only: [idIn(field, 'text')] } },
      reads,
    ])
    const rows = await importInto(importer, body.id, 'Text\nx\ny\n')
    expect(rows.body.progress.rowsRefused, rows.text).toBe(1)
    expect(rows.text).not.toMatch(/ledger|L2/)
  })

  test("can't use user data that users can change themselves, such as their name", async () => {
    const papers = await makePapers()
    const draft = (marker: string) => ({
      name: `Policy ${(made += 1)}`,
      grants: [{ ...on(papers, 'records:create'), presets: { remark: { marker } } }],
    })
    expect((await owner.post('/api/policies', draft('@me.name'))).status).toBe(422)
    expect((await owner.post('/api/policies', draft('@me.email'))).status).toBe(422)
    expect((await owner.post('/api/policies', draft('@me'))).status).toBe(422)
  })

  test("can't be omitted when a manager grants part of their own access", async () => {
    const papers = await makePapers()
    const only = { fields: { only: [idIn(papers.field, 'title')] } }
    const manager = await ofRole([
      { permission: 'roles:manage', collection: null },
      { ...on(papers, 'records:create', only), presets: { remark: 'to be looked at' } },
    ])
    const bare = { name: `Policy ${(made += 1)}`, grants: [on(papers, 'records:create', only)] }
    expect((await manager.post('/api/policies', bare)).status).toBe(403)
  })
})

describe('access cannot be granted indirectly', () => {
  test('by assigning a role reserved for a transition', async () => {
    const papers = await makePapers()
    const chief = await owner.post('/api/roles', { name: `Chief ${(made += 1)}`, policies: [] })
    const { transitions, ...rest } = workflow(papers, null)
    const reserved = { ...rest, transitions: transitions.map((one) => ({ ...one, roles: [chief.body.id] })) }
    expect((await owner.patch(at(papers), { workflow: reserved })).status).toBe(200)
    const manager = await ofRole([
      { permission: 'users:manage', collection: null },
      on(papers, 'records:read'),
      on(papers, 'records:transition'),
    ])
    const [own] = (await manager.get('/api/auth/user')).body.user.roles
    const taken = await manager.patch(`/api/users/${manager.userId}`, { roles: [own.id, chief.body.id] })
    expect([taken.status, taken.body.code]).toEqual([403, 'forbidden'])
    const { roles } = (await manager.get('/api/users')).body
    expect(roles.find(({ id }: { readonly id: string }) => id === chief.body.id).mayGive).toBe(false)
  })

  test('by setting a default value that puts new records in a non-initial status', async () => {
    const papers = await makePapers()
    expect((await owner.patch(at(papers), { workflow: workflow(papers, null) })).status).toBe(200)
    const manager = await ofRole([{ permission: 'roles:manage', collection: null }, on(papers, 'records:create')])
    const sealed = { ...on(papers, 'records:create'), presets: { state: idIn(papers.state, 'Sealed') } }
    const answer = await manager.post('/api/policies', { name: `Policy ${(made += 1)}`, grants: [sealed] })
    expect([answer.status, answer.body.code]).toEqual([403, 'forbidden'])
  })
})

describe('user attributes', () => {
  const noting = async (name: string): Promise<void> => {
    const { items } = (await owner.get('/api/workspace/profile-fields')).body
    const answer = await owner.put('/api/workspace/profile-fields', {
      items: [...items, { name, label: name, many: false }],
    })
    expect(answer.status, answer.text).toBe(200)
  }
  const managing = [
    { permission: 'users:manage', collection: null },
    { permission: 'roles:manage', collection: null },
  ]

  test('can be changed only by owners if default values or transitions use them', async () => {
    const papers = await makePapers()
    await noting('team')
    await noting('desk')
    await owner.post('/api/policies', {
      name: `Policy ${(made += 1)}`,
      grants: [{ ...on(papers, 'records:create'), presets: { remark: { marker: '@me.team' } } }],
    })
    const saved = await owner.patch(at(papers), { workflow: workflow(papers, 'remark = @me.desk') })
    expect(saved.status, saved.text).toBe(200)
    const manager = await ofRole(managing)
    for (const profile of [{ team: 'x' }, { desk: 'x' }]) {
      const answer = await manager.patch(`/api/users/${manager.userId}`, { profile })
      expect(answer.status, JSON.stringify(profile)).toBe(403)
    }
  })

  test("don't match other records after options swap names", async () => {
    const papers = await makePapers()
    await noting('region')
    await add(papers, { title: 'In the south', region: 'South' })
    const who = await ofRole(
      [on(papers, 'collections:manage'), { ...on(papers, 'records:read'), where: 'region = @me.region' }],
      { region: 'North' },
    )
    const [north, south] = papers.region
    const swapped = await who.patch(at(papers, '/fields/region'), {
      options: {
        choices: [
          { ...north, name: 'Elsewhere' },
          { ...south, name: 'North' },
        ],
      },
    })
    expect([swapped.status, swapped.body.code]).toEqual([409, 'in-use'])
    const less = await who.patch(at(papers, '/fields/region'), { options: { choices: [south] }, acceptLoss: true })
    expect([less.status, less.body.code]).toEqual([403, 'forbidden'])
    expect((await who.get(at(papers, '/records'))).body.items).toEqual([])
    const more = { options: { choices: [...papers.region, { name: 'West' }] } }
    expect((await who.patch(at(papers, '/fields/region'), more)).status).toBe(200)
  })
})

const withoutState = (example: object): object =>
  Object.fromEntries(Object.entries(example).filter(([part]) => part !== 'state'))

test("explaining other users' access doesn't reveal hidden records to a role manager", async () => {
  const papers = await makePapers()
  const record = await add(papers, { salary: 500 })
  const rich = await ofRole([{ ...on(papers, 'records:read'), where: 'salary > 100' }])
  const manager = await ofRole([{ permission: 'roles:manage', collection: null }])
  const question = { user: rich.userId, permission: 'records:read', collection: papers.id }
  expect((await manager.post('/api/explain', question)).body.may).toBe('some')
  expect((await manager.post('/api/explain', { ...question, record })).status).toBe(404)
  expect((await owner.post('/api/explain', { ...question, record })).body.may).toBe('yes')

  const { user, ...place } = question
  const draft = { grants: [], examples: [{ ...place, record, who: { user }, may: true }] }
  const probing = await manager.post('/api/policies', { ...draft, name: `Policy ${(made += 1)}` })
  expect([probing.status, probing.body.errors?.[0]?.path]).toEqual([422, 'examples.0.record'])
  const kept = await owner.post('/api/policies', { ...draft, name: `Policy ${(made += 1)}` })
  expect(kept.status, kept.text).toBe(201)
  const renamed = { about: 'For payroll', examples: kept.body.examples.map(withoutState) }
  expect((await manager.patch(`/api/policies/${kept.body.id}`, renamed)).status).toBe(200)
  await owner.delete(`/api/policies/${kept.body.id}`)
})

test('an example is visible only to users who can see policies', async () => {
  const papers = await makePapers()
  const someone = await app.asViewer()
  const saved = await owner.post('/api/policies', {
    name: `Payroll ${(made += 1)}`,
    grants: [],
    examples: [
      { who: { user: someone.userId }, may: true, permission: 'records:read', collection: papers.id, field: 'salary' },
    ],
  })
  expect(saved.status, saved.text).toBe(201)
  const manager = await ofRole([
    { permission: 'users:manage', collection: null },
    { permission: 'records:read', collection: null },
  ])
  const bare = await owner.post('/api/roles', { name: `Role ${(made += 1)}`, policies: [] })
  const refused = await manager.patch(`/api/users/${someone.userId}`, { roles: [bare.body.id] })
  expect([refused.status, refused.body.code]).toEqual([422, 'example-broken'])
  expect(refused.text).not.toMatch(/payroll|salary|papers/i)
  await owner.delete(`/api/policies/${saved.body.id}`)
})

test('an unattached file is hidden from users impersonating its uploader', async () => {
  const { body } = await owner.post('/api/collections', {
    label: `Drawings ${(made += 1)}`,
    fields: [{ label: 'Sketch', kind: 'files' }],
  })
  const uploader = await app.asEditor()
  const target = { collection: body.name, field: 'sketch' }
  const file = await tusSender(url, uploader).send(target, Buffer.from('a sketch'), 'a.txt')
  expect((await uploader.get(`/api/files/${file}`)).status).toBe(200)
  const begun = await owner.post('/api/view-as', { user: uploader.userId })
  expect(begun.status, begun.text).toBe(201)
  expect((await owner.get(`/api/files/${file}`, { 'view-as': uploader.userId ?? '' })).status).toBe(404)
  await owner.delete('/api/view-as')
})

test('an export stops when its user loses the permission', async () => {
  const papers = await makePapers()
  const create = Array.from({ length: 450 }, (_, at) => ({ values: { title: `Paper ${at}` } }))
  expect((await owner.post(at(papers, '/records/bulk'), { create })).status).toBe(200)
  const grants = [on(papers, 'records:read'), on(papers, 'records:export')]
  let checks = 0
  let lastAllowed = Number.POSITIVE_INFINITY
  const who = await app.asGranted(() => ((checks += 1) > lastAllowed ? [] : grants))
  const headers = { authorization: `Bearer ${who.token}` }
  const read = async (): Promise<string> => (await fetch(`${url}${at(papers, '/export.csv')}`, { headers })).text()
  expect((await read()).split('\n')).toHaveLength(452)
  // Revokes the permission between two checks. If too few checks are allowed for the export to start, the test retries
  // with one more.
  let outcome = 'not started'
  for (lastAllowed = 1; outcome !== 'aborted' && lastAllowed < 4; lastAllowed += 1) {
    checks = 0
    outcome = await read().then(
      (text) => text,
      () => 'aborted',
    )
    if (outcome !== 'aborted') expect(outcome).toContain('collection-not-found')
  }
  expect(outcome).toBe('aborted')
})

const LINK = /code=[\w-]{20}/

test('an email that gives access to an account is readable only by users who could grant that access', async () => {
  const invite = async (role: string): Promise<string> => {
    const email = `${role}-${(made += 1)}@example.org`
    expect((await owner.post('/api/users', { email, name: role, roles: [role] })).status).toBe(201)
    return email
  }
  const [boss, reader] = [await invite('owner'), await invite('viewer')]
  const keeper = await app.asGranted([
    { permission: 'workspace:manage', collection: null },
    { permission: 'records:read', collection: null },
  ])
  const emailTo = async (who: Caller, email: string): Promise<string> =>
    (await who.get('/api/outbox')).body.items.find(({ to }: { readonly to: string }) => to === email).text
  expect(await emailTo(owner, boss)).toMatch(LINK)
  expect(await emailTo(keeper, reader)).toMatch(LINK)
  expect(await emailTo(keeper, boss)).not.toMatch(LINK)
})
