import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import type { Permission } from '#domain/access/permission.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import { importInto } from '#tests/conformance/csv-import.ts'
import { type Answer, type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import { type TusSender, tusSender } from '#tests/support/files/tus-sender.ts'

let app: TestApp
let owner: Caller
let url: string

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
  url = await app.listen()
})
afterAll(() => app.close())

let people: { readonly id: string; readonly name: string; readonly fields: Readonly<Record<string, string>> }
/** Ada's record belongs to the reader's team, Bob's to another team. */
let ada: string
let bob: string
let made = 0

beforeEach(async () => {
  const { body } = await owner.post('/api/collections', {
    label: `People ${(made += 1)}`,
    fields: [
      { label: 'Name', kind: 'text', unique: true },
      { label: 'Team', kind: 'text' },
      { label: 'Salary', kind: 'number' },
      { label: 'Note', kind: 'text' },
      { label: 'Papers', kind: 'files' },
    ],
  })
  const fields = Object.fromEntries(body.fields.map((field: { name: string; id: string }) => [field.name, field.id]))
  people = { id: body.id, name: body.name, fields }
  const create = [
    { values: { name: 'Ada', team: 'ours', salary: 10, note: 'first' } },
    { values: { name: 'Bob', team: 'theirs', salary: 20, note: 'second' } },
  ]
  const answer = await owner.post(`${path()}/bulk`, { create })
  ;[ada = '', bob = ''] = answer.body.created
})

const path = (record?: string): string =>
  `/api/collections/${people.name}/records${record === undefined ? '' : `/${record}`}`

const OURS: Filter = { field: 'team', op: '=', value: 'ours' }

/** Grants all fields except the given ones. */
const except = (permission: Permission, ...fields: string[]): Grant => ({
  permission,
  collection: people.id,
  fields: { except: fields.map((name) => people.fields[name] ?? '') },
})
const inOurs = (permission: Permission, ...fields: string[]): Grant => ({
  permission,
  collection: people.id,
  where: OURS,
  fields: { only: fields.map((name) => people.fields[name] ?? '') },
})
const partly = (permission: Permission, ...fields: string[]): Grant[] => [
  except(permission, ...fields),
  inOurs(permission, ...fields),
]

const valuesOf = async (record: string): Promise<Record<string, unknown>> => (await owner.get(path(record))).body.values
const refusalOf = ({ status, body }: Answer) => ({ status, code: body.code, errors: body.errors })
const CLOSED = {
  status: 403,
  code: 'forbidden',
  errors: [{ path: 'salary', code: 'forbidden', message: 'You can’t edit Salary here.' }],
}

describe('a field readable in some records', () => {
  test('is returned only in records where it is readable, and is treated as empty elsewhere', async () => {
    const reader = await app.asGranted(partly('records:read', 'salary', 'name'))
    const listed = await reader.get(`${path()}?sort=salary`)
    expect(listed.body.items.map(({ values }: { values: object }) => Object.keys(values))).toEqual([
      ['name', 'team', 'salary', 'note', 'papers'],
      ['team', 'note', 'papers'],
    ])
    const requested = await Promise.all(
      ['salary = 20', 'salary != 20', 'salary is empty', 'name ~ "b"'].map((filter) =>
        reader.get(`${path()}?filter=${encodeURIComponent(filter)}`),
      ),
    )
    expect(requested.map(({ body }) => body.items.map(({ id }: { id: string }) => id))).toEqual([
      [],
      [ada, bob],
      [bob],
      [],
    ])
    const { body: groups } = await reader.get(`/api/collections/${people.name}/groups?by=salary&aggregates=sum(salary)`)
    expect(groups.groups.map(({ key, aggregates }: { key: object; aggregates: object }) => [key, aggregates])).toEqual([
      [{ salary: 10 }, { 'sum(salary)': 10 }],
      [{ salary: null }, { 'sum(salary)': null }],
    ])
    expect((await reader.get('/api/search?q=bob')).body.groups).toEqual([])
  })

  test('is included in the definition, marked as hidden in some or all records', async () => {
    const somebody = await app.asGranted([
      ...partly('records:read', 'salary'),
      except('records:update', 'note'),
      ...partly('records:create', 'team'),
    ])
    const { body } = await somebody.get(`/api/collections/${people.name}`)
    expect(body.closed).toEqual({
      salary: { read: 'partly' },
      note: { update: 'wholly' },
      team: { create: 'partly' },
    })
    expect((await owner.get(`/api/collections/${people.name}`)).body).not.toHaveProperty('closed')
  })

  test('has correct counts and sums after every change, despite caching', async () => {
    const reader = await app.asGranted(partly('records:read', 'salary'))
    const total = async () => (await reader.get(`${path()}?filter=salary%20is%20not%20empty&count=exact`)).body.total
    const sum = async () =>
      (await reader.get(`/api/collections/${people.name}/sums?aggregates=sum(salary)`)).body.aggregates['sum(salary)']
    expect([await total(), await sum()]).toEqual([1, 10])
    await owner.patch(path(bob), { values: { team: 'ours' } })
    expect([await total(), await sum()]).toEqual([2, 30])
    await owner.patch(path(ada), { values: { team: 'theirs' } })
    expect([await total(), await sum()]).toEqual([1, 20])
    await owner.delete(path(bob))
    expect([await total(), await sum()]).toEqual([0, null])
  })

  test('has correct counts, sums and groups after related records change', async () => {
    const { body: leads } = await owner.post('/api/collections', {
      label: `Leads of ${people.name}`,
      fields: [{ label: 'Team', kind: 'text' }],
    })
    const { body: lead } = await owner.post(`/api/collections/${leads.name}/records`, { values: { team: 'ours' } })
    const move = (team: string) =>
      owner.patch(`/api/collections/${leads.name}/records/${lead.id}`, { values: { team } })
    const added = await owner.post(`/api/collections/${people.name}/fields`, {
      label: 'Lead',
      kind: 'relation',
      options: { collection: leads.id, many: false },
    })
    expect(added.status, added.text).toBe(201)
    await owner.patch(path(bob), { values: { lead: lead.id } })
    const reader = await app.asGranted([
      except('records:read', 'salary'),
      { ...inOurs('records:read', 'salary'), where: { field: 'lead.team', op: '=', value: 'ours' } },
    ])
    const requested = async (what: string) => (await reader.get(`/api/collections/${people.name}/${what}`)).body
    const all = async () => [
      (await requested('records?filter=salary%20is%20not%20empty&count=exact')).total,
      (await requested('sums?aggregates=sum(salary)')).aggregates['sum(salary)'],
      (await requested('groups?by=team&aggregates=max(salary)')).groups.map(
        ({ aggregates }: { aggregates: object }) => Object.values(aggregates)[0],
      ),
      (await requested('groups?by=salary')).groups.map(({ key }: { key: { salary: number } }) => key.salary),
    ]
    expect(await all()).toEqual([1, 20, [null, 20], [20, null]])
    await move('yours')
    expect(await all()).toEqual([0, null, [null, null], [null]])
    await move('ours')
    expect(await all()).toEqual([1, 20, [null, 20], [20, null]])
  })

  test('shows only the ID of a linked record whose title is hidden', async () => {
    const { body } = await owner.post('/api/collections', {
      label: `Notes of ${people.name}`,
      fields: [{ label: 'About', kind: 'relation', options: { collection: people.id, many: true } }],
    })
    await owner.post(`/api/collections/${body.name}/records`, { values: { about: [ada, bob] } })
    const reader = await app.asGranted([
      ...partly('records:read', 'name'),
      { permission: 'records:read', collection: body.id },
    ])
    const listed = await reader.get(`/api/collections/${body.name}/records?expand=about`)
    expect(listed.body.items[0].values.about).toEqual([
      { id: ada, title: 'Ada' },
      { id: bob, title: bob },
    ])
  })

  test('is not revealed by conflicts or write responses', async () => {
    const writer = await app.asGranted([...partly('records:read', 'salary'), except('records:update')])
    const stale = await writer.patch(path(bob), { values: { note: 'x' }, version: 99 })
    expect(stale.status).toBe(409)
    expect(stale.body.current.values).toEqual({ name: 'Bob', team: 'theirs', note: 'second', papers: [] })
    const written = await writer.patch(path(bob), { values: { salary: 30 } })
    expect(written.body.values).toEqual({ name: 'Bob', team: 'theirs', note: 'second', papers: [] })
    expect(await valuesOf(bob)).toMatchObject({ salary: 30 })
  })

  test('is not revealed to users who can write but not read', async () => {
    const writer = await app.asGranted([
      { permission: 'records:read', collection: people.id, where: OURS },
      except('records:update'),
    ])
    const moved = await writer.patch(path(bob), { values: { note: 'y' } })
    expect([moved.status, moved.body.values]).toEqual([200, {}])
    const stale = await writer.patch(path(bob), { values: { note: 'z' }, version: 99 })
    expect(stale.body.current.values).toEqual({})
  })

  test('exposes its files only in records where it is readable', async () => {
    const sender = tusSender(url, owner)
    const [ours = '', theirs = ''] = await Promise.all(
      [ada, bob].map((record) =>
        sender.send({ collection: people.name, field: 'papers', record }, Buffer.from(record)),
      ),
    )
    await owner.patch(path(ada), { values: { papers: [ours] } })
    await owner.patch(path(bob), { values: { papers: [theirs] } })
    const reader = await app.asGranted(partly('records:read', 'papers'))
    const answers = await Promise.all([ours, theirs].map((file) => reader.get(`/api/files/${file}`)))
    expect(answers.map(({ status }) => status)).toEqual([200, 404])
  })

  test('is exported only where the export permission covers the record and the field', async () => {
    const exporter = await app.asGranted([except('records:read'), ...partly('records:export', 'salary')])
    const all = await exporter.get(`/api/collections/${people.name}/export.csv?fields=name,salary&mark=no`)
    expect(all.text.trim().split(/\r?\n/)).toEqual(['name,salary', 'Ada,10', 'Bob,'])
    const some = await app.asGranted([except('records:read'), inOurs('records:export', 'name', 'salary')])
    const ours = await some.get(`/api/collections/${people.name}/export.csv?mark=no&filter=note%20~%20%22s%22`)
    expect(ours.text.trim().split(/\r?\n/)).toEqual(['name,salary', 'Ada,10'])
  })
})

describe('a field writable in some records', () => {
  const writing = () => app.asGranted([except('records:read'), ...partly('records:update', 'salary')])

  test('can be written only if it is writable before and after the change', async () => {
    const writer = await writing()
    expect((await writer.patch(path(ada), { values: { salary: 11 } })).status).toBe(200)
    expect((await writer.patch(path(bob), { values: { note: 'seen' } })).status).toBe(200)
    const refused = await Promise.all([
      writer.patch(path(bob), { values: { salary: 21 } }),
      writer.patch(path(bob), { values: { salary: 21, team: 'ours' } }),
      writer.patch(path(ada), { values: { salary: 12, team: 'theirs' } }),
    ])
    expect(refused.map(refusalOf)).toEqual([CLOSED, CLOSED, CLOSED])
    expect([await valuesOf(ada), await valuesOf(bob)]).toMatchObject([
      { salary: 11, team: 'ours' },
      { salary: 20, team: 'theirs' },
    ])
  })

  test('is rejected even with its current value, so the response reveals nothing', async () => {
    const writer = await app.asGranted([...partly('records:read', 'salary'), ...partly('records:update', 'salary')])
    const [same, other] = await Promise.all([20, 21].map((salary) => writer.patch(path(bob), { values: { salary } })))
    expect([same, other].map((answer) => answer && refusalOf(answer))).toEqual([CLOSED, CLOSED])
  })

  test('can be set in a new record only if it is writable in that record', async () => {
    const maker = await app.asGranted([except('records:read'), ...partly('records:create', 'salary')])
    const values = { name: 'Cleo', salary: 30 }
    expect(refusalOf(await maker.post(path(), { values: { ...values, team: 'theirs' } }))).toEqual(CLOSED)
    expect((await maker.post(path(), { values: { name: 'Dora', team: 'theirs' } })).status).toBe(201)
    expect((await maker.post(path(), { values: { ...values, team: 'ours' } })).status).toBe(201)
    const create = [{ values: { name: 'Eva', team: 'ours', salary: 1 } }, { values: { name: 'Fay', salary: 1 } }]
    expect(refusalOf(await maker.post(`${path()}/bulk`, { create }))).toEqual(CLOSED)
  })

  test('is updated in bulk by ID only if it is writable in every record; a bulk update by query skips the others', async () => {
    const writer = await writing()
    const update = [ada, bob].map((id) => ({ id, values: { salary: 5 } }))
    expect(refusalOf(await writer.post(`${path()}/bulk`, { update }))).toEqual(CLOSED)
    const found = await writer.post(`${path()}/bulk`, { where: {}, update: { values: { salary: 6 } } })
    expect(found.body).toMatchObject({ updated: 1 })
    expect([await valuesOf(ada), await valuesOf(bob)]).toMatchObject([{ salary: 6 }, { salary: 20 }])
    const away = { where: {}, update: { values: { salary: 7, team: 'theirs' } } }
    expect((await writer.post(`${path()}/bulk`, away)).status).toBe(403)
  })

  test('accepts files only in records where it is writable', async () => {
    const writer = await app.asGranted([except('records:read'), ...partly('records:update', 'papers')])
    const sender: TusSender = tusSender(url, writer)
    const answers = await Promise.all(
      [ada, bob].map((record) =>
        sender.create({ collection: people.name, field: 'papers', record }, { 'upload-length': '1' }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 403])
  })

  test('is imported only into records where it is writable', async () => {
    const importer = await app.asGranted([
      except('records:read'),
      except('records:import'),
      ...partly('records:update', 'salary'),
    ])
    const csv = 'name,team,salary\nAda,ours,15\nBob,theirs,20\nGil,theirs,3\n'
    const skipped = await importInto(importer, people.name, csv, '?key=name&onBadRow=skip')
    expect(skipped.body, skipped.text).toMatchObject({ state: 'done', progress: { rowsStored: 2, rowsRefused: 1 } })
    expect(skipped.body.errors).toMatchObject([{ row: 2, column: 'Salary' }])
    const moved = await importInto(
      importer,
      people.name,
      'name,team,salary\nAda,theirs,16\n',
      '?key=name&onBadRow=skip',
    )
    expect(moved.body, moved.text).toMatchObject({ state: 'done', progress: { rowsRefused: 1 } })
    expect([await valuesOf(ada), await valuesOf(bob)]).toMatchObject([
      { salary: 15, team: 'ours' },
      { salary: 20, team: 'theirs' },
    ])
    const stopped = await importInto(importer, people.name, 'name,salary\nBob,21\n', '?key=name')
    expect(stopped.body.state).toBe('failed')
  })

  test('cannot be an import key if it is readable only in some records', async () => {
    const importer = await app.asGranted([
      ...partly('records:read', 'name'),
      except('records:import'),
      except('records:update'),
    ])
    const refused = await importInto(importer, people.name, 'name,salary\nBob,21\n', '?key=name')
    expect(refused.status, refused.text).toBe(400)
  })
})

describe('a field that is only writable or only readable', () => {
  test('is never returned if unreadable, is rejected by name if unwritable, and is never reported as unknown', async () => {
    const writer = await app.asGranted([
      except('records:read', 'salary', 'note'),
      except('records:update', 'team', 'note'),
    ])
    const written = await writer.patch(path(bob), { values: { salary: 25 } })
    expect([written.status, written.body.values]).toEqual([200, { name: 'Bob', team: 'theirs', papers: [] }])
    expect(await valuesOf(bob)).toMatchObject({ salary: 25 })
    expect(refusalOf(await writer.patch(path(bob), { values: { team: 'ours' } }))).toMatchObject({
      status: 403,
      code: 'forbidden',
      errors: [{ path: 'team', code: 'forbidden' }],
    })
    const [hidden, unknown] = await Promise.all(
      ['note', 'nope'].map((name) => writer.patch(path(bob), { values: { [name]: 'x' } })),
    )
    expect(hidden?.status).toBe(422)
    expect(hidden?.text.replaceAll('note', 'nope').replace(/"requestId":"[^"]*"/, '')).toBe(
      unknown?.text.replace(/"requestId":"[^"]*"/, ''),
    )
  })
})
