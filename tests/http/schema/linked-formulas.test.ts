import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import { openTestApp, type Answer, type Caller, type TestApp } from '#tests/support/server/test-app.ts'
import { doctorFindings } from '#tests/support/server/test-collections.ts'

let app: TestApp
let owner: Caller
let count = 0

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
})
afterAll(() => app.close())

let clients: string
let projects: string
let tasks: string

const add = (name: string, field: object): Promise<Answer> => owner.post(`/api/collections/${name}/fields`, field)

async function added(name: string, field: object): Promise<void> {
  const answer = await add(name, field)
  expect(answer.status, answer.text).toBe(201)
}

const formulaField = (label: string, text: string) => ({ label, kind: 'formula', options: { formula: text } })

const formula = (name: string, label: string, text: string) => added(name, formulaField(label, text))

async function collection(label: string, fields: readonly object[]): Promise<string> {
  const answer = await owner.post('/api/collections', { label: `${label} ${count}`, fields })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.name
}

async function create(name: string, values: object): Promise<string> {
  const answer = await owner.post(`/api/collections/${name}/records`, { values })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.id
}

const read = async (name: string, record: string): Promise<Record<string, unknown>> =>
  (await owner.get(`/api/collections/${name}/records/${record}`)).body.values

const fieldOf = async (name: string, field: string) =>
  (await owner.get(`/api/collections/${name}`)).body.fields.find((each: { name: string }) => each.name === field)

/** The ID of the last change set. */
const newest = async (): Promise<string> => (await owner.get('/api/activity?perPage=1')).body.items[0].id

async function undo(changeSet: string): Promise<void> {
  const answer = await owner.post(`/api/change-sets/${changeSet}/undo`)
  expect(answer.status, answer.text).toBeLessThan(300)
}

const preview = (name: string, text: string, caller = owner, field?: string): Promise<Answer> =>
  caller.post(`/api/collections/${name}/formula-preview`, { formula: text, ...(field !== undefined && { field }) })

/** Clients have projects, and projects have tasks. */
beforeEach(async () => {
  count += 1
  clients = await collection('Clients', [
    { label: 'Name', kind: 'text' },
    { label: 'Level', kind: 'select', options: { choices: [{ name: 'Gold' }, { name: 'Basic' }] } },
  ])
  projects = await collection('Projects', [
    { label: 'Title', kind: 'text' },
    { label: 'Rate', kind: 'number' },
  ])
  tasks = await collection('Tasks', [
    { label: 'Title', kind: 'text' },
    { label: 'Hours', kind: 'number' },
    { label: 'Due', kind: 'date' },
    { label: 'Done', kind: 'checkbox' },
    { label: 'Late', kind: 'formula', options: { formula: 'due < today()' } },
  ])
  const link = (label: string, target: string, back: string) => ({
    label,
    kind: 'relation',
    options: { collection: target, many: false },
    reverse: { label: back },
  })
  await added(projects, link('Client', clients, 'Projects'))
  await added(tasks, link('Project', projects, 'Tasks'))
})

describe('a formula of linked records', () => {
  test('reads fields and summaries over links in both directions', async () => {
    await formula(projects, 'Mean', 'if(count(tasks) > 0, sum(tasks.hours) / count(tasks), 0)')
    await formula(projects, 'Whose', 'upper(client.name) & " " & client.level')
    await formula(projects, 'Cost', 'rate * sum(tasks.hours)')
    await formula(clients, 'Total', 'sum(projects.cost) + count(projects.tasks)')
    await formula(tasks, 'Share', 'round(hours / sum(project.tasks.hours), 2)')
    await formula(tasks, 'Who', 'project.client.name & ": " & join(project.client.projects.title)')
    const ada = await create(clients, { name: 'Ada', level: 'Gold' })
    const site = await create(projects, { title: 'Site', client: ada, rate: 10 })
    const [one, two] = [
      await create(tasks, { title: 'One', hours: 1, project: site }),
      await create(tasks, { title: 'Two', hours: 4, project: site }),
    ]
    expect(await read(projects, site)).toMatchObject({ mean: 2.5, whose: 'ADA Gold', cost: 50 })
    expect(await read(clients, ada)).toMatchObject({ total: 52 })
    expect(await read(tasks, two)).toMatchObject({ share: 0.8, who: 'Ada: Site' })

    await owner.patch(`/api/collections/${tasks}/records/${one}`, { values: { hours: 6 } })
    expect(await read(projects, site)).toMatchObject({ mean: 5, cost: 100 })
    expect(await read(clients, ada)).toMatchObject({ total: 102 })
    expect(await read(tasks, two)).toMatchObject({ share: 0.4 })
    const query = new URLSearchParams({ filter: 'mean = 5 && cost >= 100', sort: '-mean,whose' })
    expect((await owner.get(`/api/collections/${projects}/records?${query}`)).body.items).toHaveLength(1)
    expect((await owner.get(`/api/collections/${projects}/records?search=ada+gold`)).body.items).toHaveLength(1)
    const groups = await owner.get(`/api/collections/${projects}/groups?by=whose`)
    expect(groups.body.groups ?? groups.body.items).toHaveLength(1)
    expect(await doctorFindings(app)).toEqual([])
  })

  test('keeps working when fields are renamed, and is shown with their current names', async () => {
    await formula(projects, 'Mean', 'sum(tasks.hours) / count(tasks)')
    const site = await create(projects, { title: 'Site' })
    await create(tasks, { title: 'One', hours: 3, project: site })
    await owner.patch(`/api/collections/${tasks}/fields/hours`, { name: 'effort' })
    await owner.patch(`/api/collections/${projects}/fields/tasks`, { name: 'todos' })
    expect((await fieldOf(projects, 'mean')).options.formula).toBe('sum(todos.effort) / count(todos)')
    await create(tasks, { title: 'Two', effort: 5, project: site })
    expect(await read(projects, site)).toMatchObject({ mean: 4 })
  })

  test('stores values of linked records only while it uses them', async () => {
    await formula(projects, 'Sum', 'sum(tasks.hours)')
    const site = await create(projects, { title: 'Site' })
    await create(tasks, { title: 'One', hours: 3, project: site })
    const change = (text: string) =>
      owner.patch(`/api/collections/${projects}/fields/sum`, { options: { formula: text } })
    const [kept] = (await fieldOf(projects, 'sum')).options.linked
    expect((await change('sum(tasks.hours) + max(tasks.hours)')).status).toBe(200)
    expect((await fieldOf(projects, 'sum')).options.linked).toMatchObject([kept, { options: { function: 'max' } }])
    expect(await read(projects, site)).toMatchObject({ sum: 6 })
    expect((await change('rate')).status).toBe(200)
    expect((await fieldOf(projects, 'sum')).options.linked).toBeUndefined()
    expect(await doctorFindings(app)).toEqual([])
    await undo(await newest())
    expect(await read(projects, site)).toMatchObject({ sum: 6 })
    expect((await owner.delete(`/api/collections/${projects}/fields/sum`)).status).toBe(200)
    const deletion = await newest()
    await create(tasks, { title: 'Two', hours: 5, project: site })
    await undo(deletion)
    expect(await read(projects, site)).toMatchObject({ sum: 13 })
    expect(await doctorFindings(app)).toEqual([])
  })

  test('rejects what can’t be calculated, at its place', async () => {
    const fault = async (text: string): Promise<string> => {
      const answer = await add(projects, formulaField('X', text))
      expect(answer.status, text).toBe(422)
      expect(answer.body.errors).toMatchObject([{ path: 'options.formula', code: 'invalid-formula' }])
      return answer.body.errors[0].message
    }
    expect(await fault('1 + tasks.hours')).toContain(
      'can have several values. Summarize them, such as sum(tasks.hours).',
    )
    expect(await fault('sum(tasks)')).toContain('“tasks” leads to linked records.')
    expect(await fault('tasks & ""')).toContain('“tasks” leads to linked records.')
    expect(await fault('sum(tasks.title)')).toContain('can’t summarize the values')
    expect(await fault('sum(tasks.hour)')).toContain('There is no field “hour”')
    expect(await fault('sum(title.hours)')).toContain('“title” isn’t a linked record field')
    expect(await fault('any(tasks.late)')).toContain('depends on the current time')
    expect(await fault('join(title)')).toContain('summarizes one field of linked records')
    expect(await fault('count(tasks.project.tasks.project)')).toContain('at most 3 links')
    const answer = await owner.patch(`/api/collections/${projects}`, {
      rules: [{ then: 'count(tasks) < 3', message: 'Too many' }],
    })
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('leads to linked records')
    const filter = encodeURIComponent('sum(tasks.hours) > 3')
    const listed = await owner.get(`/api/collections/${projects}/records?filter=${filter}`)
    expect(listed.status).toBe(400)
    expect(listed.body).toMatchObject({ position: 4, detail: expect.stringContaining('Add a formula field') })
  })

  test('rejects cycles and shows their path', async () => {
    await formula(projects, 'Spent', 'sum(tasks.hours)')
    await formula(tasks, 'Part', 'hours / project.spent')
    const answer = await owner.patch(`/api/collections/${projects}/fields/spent`, {
      options: { formula: 'sum(tasks.part)' },
    })
    expect(answer.status, answer.text).toBe(422)
    expect(answer.body.detail).toContain(`Projects ${count}: Spent → Tasks ${count}: Part → Projects ${count}: Spent`)
    expect((await preview(projects, 'sum(tasks.part)')).status).toBe(200)
  })

  test('keeps its inputs from being deleted or converted', async () => {
    await formula(projects, 'Spent', 'sum(tasks.hours)')
    for (const field of ['hours', 'project']) {
      const answer = await owner.delete(`/api/collections/${tasks}/fields/${field}`)
      expect(answer.body).toMatchObject({ code: 'in-use' })
      expect(answer.text).toContain('Spent')
    }
    expect((await owner.patch(`/api/collections/${tasks}/fields/hours`, { kind: 'text' })).status).toBe(409)
  })

  test('is previewed in the first record before it is saved', async () => {
    expect((await preview(projects, 'sum(tasks.hours) * 2')).body).toEqual({
      result: 'number',
      value: null,
      hasRecord: false,
    })
    const site = await create(projects, { title: 'Site', rate: 2 })
    await create(tasks, { title: 'One', hours: 3, project: site })
    expect((await preview(projects, 'rate * sum(tasks.hours)')).body).toMatchObject({ value: 6, hasRecord: true })
    expect((await preview(projects, 'client.name & "?"')).body).toMatchObject({ result: 'text', value: '?' })
    expect((await preview(projects, 'rate *')).status).toBe(422)
  })
})

describe('access to a formula of linked records', () => {
  let ids: Record<string, string> = {}
  let fields: Record<string, string> = {}

  beforeEach(async () => {
    await formula(projects, 'Spent', 'sum(tasks.hours)')
    await formula(projects, 'Twice', 'spent * 2')
    const site = await create(projects, { title: 'Site' })
    await create(tasks, { title: 'One', hours: 3, project: site })
    const bodies = await Promise.all(
      [projects, tasks, clients].map(async (name) => (await owner.get(`/api/collections/${name}`)).body),
    )
    ids = Object.fromEntries(bodies.map(({ name, id }) => [name, id]))
    fields = Object.fromEntries(
      bodies.flatMap((body) =>
        body.fields.map((each: { name: string; id: string }) => [`${body.name}.${each.name}`, each.id]),
      ),
    )
  })

  const granted = (...grants: object[]): Promise<Caller> => app.asGranted(grants as readonly Grant[])
  const reads = (name: string, rest: object = {}) => ({ permission: 'records:read', collection: ids[name], ...rest })
  const except = (name: string, field: string) => ({ fields: { except: [fields[`${name}.${field}`]] } })
  const valuesFor = async (caller: Caller): Promise<Record<string, unknown>> =>
    (await caller.get(`/api/collections/${projects}/records`)).body.items[0].values

  test('needs access to all inputs in all records, unless it is granted by name', async () => {
    expect(await valuesFor(await granted(reads(projects), reads(tasks)))).toMatchObject({ spent: 3, twice: 6 })
    const where = { where: { field: 'title', op: '=', value: 'One' } }
    for (const limited of [
      [reads(projects)],
      [reads(projects), reads(tasks, where)],
      [reads(projects), reads(tasks, except(tasks, 'hours'))],
      [reads(projects), reads(tasks, except(tasks, 'project'))],
      [reads(projects, except(projects, 'tasks')), reads(tasks)],
    ]) {
      const reader = await granted(...limited)
      const values = await valuesFor(reader)
      expect(values).not.toHaveProperty('spent')
      expect(values).not.toHaveProperty('twice')
      expect((await reader.get(`/api/collections/${projects}/records?sort=twice`)).status).toBe(400)
    }
    const only = { fields: { only: [fields[`${projects}.title`], fields[`${projects}.twice`]] } }
    const named = await granted(reads(projects, only))
    expect(await valuesFor(named)).toEqual({ title: 'Site', twice: 6 })
    const [, twice] = (await named.get(`/api/collections/${projects}`)).body.fields
    expect(twice.options).toEqual({ formula: '', result: 'number' })
  })

  test('is needed to write and to preview one', async () => {
    const manage = { permission: 'collections:manage', collection: ids[projects] }
    const blind = await granted(manage, reads(projects), reads(tasks, except(tasks, 'hours')))
    const seeing = await granted(manage, reads(projects), reads(tasks))
    const body = formulaField('Y', 'sum(tasks.hours)')
    for (const text of ['sum(tasks.hours)', 'spent + 1', 'twice + 1']) {
      const refused = await preview(projects, text, blind)
      expect(refused.status, text).toBe(422)
      expect(refused.body.errors[0].message).toContain('There is no field')
    }
    for (const text of ['', 'sum(tasks.hours)'])
      expect((await preview(projects, text, blind, 'spent')).status, text).toBe(422)
    expect((await preview(projects, 'spent * 2', blind, 'twice')).status).toBe(422)
    expect((await preview(projects, 'spent * 2', seeing, 'twice')).body).toMatchObject({ value: 6 })
    expect((await blind.post(`/api/collections/${projects}/fields`, body)).status).toBe(422)
    expect((await seeing.post(`/api/collections/${projects}/fields`, body)).status).toBe(201)
    const renamed = await blind.patch(`/api/collections/${projects}/fields/spent`, {
      label: 'Expenses',
      options: { formula: '' },
    })
    expect(renamed.status, renamed.text).toBe(200)
    expect((await fieldOf(projects, 'spent')).options.formula).toBe('sum(tasks.hours)')
  })

  test('can’t be the condition of a permission', async () => {
    for (const field of ['spent', 'twice']) {
      const answer = await owner.post('/api/policies', {
        name: `Projects ${count} ${field}`,
        grants: [reads(projects, { where: { field, op: '>', value: 1 } })],
      })
      expect(answer.status, answer.text).toBe(422)
      expect(answer.text).toContain('calculated from other records')
    }
  })

  test('a validation rule sees the calculated value of a write', async () => {
    await formula(tasks, 'Within', 'project.title & ""')
    const rules = [{ then: 'within != "Closed"', message: 'This project is closed.' }]
    expect((await owner.patch(`/api/collections/${tasks}`, { rules })).status).toBe(200)
    const closed = await create(projects, { title: 'Closed' })
    const task = await create(tasks, { title: 'Two' })
    const moved = await owner.patch(`/api/collections/${tasks}/records/${task}`, { values: { project: closed } })
    expect(moved.body.code).toBe('rule-broken')
  })
})
