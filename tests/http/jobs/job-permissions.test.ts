import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import type { Permission } from '#domain/access/permission.ts'
import { type Answer, type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

/** Number of matching records above which a bulk change becomes a job. */
const AT_ONCE = 20
const PEOPLE = 60

let app: TestApp
let owner: Caller
let people: { readonly id: string; readonly name: string; readonly salary: string }
let made = 0

beforeAll(async () => {
  app = await openTestApp({ changedAtOnce: AT_ONCE })
  owner = await app.asOwner()
})
afterAll(() => app.close())

/** Creates sixty people with a salary; every second one is in the reader's team. */
beforeEach(async () => {
  const { body } = await owner.post('/api/collections', {
    label: `People ${(made += 1)}`,
    fields: [
      { label: 'Team', kind: 'text' },
      { label: 'Size', kind: 'number' },
      { label: 'Salary', kind: 'number' },
      { label: 'Note', kind: 'text' },
    ],
  })
  const salary = body.fields.find(({ name }: { name: string }) => name === 'salary').id
  people = { id: body.id, name: body.name, salary }
  const create = Array.from({ length: PEOPLE }, (_, at) => ({
    values: { team: at % 2 === 0 ? 'ours' : 'theirs', size: at, salary: 100 + at },
  }))
  expect((await owner.post(`${path()}/bulk`, { create })).status).toBe(200)
})

const path = (): string => `/api/collections/${people.name}/records`
const bulk = (who: Caller, body: unknown): Promise<Answer> => who.post(`${path()}/bulk`, body)
const count = async (filter: string): Promise<number> =>
  (await owner.get(`${path()}?perPage=1&count=exact&filter=${encodeURIComponent(filter)}`)).body.total

async function begin(who: Caller, body: unknown): Promise<string> {
  const { status, body: answer, text } = await bulk(who, body)
  expect(status, text).toBe(202)
  return answer.job
}

async function ended(job: string) {
  for (;;) {
    const { body } = await owner.get(`/api/jobs/${job}`)
    if (body.state !== 'running') return body
  }
}

const grant = (permission: Permission, rest: Partial<Grant> = {}): Grant => ({
  permission,
  collection: people.id,
  ...rest,
})
const OURS = { field: 'team', op: '=', value: 'ours' } as const
/** Grants access to all fields except the salary, and to the salary of records in the reader's team. */
const partly = (permission: Permission): Grant[] => [
  grant(permission, { fields: { except: [people.salary] } }),
  grant(permission, { where: OURS, fields: { only: [people.salary] } }),
]

async function aToken(of: Caller, scopes: readonly string[], more = {}) {
  const { body } = await of.post('/api/tokens', { name: 'Program', scopes, ...more })
  return { id: body.id, program: app.withToken(body.token) }
}

/** Resets a job, calls `happens`, and lets another server resume the job. */
async function takenUpAfter(job: string, happens: () => unknown) {
  await ended(job)
  await app.database.write(({ db }) =>
    db
      .updateTable('jobs')
      .set({ state: 'running', runner: null, total: null, done: 0, last_record: null, ended_at: null })
      .where('id', '=', job)
      .execute(),
  )
  await owner.post(`${path()}/bulk`, { where: { filter: 'size < 10' }, update: { values: { note: '' } } })
  await happens()
  const another = await app.startAnother()
  const over = await ended(job)
  await another.stop()
  return over
}

describe('a job of a user with a partly hidden field', () => {
  test('filters by the field only where it is visible, and treats it as empty elsewhere', async () => {
    const who = await app.asGranted([...partly('records:read'), ...partly('records:update')])
    const found = await begin(who, { where: { filter: 'salary > 0' }, update: { values: { note: 'read' } } })
    expect(await ended(found)).toMatchObject({ state: 'done', total: 30, done: 30 })
    expect(await count('note = "read" && team = "theirs"')).toBe(0)
    const empty = await begin(who, { where: { filter: 'salary is empty' }, update: { values: { note: 'none' } } })
    expect(await ended(empty)).toMatchObject({ state: 'done', total: 30, done: 30 })
    expect(await count('note = "none" && team = "ours"')).toBe(0)
  })

  test('writes the field only where it is visible', async () => {
    const who = await app.asGranted([grant('records:read'), ...partly('records:update')])
    const job = await begin(who, { where: {}, update: { values: { salary: 1 } } })
    expect(await ended(job)).toMatchObject({ state: 'done', total: 30, done: 30 })
    expect(await count('salary = 1')).toBe(30)
    expect(await count('salary = 1 && team = "theirs"')).toBe(0)
  })

  test("can't use the field if it is never visible", async () => {
    const fields = { except: [people.salary] }
    const who = await app.asGranted([grant('records:read', { fields }), grant('records:update', { fields })])
    const requested = await bulk(who, { where: { filter: 'salary > 0' }, update: { values: { note: 'x' } } })
    const unknown = await bulk(who, { where: { filter: 'salaxy > 0' }, update: { values: { note: 'x' } } })
    expect([requested.status, requested.body.detail]).toEqual([400, unknown.body.detail.replaceAll('salaxy', 'salary')])
    expect((await bulk(who, { where: {}, update: { values: { salary: 1 } } })).status).toBe(422)
  })
})

describe('a job of an API token', () => {
  test('is limited to the scopes of the token', async () => {
    const { program } = await aToken(owner, ['records:read', `records:update@${people.id}`])
    expect((await bulk(program, { where: {}, delete: true })).status).toBe(403)
    const job = await begin(program, { where: {}, update: { values: { note: 'x' } } })
    expect(await ended(job)).toMatchObject({ state: 'done', done: PEOPLE })
    const creating = await aToken(owner, ['records:read', 'records:create'])
    expect((await bulk(creating.program, { where: {}, update: { values: { note: 'y' } } })).status).toBe(403)
    expect(await count('note = "y"')).toBe(0)
  })

  test('runs as long as the token is valid', async () => {
    const { program } = await aToken(owner, ['records:read', 'records:update'])
    const job = await begin(program, { where: {}, update: { values: { note: 'x' } } })
    expect(await takenUpAfter(job, () => undefined)).toMatchObject({ state: 'done', done: PEOPLE })
    expect(await count('note = "x"')).toBe(PEOPLE)
  })

  test.each([
    ['is revoked', (id: string) => owner.delete(`/api/tokens/${id}`)],
    ['has ended', () => app.clock.move(90_000)],
  ])('ends when its token %s, also after a restart', async (_, happens) => {
    const expiresAt = new Date(app.clock.now().getTime() + 60_000).toISOString()
    const { id, program } = await aToken(owner, ['records:read', 'records:update'], { expiresAt })
    const job = await begin(program, { where: {}, update: { values: { note: 'x' } } })
    const over = await takenUpAfter(job, () => happens(id))
    expect(over).toMatchObject({ state: 'failed', total: null, done: 0 })
    expect(over.failure).toBe('The user who started this job no longer has access.')
    expect(await count('note = "x"')).toBe(PEOPLE - 10)
  })

  test('stops when the token loses the scope, even after a restart', async () => {
    const { id, program } = await aToken(owner, ['records:read', 'records:update'])
    const job = await begin(program, { where: {}, update: { values: { note: 'narrowed' } } })
    const over = await takenUpAfter(job, () => owner.patch(`/api/tokens/${id}`, { scopes: ['records:read'] }))
    expect(over).toMatchObject({ state: 'failed', done: 0 })
    expect(await count('note = "narrowed"')).toBe(PEOPLE - 10)
  })

  test("is hidden from other tokens that couldn't have started it", async () => {
    const editor = await app.asEditor()
    const job = await begin(editor, { where: {}, update: { values: { note: 'x' } } })
    const reading = await aToken(editor, ['records:read', 'records:delete'])
    expect((await reading.program.get(`/api/jobs/${job}`)).status).toBe(404)
    expect((await reading.program.delete(`/api/jobs/${job}`)).status).toBe(404)
    const updating = await aToken(editor, ['records:update'])
    expect((await updating.program.get(`/api/jobs/${job}`)).status).toBe(200)
    await ended(job)
  })
})

describe('a job whose user lost permissions', () => {
  /** The user's grants, which tests can change. */
  let held: readonly Grant[]
  const somebody = () => {
    held = [grant('records:read'), grant('records:update')]
    return app.asGranted(() => held)
  }

  test('changes and counts only the records that remain accessible', async () => {
    const job = await begin(await somebody(), { where: {}, update: { values: { note: 'x' } } })
    const where = { field: 'size', op: '<', value: 5 } as const
    const over = await takenUpAfter(job, () => (held = [grant('records:read'), grant('records:update', { where })]))
    expect(over).toMatchObject({ state: 'done', total: 5, done: 5 })
    expect(await count('note = "x" && size < 10')).toBe(5)
  })

  test('fails without changes if its filter uses a field that became unreadable', async () => {
    const fields = { except: [people.salary] }
    const job = await begin(await somebody(), { where: { filter: 'salary > 0' }, update: { values: { note: 'x' } } })
    const over = await takenUpAfter(job, () => (held = [grant('records:read', { fields }), grant('records:update')]))
    expect(over).toMatchObject({ state: 'failed', total: null, done: 0 })
    expect(over.failure).toMatch(/no field/i)
    expect(await count('note = "x" && size < 10')).toBe(0)
  })

  test("doesn't write a field in records where it became read-only", async () => {
    const job = await begin(await somebody(), { where: {}, update: { values: { salary: 7 } } })
    await ended(job)
    await ended(await begin(owner, { where: {}, update: { values: { salary: 1 } } }))
    const over = await takenUpAfter(job, () => (held = [grant('records:read'), ...partly('records:update')]))
    expect(over).toMatchObject({ state: 'done', total: 30, done: 30 })
    expect(await count('salary = 7 && team = "theirs"')).toBe(0)
  })

  test('stops if the user has no permission left', async () => {
    const job = await begin(await somebody(), { where: {}, update: { values: { note: 'x' } } })
    const over = await takenUpAfter(job, () => (held = []))
    expect(over).toMatchObject({ state: 'failed', total: null, done: 0 })
    expect(await count('note = "x" && size < 10')).toBe(0)
  })
})
