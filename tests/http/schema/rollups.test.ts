import { importInto } from '#tests/conformance/csv-import.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import type { Answer, Caller } from '#tests/support/server/test-app.ts'
import { openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let owner: Caller
let count = 0

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
})
afterAll(() => app.close())

let projects: string
let tasks: string
let people: string

type Options = Record<string, unknown>

const addField = (collection: string, label: string, kind: string, options: Options = {}): Promise<Answer> =>
  owner.post(`/api/collections/${collection}/fields`, { label, kind, options })

async function added(collection: string, label: string, kind: string, options: Options = {}): Promise<void> {
  const answer = await addField(collection, label, kind, options)
  expect(answer.status, answer.text).toBe(201)
}

async function create(collection: string, values: object): Promise<string> {
  const answer = await owner.post(`/api/collections/${collection}/records`, { values })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.id
}

async function change(collection: string, record: string, values: object): Promise<void> {
  const answer = await owner.patch(`/api/collections/${collection}/records/${record}`, { values })
  expect(answer.status, answer.text).toBe(200)
}

const read = async (collection: string, record: string): Promise<Record<string, unknown>> =>
  (await owner.get(`/api/collections/${collection}/records/${record}`)).body.values

async function list(collection: string, query: Record<string, string>): Promise<Record<string, unknown>[]> {
  const answer = await owner.get(`/api/collections/${collection}/records?${new URLSearchParams(query)}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.items.map(({ values }: { values: Record<string, unknown> }) => values)
}

async function collection(label: string, fields: readonly object[]): Promise<string> {
  const answer = await owner.post('/api/collections', { label: `${label} ${count}`, fields })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.name
}

beforeEach(async () => {
  count += 1
  people = await collection('People', [
    { label: 'Title', kind: 'text' },
    { label: 'Team', kind: 'select', options: { choices: [{ name: 'Red' }, { name: 'Blue' }] } },
  ])
  projects = await collection('Projects', [
    { label: 'Title', kind: 'text' },
    { label: 'Lead', kind: 'relation', options: { collection: people, many: false } },
  ])
  tasks = await collection('Tasks', [
    { label: 'Title', kind: 'text' },
    { label: 'Hours', kind: 'number' },
    { label: 'Due', kind: 'date' },
    { label: 'Done', kind: 'checkbox' },
    { label: 'Twice', kind: 'formula', options: { formula: 'hours * 2' } },
  ])
  const relation = await owner.post(`/api/collections/${tasks}/fields`, {
    label: 'Project',
    kind: 'relation',
    options: { collection: projects, many: false },
    reverse: { label: 'Tasks' },
  })
  expect(relation.status, relation.text).toBe(201)
  await added(tasks, 'Helpers', 'relation', { collection: people, many: true })
})

describe('a rollup', () => {
  test('summarizes the records that already exist', async () => {
    const alpha = await create(projects, { title: 'Alpha' })
    const beta = await create(projects, { title: 'Beta' })
    await create(tasks, { title: 'One', hours: 0.1, project: alpha, due: '2026-03-01', done: true })
    await create(tasks, { title: 'Two', hours: 0.2, project: alpha, due: '2026-02-01' })
    await added(projects, 'Hours', 'rollup', { path: ['tasks'], field: 'hours', function: 'sum' })
    await added(projects, 'Number', 'count', { path: ['tasks'] })
    await added(projects, 'Names', 'lookup', { path: ['tasks'], field: 'title' })
    await added(projects, 'First due', 'rollup', { path: ['tasks'], field: 'due', function: 'min' })
    await added(projects, 'All done', 'rollup', { path: ['tasks'], field: 'done', function: 'all' })
    await added(projects, 'Double', 'rollup', { path: ['tasks'], field: 'twice', function: 'max' })
    await added(projects, 'Open', 'count', { path: ['tasks'], filter: 'done = false' })
    expect(await read(projects, alpha)).toMatchObject({
      hours: 0.3,
      number: 2,
      names: 'One, Two',
      firstDue: '2026-02-01',
      allDone: false,
      double: 0.4,
      open: 1,
    })
    expect(await read(projects, beta)).toMatchObject({
      hours: 0,
      number: 0,
      names: null,
      firstDue: null,
      allDone: false,
      double: null,
      open: 0,
    })
  })

  test('has the number format of the summarized field', async () => {
    const format = (options: Options) => owner.patch(`/api/collections/${tasks}/fields/hours`, { options })
    const shown = async (name: string) => {
      const { fields } = (await owner.get(`/api/collections/${projects}`)).body
      return fields.find((field: { readonly name: string }) => field.name === name).options.number
    }
    expect((await format({ format: 'unit', unit: 'h', min: 0 })).status).toBe(200)
    await added(projects, 'Hours', 'rollup', { path: ['tasks'], field: 'hours', function: 'sum' })
    await added(projects, 'Entries', 'rollup', { path: ['tasks'], field: 'hours', function: 'count' })
    expect(await shown('hours')).toEqual({ format: 'unit', unit: 'h' })
    expect(await shown('entries')).toBeUndefined()
    expect((await format({ format: 'duration' })).status).toBe(200)
    expect(await shown('hours')).toEqual({ format: 'duration' })
    expect((await owner.patch(`/api/collections/${projects}/fields/hours`, { label: 'Time' })).status).toBe(200)
  })

  test('is current after every write to the linked records', async () => {
    await added(projects, 'Hours', 'rollup', { path: ['tasks'], field: 'hours', function: 'sum' })
    await added(tasks, 'Lead', 'lookup', { path: ['project', 'lead'], field: 'team' })
    const [ana, ben] = [await create(people, { title: 'Ana', team: 'Red' }), await create(people, { title: 'Ben' })]
    const alpha = await create(projects, { title: 'Alpha', lead: ana })
    const beta = await create(projects, { title: 'Beta', lead: ben })
    const one = await create(tasks, { title: 'One', hours: 3, project: alpha })
    const hours = async () => [(await read(projects, alpha))['hours'], (await read(projects, beta))['hours']]
    expect(await hours()).toEqual([3, 0])
    expect((await read(tasks, one))['lead']).toBe('Red')
    await change(tasks, one, { hours: 4 })
    expect(await hours()).toEqual([4, 0])
    await change(tasks, one, { project: beta })
    expect(await hours()).toEqual([0, 4])
    expect((await read(tasks, one))['lead']).toBe(null)
    await change(people, ben, { team: 'Blue' })
    expect((await read(tasks, one))['lead']).toBe('Blue')
    expect((await owner.delete(`/api/collections/${tasks}/records/${one}`)).status).toBe(204)
    expect(await hours()).toEqual([0, 0])
  })

  test('is calculated from other rollups and used by formulas', async () => {
    await added(projects, 'Hours', 'rollup', { path: ['tasks'], field: 'hours', function: 'sum' })
    await added(projects, 'Plus', 'formula', { formula: 'hours + 1' })
    await added(people, 'Projects', 'relation', { collection: projects, many: true })
    await added(people, 'Total', 'rollup', { path: ['projects'], field: 'plus', function: 'sum' })
    const alpha = await create(projects, { title: 'Alpha' })
    const ana = await create(people, { title: 'Ana', projects: [alpha] })
    expect((await read(people, ana))['total']).toBe(1)
    await create(tasks, { title: 'One', hours: 3, project: alpha })
    expect(await read(projects, alpha)).toMatchObject({ hours: 3, plus: 4 })
    expect((await read(people, ana))['total']).toBe(4)
  })

  test('is filtered, sorted and grouped like other fields', async () => {
    await added(projects, 'Hours', 'rollup', { path: ['tasks'], field: 'hours', function: 'sum' })
    await added(projects, 'Names', 'lookup', { path: ['tasks'], field: 'title' })
    for (const [title, hours] of [
      ['Alpha', 3],
      ['Beta', 1],
    ] as const)
      await create(tasks, { title: `Of ${title}`, hours, project: await create(projects, { title }) })
    expect((await list(projects, { sort: '-hours' })).map(({ title }) => title)).toEqual(['Alpha', 'Beta'])
    expect((await list(projects, { filter: 'hours > 2' })).map(({ title }) => title)).toEqual(['Alpha'])
    expect((await list(projects, { filter: 'names ~ "BETA"' })).map(({ title }) => title)).toEqual(['Beta'])
    const groups = await owner.get(`/api/collections/${projects}/groups?by=hours&aggregates=sum(hours)`)
    expect(groups.body.groups.map(({ key }: { key: object }) => key)).toEqual([{ hours: 1 }, { hours: 3 }])
    const texts = await owner.get(`/api/collections/${projects}/groups?by=names`)
    expect(texts.body.groups.map(({ label }: { label: string }) => label)).toEqual(['Of Alpha', 'Of Beta'])
  })

  test('is found by searches as soon as the linked records change', async () => {
    await added(projects, 'Names', 'lookup', { path: ['tasks'], field: 'title' })
    await added(projects, 'Shout', 'formula', { formula: 'upper(names) & "!"' })
    const alpha = await create(projects, { title: 'Alpha' })
    const task = await create(tasks, { title: 'Paint', project: alpha })
    const found = async (search: string) => (await list(projects, { search })).map(({ title }) => title)
    expect(await found('paint')).toEqual(['Alpha'])
    expect(await found('paint!')).toEqual(['Alpha'])
    await change(tasks, task, { title: 'Sand' })
    expect(await found('paint')).toEqual([])
    expect(await found('sand!')).toEqual(['Alpha'])
    const { items } = (await owner.get(`/api/collections/${projects}/records?search=sand&marks=true`)).body
    expect(items[0].marks).toEqual({ names: [[0, 4]], shout: [[0, 4]], tasks: [[0, 4, 0]] })
  })

  test('can’t be written, required or given a default', async () => {
    await added(projects, 'Number', 'count', { path: ['tasks'] })
    const answer = await owner.post(`/api/collections/${projects}/records`, { values: { title: 'A', number: 3 } })
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toMatchObject([{ path: 'number', code: 'computed' }])
    const required = await owner.post(`/api/collections/${projects}/fields`, {
      label: 'N',
      kind: 'count',
      options: { path: ['tasks'] },
      required: true,
    })
    expect(required.status).toBe(422)
  })

  test('rejects invalid definitions with a reason', async () => {
    const fault = async (kind: string, options: Options) => {
      const answer = await addField(projects, 'X', kind, options)
      expect(answer.status, answer.text).toBe(422)
      return answer.body.errors.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`).join()
    }
    expect(await fault('count', { path: [] })).toBe('options.path required')
    expect(await fault('count', { path: ['title'] })).toBe('options.path unknown-relation')
    expect(await fault('rollup', { path: ['tasks'] })).toBe('options.field required')
    expect(await fault('rollup', { path: ['tasks'], field: 'nothing' })).toBe('options.field unknown-field')
    expect(await fault('rollup', { path: ['tasks'], field: 'title' })).toBe('options.function unsupported-function')
    expect(await fault('lookup', { path: ['tasks'], field: 'helpers' })).toBe('options.field unsupported-field')
    expect(await fault('count', { path: ['tasks'], filter: 'due < @today' })).toBe('options.filter unsupported-filter')
    expect(await fault('count', { path: ['tasks'], filter: 'helpers ~ "a"' })).toBe('options.filter unsupported-filter')
    await added(tasks, 'Late', 'formula', { formula: 'due < today()' })
    expect(await fault('rollup', { path: ['tasks'], field: 'late', function: 'any' })).toBe('options.field reads-clock')
  })

  test('rejects cycles and shows their path', async () => {
    await added(projects, 'Hours', 'rollup', { path: ['tasks'], field: 'hours', function: 'sum' })
    await added(tasks, 'Share', 'lookup', { path: ['project'], field: 'hours' })
    const answer = await owner.patch(`/api/collections/${projects}/fields/hours`, {
      options: { path: ['tasks'], field: 'share', function: 'sum' },
    })
    expect(answer.status, answer.text).toBe(422)
    expect(answer.body.detail).toContain(`Projects ${count}: Hours → Tasks ${count}: Share → Projects ${count}: Hours`)
  })

  test('keeps its inputs from being deleted or converted', async () => {
    await added(projects, 'Hours', 'rollup', { path: ['tasks'], field: 'hours', function: 'sum' })
    for (const field of ['hours', 'project']) {
      const answer = await owner.delete(`/api/collections/${tasks}/fields/${field}`)
      expect(answer.status, answer.text).toBe(409)
      expect(answer.body.code).toBe('in-use')
    }
    expect((await owner.patch(`/api/collections/${tasks}/fields/hours`, { kind: 'text' })).status).toBe(409)
    expect((await owner.delete(`/api/collections/${projects}/fields/hours`)).status).toBe(200)
    expect((await owner.delete(`/api/collections/${tasks}/fields/twice`)).status).toBe(200)
    expect((await owner.delete(`/api/collections/${tasks}/fields/hours`)).status).toBe(200)
  })

  test('keeps links unique while a lookup shows the only linked record', async () => {
    const badge = { collection: people, many: false }
    const relation = { label: 'Badge', kind: 'relation', unique: true, options: badge, reverse: { label: 'Holders' } }
    const linked = await owner.post(`/api/collections/${tasks}/fields`, relation)
    expect(linked.status, linked.text).toBe(201)
    await added(people, 'Task', 'lookup', { path: ['holders'], field: 'title' })
    await added(people, 'Loud', 'formula', { formula: 'upper(holders.title)' })
    const change = () => owner.patch(`/api/collections/${tasks}/fields/badge`, { unique: false })
    for (const field of ['task', 'loud']) {
      const answer = await change()
      expect(answer.status, answer.text).toBe(409)
      expect(answer.body.detail).toContain('shows the value of one linked record, and there could be several')
      expect((await owner.delete(`/api/collections/${people}/fields/${field}`)).status).toBe(200)
    }
    expect((await change()).status).toBe(200)
  })

  test('is calculated again when its definition or an option changes', async () => {
    const ana = await create(people, { title: 'Ana', team: 'Red' })
    const alpha = await create(projects, { title: 'Alpha', lead: ana })
    await added(projects, 'Team', 'lookup', { path: ['lead'], field: 'team' })
    expect((await read(projects, alpha))['team']).toBe('Red')
    const { body } = await owner.get(`/api/collections/${people}`)
    const team = body.fields.find(({ name }: { name: string }) => name === 'team')
    const choices = team.options.choices.map((choice: { name: string }) =>
      choice.name === 'Red' ? { ...choice, name: 'Crimson' } : choice,
    )
    expect((await owner.patch(`/api/collections/${people}/fields/team`, { options: { choices } })).status).toBe(200)
    expect((await read(projects, alpha))['team']).toBe('Crimson')
    const changed = await owner.patch(`/api/collections/${projects}/fields/team`, {
      options: { path: ['lead'], field: 'title' },
    })
    expect(changed.status, changed.text).toBe(200)
    expect((await read(projects, alpha))['team']).toBe('Ana')
  })

  test('gets values of another type when its function changes', async () => {
    const alpha = await create(projects, { title: 'Alpha' })
    await create(tasks, { title: 'One', hours: 3, project: alpha })
    await added(projects, 'Hours', 'rollup', { path: ['tasks'], field: 'hours', function: 'sum' })
    const options = { path: ['tasks'], field: 'hours', function: 'join' }
    expect((await owner.patch(`/api/collections/${projects}/fields/hours`, { options })).status).toBe(200)
    expect((await read(projects, alpha))['hours']).toBe('3')
    const [field] = (await owner.get(`/api/collections/${projects}`)).body.fields.slice(-1)
    expect(field.options).toMatchObject({ function: 'join', result: 'text' })
  })
})

describe('access to a rollup', () => {
  const read = (name: string, rest: object = {}) => ({
    permission: 'records:read',
    collection: ids[name] ?? null,
    ...rest,
  })
  let ids: Record<string, string> = {}
  let fields: Record<string, string> = {}

  beforeEach(async () => {
    await added(projects, 'Hours', 'rollup', {
      path: ['tasks'],
      field: 'twice',
      function: 'sum',
      filter: 'done = false',
    })
    await added(projects, 'Plus', 'formula', { formula: 'hours + 1' })
    const alpha = await create(projects, { title: 'Alpha' })
    await create(tasks, { title: 'One', hours: 3, project: alpha })
    const bodies = await Promise.all(
      [projects, tasks, people].map(async (name) => (await owner.get(`/api/collections/${name}`)).body),
    )
    ids = Object.fromEntries(bodies.map(({ name, id }) => [name, id]))
    fields = Object.fromEntries(
      bodies.flatMap((body) =>
        body.fields.map((field: { name: string; id: string }) => [`${body.name}.${field.name}`, field.id]),
      ),
    )
  })

  const seenBy = async (grants: readonly object[]): Promise<readonly string[]> => {
    const reader = await app.asGranted(grants as readonly Grant[])
    const { body } = await reader.get(`/api/collections/${projects}/records`)
    const names = Object.keys(body.items[0].values)
    const definition = (await reader.get(`/api/collections/${projects}`)).body
    expect(definition.fields.map(({ name }: { name: string }) => name)).toEqual(names)
    const filtered = await reader.get(`/api/collections/${projects}/records?filter=hours%20%3E%201&sort=plus`)
    expect(filtered.status).toBe(names.includes('hours') ? 200 : 400)
    return names.filter((name) => name === 'hours' || name === 'plus')
  }

  test('needs access to all inputs in all records', async () => {
    const except = (field: string) => ({ fields: { except: [fields[`${tasks}.${field}`]] } })
    const where = { where: { field: 'title', op: '=', value: 'One' } }
    expect(await seenBy([read(projects), read(tasks)])).toEqual(['hours', 'plus'])
    expect(await seenBy([read(projects)])).toEqual([])
    for (const field of ['hours', 'done', 'project'])
      expect(await seenBy([read(projects), read(tasks, except(field))])).toEqual([])
    expect(await seenBy([read(projects), read(tasks, where)])).toEqual([])
    expect(await seenBy([read(projects), read(tasks, where), read(tasks)])).toEqual(['hours', 'plus'])
    expect(await seenBy([read(projects, { fields: { except: [fields[`${projects}.tasks`]] } }), read(tasks)])).toEqual(
      [],
    )
  })

  test('can be granted by name', async () => {
    const only = { fields: { only: [fields[`${projects}.title`], fields[`${projects}.hours`]] } }
    const reader = await app.asGranted([read(projects, only)] as readonly Grant[])
    const { body } = await reader.get(`/api/collections/${projects}/records`)
    expect(body.items[0].values).toEqual({ title: 'Alpha', hours: 6 })
    const [, hours] = (await reader.get(`/api/collections/${projects}`)).body.fields
    expect(hours.options).toEqual({ path: [], function: 'sum', result: 'number' })
  })

  test('can’t be the condition of a permission', async () => {
    const answer = await owner.post('/api/policies', {
      name: `Projects ${count}`,
      grants: [read(projects, { where: { field: 'plus', op: '>', value: 1 } })],
    })
    expect(answer.status, answer.text).toBe(422)
    expect(answer.text).toContain('calculated from other records')
  })

  test('a definition needs an author who can read everything', async () => {
    const manage = { permission: 'collections:manage', collection: ids[projects] }
    const author = await app.asGranted([manage, read(projects), read(tasks)] as readonly Grant[])
    const blind = await app.asGranted([manage, read(projects)] as readonly Grant[])
    const body = { label: 'N', kind: 'count', options: { path: ['tasks'] } }
    const refused = await blind.post(`/api/collections/${projects}/fields`, body)
    expect(refused.status).toBe(422)
    expect(refused.text).not.toContain(tasks)
    const partly = await app.asGranted([
      manage,
      read(projects),
      read(tasks, { fields: { except: [fields[`${tasks}.done`]] } }),
    ] as readonly Grant[])
    for (const filter of ['done = false', 'not(done) && len(title) > 0', 'nothing = 1']) {
      const options = { path: ['tasks'], filter }
      const answer = await partly.post(`/api/collections/${projects}/fields`, { ...body, options })
      expect(answer.status, filter).toBe(422)
      expect(answer.body.errors).toMatchObject([{ path: 'options.filter', code: 'invalid-filter' }])
    }
    const accepted = await author.post(`/api/collections/${projects}/fields`, body)
    expect(accepted.status, accepted.text).toBe(201)
    const renamed = await blind.patch(`/api/collections/${projects}/fields/n`, {
      label: 'Number',
      options: { path: [] },
    })
    expect(renamed.status, renamed.text).toBe(200)
    expect((await list(projects, {})).map(({ n }) => n)).toEqual([1])
  })

  test('a validation rule sees the calculated value of a write', async () => {
    await added(tasks, 'Lead', 'lookup', { path: ['project'], field: 'title' })
    const rules = [{ then: 'lead is empty || lead != "Closed"', message: 'This project is closed.' }]
    expect((await owner.patch(`/api/collections/${tasks}`, { rules })).status).toBe(200)
    const closed = await create(projects, { title: 'Closed' })
    const task = await create(tasks, { title: 'Two' })
    const moved = await owner.patch(`/api/collections/${tasks}/records/${task}`, { values: { project: closed } })
    expect(moved.body.code).toBe('rule-broken')
  })

  test('a validation rule sees the calculated values of imported rows', async () => {
    await added(tasks, 'Lead', 'lookup', { path: ['project'], field: 'title' })
    const rules = [{ then: 'lead is empty || lead != "Closed"', message: 'This project is closed.' }]
    expect((await owner.patch(`/api/collections/${tasks}`, { rules })).status).toBe(200)
    for (const title of ['Open', 'Closed']) await create(projects, { title })
    const task = await create(tasks, { title: 'Two' })
    const take = async (csv: string, query = '') => (await importInto(owner, tasks, csv, query)).body
    expect(await take('title,project\nOne,Closed')).toMatchObject({
      state: 'failed',
      errors: [{ message: 'This project is closed.' }],
    })
    expect(await take(`id,project\n${task},Closed`, '?key=id')).toMatchObject({ state: 'failed' })
    expect(await take('title,project\nOne,Open')).toMatchObject({ state: 'done' })
    expect(await list(tasks, { filter: 'lead = "Open"' })).toMatchObject([{ title: 'One' }])
    expect(await list(tasks, { search: 'open' })).toMatchObject([{ title: 'One' }])
  })
})
