import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import {
  createRecords,
  defineCollection,
  recordsPath,
  type TestCollection,
} from '#tests/support/server/test-collections.ts'

let app: TestApp
let owner: Caller
let tasks: TestCollection
let path: string

beforeAll(async () => {
  app = await openTestApp()
  await app.listen()
})
afterAll(() => app.close())

beforeEach(async () => {
  owner = await app.asOwner()
  tasks = await defineCollection(owner, 'Tasks', [
    { label: 'Title', kind: 'text' },
    { label: 'Hours', kind: 'number' },
    { label: 'Team', kind: 'select', options: { choices: [{ name: 'Red' }, { name: 'Blue' }] } },
    { label: 'Tags', kind: 'multi-select', options: { choices: [{ name: 'Urgent' }, { name: 'Later' }] } },
    { label: 'Done', kind: 'checkbox' },
    { label: 'Text', kind: 'rich-text' },
  ])
  path = recordsPath(tasks)
})

/** The current time, and lets some pass. */
function now(): string {
  const time = app.clock.now().toISOString()
  app.clock.move(1000)
  return time
}

async function get(address: string, who = owner) {
  const { status, body, text } = await who.get(address)
  expect(status, text).toBe(200)
  return body
}

async function change(id: string, values: object): Promise<void> {
  const { status, text } = await owner.patch(`${path}/${id}`, { values })
  expect(status, text).toBe(200)
}

const remove = (id: string) => owner.request('DELETE', `${path}/${id}`)

async function titles(query: string, who = owner): Promise<readonly unknown[]> {
  const { items } = await get(`${path}?${query}`, who)
  return items.map(({ values }: { values: { title?: unknown } }) => values.title)
}

const grant = (rest: Partial<Grant> = {}): Grant => ({ permission: 'records:read', collection: tasks.id, ...rest })

describe('a list as of an earlier time', () => {
  test('contains the records and values of that time', async () => {
    const [a = '', b = '', gone = ''] = await createRecords(
      owner,
      tasks,
      { title: 'a', hours: 1, team: 'Red', tags: ['Urgent', 'Later'], done: true, text: { markdown: 'early *words*' } },
      { title: 'b', hours: 2 },
      { title: 'gone', hours: 3, tags: ['Later'] },
    )
    const then = await get(`${path}?expand=*&count=exact`)
    const time = now()
    await change(a, { title: 'a2', hours: 9, team: 'Blue', tags: [], done: false, text: null })
    await change(b, { tags: ['Urgent'] })
    await remove(gone)
    await createRecords(owner, tasks, { title: 'new' })
    const between = now()
    await change(a, { title: 'a3' })

    expect(await get(`${path}?expand=*&count=exact&at=${time}`)).toEqual(then)
    expect(await titles(`sort=title&at=${between}`)).toEqual(['a2', 'b', 'new'])
    expect(await titles('sort=title')).toEqual(['a3', 'b', 'new'])
  })

  test('is filtered, sorted, searched, grouped and exported by the values of that time', async () => {
    const [a = '', , c = ''] = await createRecords(
      owner,
      tasks,
      { title: 'apple', hours: 1, team: 'Red', tags: ['Urgent'] },
      { title: 'banana', hours: 2, team: 'Red' },
      { title: 'cherry', hours: 3, team: 'Blue' },
    )
    const time = now()
    await change(a, { title: 'zebra', hours: 50, team: 'Blue', tags: ['Later'] })
    await remove(c)
    expect(await titles(`filter=hours < 2&at=${time}`)).toEqual(['apple'])
    expect(await titles(`filter=tags = "Urgent"&at=${time}`)).toEqual(['apple'])
    expect(await titles(`sort=-title&at=${time}`)).toEqual(['cherry', 'banana', 'apple'])
    expect(await titles(`search=apple&at=${time}`)).toEqual(['apple'])
    expect(await titles(`search=zebra&at=${time}`)).toEqual([])
    const { items, total, nextCursor } = await get(`${path}?sort=title&perPage=2&count=exact&at=${time}`)
    expect([items.length, total]).toEqual([2, 3])
    expect(await titles(`sort=title&perPage=2&cursor=${encodeURIComponent(nextCursor)}&at=${time}`)).toEqual(['cherry'])
    const list = path.replace('/records', '')
    const { groups } = await get(`${list}/groups?by=team&aggregates=sum(hours)&at=${time}`)
    expect(groups.map(({ label, aggregates }: { label: string; aggregates: object }) => [label, aggregates])).toEqual([
      ['Red', { 'sum(hours)': 3 }],
      ['Blue', { 'sum(hours)': 3 }],
    ])
    expect((await get(`${list}/sums?aggregates=max(hours)&at=${time}`)).aggregates).toEqual({ 'max(hours)': 3 })
    const { text } = await owner.get(`${list}/export.csv?fields=title,tags&sort=title&at=${time}`)
    expect(text).toBe('title,tags\r\napple,Urgent\r\nbanana,\r\ncherry,\r\n')
  })

  test('keeps the order of its records in the pages of a filtered list', async () => {
    const values = ['a', 'b', 'c', 'd', 'e', 'f'].map((title) => ({ title }))
    const [first = '', , third = ''] = await createRecords(owner, tasks, ...values)
    const time = now()
    for (const id of [third, first]) await change(id, { title: 'changed' })
    const pages: unknown[] = []
    for (let page = 1; page <= 4; page += 1)
      pages.push(await titles(`filter=title != "b"&perPage=1&page=${page}&at=${time}`))
    expect(pages).toEqual([['a'], ['c'], ['d'], ['e']])
  })

  test('contains who made the last change before that time', async () => {
    const other = await app.asGranted([grant(), grant({ permission: 'records:update' })])
    const [id = ''] = await createRecords(owner, tasks, { title: 'a' })
    app.clock.move(1000)
    await other.patch(`${path}/${id}`, { values: { title: 'b' } })
    const changed = await get(`${path}/${id}`)
    const time = now()
    await change(id, { title: 'c' })
    expect(await get(`${path}/${id}?at=${time}`)).toMatchObject({
      updatedAt: changed.updatedAt,
      updatedBy: other.userId,
      values: { title: 'b' },
    })
  })

  test('leaves out records that were created later or deleted permanently', async () => {
    const [gone = ''] = await createRecords(owner, tasks, { title: 'gone' })
    const time = now()
    const [later = ''] = await createRecords(owner, tasks, { title: 'later' })
    await change(later, { title: 'changed' })
    await remove(gone)
    expect(await titles(`at=${time}`)).toEqual(['gone'])
    expect((await owner.get(`${path}/${later}?at=${time}`)).status).toBe(404)
    await owner.post('/api/trash/delete', { records: [gone] })
    expect(await titles(`at=${time}`)).toEqual([])
  })

  test('uses the current fields: deleted options and values of another type are empty or current', async () => {
    const [id = ''] = await createRecords(owner, tasks, { title: 'a', team: 'Red', hours: 1 })
    const time = now()
    const { fields } = await get(`/api/collections/${tasks.name}`)
    const team = fields.find(({ name }: { name: string }) => name === 'team')
    const choices = team.options.choices.filter(({ name }: { name: string }) => name === 'Blue')
    await change(id, { team: 'Blue', hours: 2 })
    const { status, text } = await owner.patch(`/api/collections/${tasks.name}/fields/team`, { options: { choices } })
    expect(status, text).toBe(200)
    const { values } = await get(`${path}/${id}?at=${time}`)
    expect([values.team, values.hours]).toEqual([null, 1])
  })

  test('needs a time in the past', async () => {
    const future = new Date(app.clock.now().getTime() + 60_000).toISOString()
    for (const time of [future, 'yesterday']) {
      const { status, body } = await owner.get(`${path}?at=${time}`)
      expect([status, body.errors[0].path]).toEqual([400, 'at'])
    }
  })
})

describe('permission to read an earlier time', () => {
  test('is needed for the record as it is and as it was', async () => {
    const [hours = '', done = ''] = ['hours', 'done'].map((name) => tasks.fields[name] ?? '')
    const who = await app.asGranted([
      grant({ where: { field: hours, op: '<', value: 10 }, fields: { except: [done] } }),
    ])
    const [now1 = '', then1 = '', both = '', gone = ''] = await createRecords(
      owner,
      tasks,
      { title: 'only now', hours: 20 },
      { title: 'only then', hours: 1 },
      { title: 'both', hours: 1, done: true },
      { title: 'deleted while hidden', hours: 1 },
    )
    const time = now()
    await change(now1, { hours: 1 })
    await change(then1, { hours: 20 })
    await change(both, { hours: 2, title: 'both, changed' })
    await change(gone, { hours: 20 })
    await remove(gone)
    expect(await titles(`sort=title&at=${time}`, who)).toEqual(['both'])
    expect((await get(`${path}?count=exact&at=${time}`, who)).total).toBe(1)
    for (const id of [now1, then1, gone]) expect((await who.get(`${path}/${id}?at=${time}`)).status).toBe(404)
    expect((await get(`${path}/${both}?at=${time}`, who)).values).not.toHaveProperty('done')
    expect((await who.get(`${path}?filter=done = true&at=${time}`)).status).toBe(400)
    const { groups } = await get(`${path.replace('/records', '')}/groups?by=hours&at=${time}`, who)
    expect(groups.map(({ label }: { label: string }) => label)).toEqual(['1'])
  })

  test('is needed for a field in the record as it is and as it was', async () => {
    const [title = '', team = ''] = ['title', 'team'].map((name) => tasks.fields[name] ?? '')
    const { fields } = await get(`/api/collections/${tasks.name}`)
    const [red] = fields.find(({ name }: { name: string }) => name === 'team').options.choices
    const who = await app.asGranted([
      grant({ fields: { except: [title] } }),
      grant({ where: { field: team, op: '=', value: red.id } }),
    ])
    const [a = '', b = '', c = ''] = await createRecords(
      owner,
      tasks,
      { title: 'open then', team: 'Red', hours: 1 },
      { title: 'open now', team: 'Blue', hours: 2 },
      { title: 'always open', team: 'Red', hours: 3 },
    )
    const time = now()
    await change(a, { team: 'Blue', title: 'a' })
    await change(b, { team: 'Red', title: 'b' })
    await change(c, { title: 'c' })
    expect(await titles(`sort=hours&at=${time}`, who)).toEqual([null, undefined, 'always open'])
    expect(await titles(`filter=title ~ "open"&at=${time}`, who)).toEqual(['always open'])
    expect(await titles(`search=open&at=${time}`, who)).toEqual(['always open'])
  })

  test('is needed for the fields that a formula reads, or the record is left out', async () => {
    const { hours = '', team = '' } = tasks.fields
    const { fields } = await get(`/api/collections/${tasks.name}`)
    const [red] = fields.find(({ name }: { name: string }) => name === 'team').options.choices
    const formula = { label: 'Shout', kind: 'formula', options: { formula: 'title & "!"' } }
    const added = await owner.post(`/api/collections/${tasks.name}/fields`, formula)
    const shout = added.body.fields.find(({ name }: { name: string }) => name === 'shout').id
    const who = await app.asGranted([
      grant({ fields: { only: [hours, team, shout] } }),
      grant({ where: { field: team, op: '=', value: red.id } }),
    ])
    const [closed = '', open = ''] = await createRecords(
      owner,
      tasks,
      { title: 'closed', team: 'Red', hours: 1 },
      { title: 'open', team: 'Red', hours: 2 },
    )
    const time = now()
    await change(closed, { team: 'Blue' })
    await change(open, { title: 'still open' })
    const shouts = async (query: string) =>
      (await get(`${path}?sort=hours${query}`, who)).items.map(
        ({ values }: { values: { shout?: unknown } }) => values.shout,
      )
    expect(await shouts('')).toEqual(['closed!', 'still open!'])
    expect(await shouts(`&at=${time}`)).toEqual(['open!'])
  })

  test('that depends on other records ends where the link to them was changed', async () => {
    const projects = await defineCollection(owner, 'Projects', [{ label: 'Open', kind: 'checkbox' }])
    const [one = '', other = ''] = await createRecords(owner, projects, { open: true }, { open: true })
    const options = { collection: projects.id, many: false }
    const added = await owner.post(`/api/collections/${tasks.name}/fields`, {
      label: 'Project',
      kind: 'relation',
      options,
    })
    expect(added.status, added.text).toBe(201)
    const project = (await get(`/api/collections/${tasks.name}`)).fields.find(
      ({ name }: { name: string }) => name === 'project',
    ).id
    const who = await app.asGranted([
      grant({ where: { field: `${project}.${projects.fields['open']}`, op: '=', value: true } }),
      { permission: 'records:read', collection: projects.id },
    ])
    const [moved = '', edited = ''] = await createRecords(
      owner,
      tasks,
      { title: 'moved', project: one },
      { title: 'edited', project: one },
    )
    const time = now()
    await change(moved, { project: other })
    await change(edited, { title: 'edited again' })
    expect(await titles('sort=title', who)).toEqual(['edited again', 'moved'])
    expect(await titles(`sort=title&at=${time}`, who)).toEqual(['edited'])
    expect(await titles(`sort=title&at=${time}`)).toEqual(['edited', 'moved'])
  })

  test('contains no values of linked records, which aren’t known, and rejects queries that use them', async () => {
    const projects = await defineCollection(owner, 'Projects', [{ label: 'Budget', kind: 'number' }])
    const [project = ''] = await createRecords(owner, projects, { budget: 7 })
    const addField = async (label: string, kind: string, options: object): Promise<string> => {
      const added = await owner.post(`/api/collections/${tasks.name}/fields`, { label, kind, options })
      expect(added.status, added.text).toBe(201)
      return added.body.fields.find((field: { label: string }) => field.label === label).id
    }
    await addField('Project', 'relation', { collection: projects.id, many: false })
    const budget = await addField('Budget', 'lookup', { path: ['project'], field: 'budget' })
    const twice = await addField('Twice', 'formula', { formula: 'budget * 2' })
    const { title = '', hours = '' } = tasks.fields
    const who = await app.asGranted([
      grant({ fields: { only: [title, hours] } }),
      grant({ fields: { only: [title, hours, budget, twice] }, where: { field: hours, op: '<', value: 10 } }),
    ])
    const [closed = '', open = ''] = await createRecords(
      owner,
      tasks,
      { title: 'closed', hours: 1, project },
      { title: 'open', hours: 1, project },
    )
    const time = now()
    await change(closed, { hours: 20 })
    await change(open, { title: 'still open' })
    const valuesOf = async (query: string) => {
      const { items } = await get(`${path}?sort=title${query}`, who)
      return items.map(({ values }: { values: object }) => values)
    }
    expect(await valuesOf('')).toEqual([
      { title: 'closed', hours: 20 },
      { title: 'still open', hours: 1, budget: 7, twice: 14 },
    ])
    expect(await valuesOf(`&at=${time}`)).toEqual([
      { title: 'closed', hours: 1 },
      { title: 'open', hours: 1 },
    ])
    for (const [query, code] of [
      ['records?filter=budget%20%3D%207', 'invalid-filter'],
      ['records?filter=round(twice)%20%3D%2014', 'invalid-filter'],
      ['records?sort=twice', 'invalid-sort'],
      ['groups?by=budget', 'invalid-group'],
      ['sums?aggregates=sum(budget)', 'invalid-group'],
    ]) {
      const answer = await who.get(`/api/collections/${tasks.name}/${query}&at=${time}`)
      expect([answer.status, answer.body.code]).toEqual([400, code])
    }
    const rules = [{ when: null, then: 'budget < 5 && hours < 10', field: 'hours', message: 'Too expensive' }]
    const ruled = await owner.patch(`/api/collections/${tasks.name}`, { rules })
    expect(ruled.status, ruled.text).toBe(200)
    const { id: broken } = ruled.body.rules[0]
    expect(await titles(`breaks=${broken}&sort=title`)).toEqual(['closed', 'still open'])
    const then = await owner.get(`${path}?breaks=${broken}&at=${time}`)
    expect([then.status, then.body.errors]).toMatchObject([400, [{ path: 'breaks', code: 'unknown-values' }]])
  })

  test('that depends on other records of the collection doesn’t include an earlier time', async () => {
    const options = { collection: tasks.id, many: false }
    await owner.post(`/api/collections/${tasks.name}/fields`, { label: 'Parent', kind: 'relation', options })
    const { fields } = await get(`/api/collections/${tasks.name}`)
    const idOf = (name: string) => fields.find((field: { name: string }) => field.name === name).id
    const where = { field: `${idOf('parent')}.${idOf('title')}`, op: 'is empty' } as const
    const who = await app.asGranted([grant({ where })])
    const [parent = ''] = await createRecords(owner, tasks, { title: null })
    await createRecords(owner, tasks, { title: 'child', parent })
    const time = now()
    await change(parent, { title: 'parent' })
    expect(await titles('sort=title', who)).toEqual(['parent'])
    const { status, body } = await who.get(`${path}?at=${time}`)
    expect([status, body.errors]).toMatchObject([400, [{ path: 'at', code: 'bad-time' }]])
  })

  test('ends with the permission to read the collection', async () => {
    const [id = ''] = await createRecords(owner, tasks, { title: 'a' })
    const time = now()
    await change(id, { title: 'b' })
    const who = await app.asGranted([])
    expect((await who.get(`${path}?at=${time}`)).status).toBe(403)
    expect((await app.guest.get(`${path}?at=${time}`)).status).toBe(401)
  })
})
