import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let owner: Caller
let count = 0

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
})
afterAll(() => app.close())

const STATES = [{ name: 'new' }, { name: 'checked' }, { name: 'closed' }]

const FIELDS = [
  { label: 'Title', kind: 'text' },
  { label: 'Region', kind: 'text' },
  { label: 'State', kind: 'state', options: { choices: STATES } },
  { label: 'Inspector', kind: 'user' },
  { label: 'Team', kind: 'user', options: { many: true } },
]

type Choices = { readonly id: string; readonly name: string }[]

type Options = { readonly when?: string; readonly roles?: readonly string[] }

/** Creates cases that these roles can move from new to checked if `when` matches, and then to closed. */
async function cases({ when, roles = ['viewer', 'owner'] }: Options = {}) {
  count += 1
  const made = await owner.post('/api/collections', { label: `Home cases ${count}`, fields: FIELDS })
  expect(made.status, made.text).toBe(201)
  const { id, name, fields } = made.body
  const choices: Choices = fields[2].options.choices
  const [fresh, checked, closed] = choices.map((choice) => choice.id)
  const plain = { roles, note: 'none' }
  const workflow = {
    transitions: [
      { ...plain, name: 'Check', from: fresh, to: checked, when: when ?? null },
      { ...plain, name: 'Close', from: checked, to: closed, when: null },
    ],
    states: {},
  }
  const changed = await owner.patch(`/api/collections/${name}`, { workflow })
  expect(changed.status, changed.text).toBe(200)
  const add = async (title: string, region = 'north', more: object = {}): Promise<string> =>
    (await owner.post(`/api/collections/${name}/records`, { values: { title, region, ...more } })).body.id
  const move = (record: string, to: string) =>
    owner.post(`/api/collections/${name}/records/${record}/transitions`, { to })
  return {
    id,
    name,
    add,
    move,
    field: (label: string) => fields.find((each: { label: string }) => each.label === label).id,
  }
}

const can = (permission: Grant['permission'], collection: string, more: Partial<Grant> = {}): Grant => ({
  permission,
  collection,
  ...more,
})

const titles = (answer: { body: { items: { title: string }[] } }) => answer.body.items.map(({ title }) => title)

describe('the to-do list', () => {
  test("contains records with transitions for the user's roles, newest submission first", async () => {
    const { id, name, add, move } = await cases()
    const [first, second] = [await add('first'), await add('second')]
    const done = await add('done')
    await move(done, 'checked')
    await move(done, 'closed')
    app.clock.move(1000)
    await move(first, 'checked')
    app.clock.move(1000)
    await owner.patch(`/api/collections/${name}/records/${second}`, { values: { region: 'south' } })
    const mover = await app.asGranted([can('records:read', id), can('records:transition', id)])
    const answer = await mover.get('/api/home/moves')
    expect(answer.status, answer.text).toBe(200)
    expect(titles(answer)).toEqual(['first', 'second'])
    expect(answer.body.items[0]).toMatchObject({ collection: id, record: first, state: { name: 'checked' } })
    expect(answer.body.lists).toEqual([
      { collection: id, filter: 'state in ("new", "checked")', total: 2, totalIs: 'exact' },
    ])
    const { filter } = answer.body.lists[0]
    const list = await mover.get(`/api/collections/${name}/records?filter=${encodeURIComponent(filter)}`)
    expect(list.body.total).toBe(2)
  })

  test('contains records assigned to the user, unless their transitions are open to everyone', async () => {
    const { id, name, add, field } = await cases({ roles: [] })
    const moving = [can('records:read', id), can('records:transition', id)]
    const inspector = await app.asGranted(moving)
    await add('unassigned')
    await add('of another', 'north', { inspector: owner.userId })
    await add('of the inspector', 'north', { inspector: inspector.userId })
    app.clock.move(1000)
    await add('of the team', 'north', { team: [owner.userId, inspector.userId] })
    const { body } = await inspector.get('/api/home/moves')
    expect(titles({ body })).toEqual(['of the team', 'of the inspector'])
    expect(body.lists).toEqual([
      {
        collection: id,
        filter: 'state in ("new", "checked") && (inspector = @me || team = @me)',
        total: 2,
        totalIs: 'exact',
      },
    ])
    const list = await inspector.get(
      `/api/collections/${name}/records?filter=${encodeURIComponent(body.lists[0].filter)}`,
    )
    expect(list.body.total).toBe(2)

    const reading = can('records:read', id, { fields: { except: [field('Team')] } })
    const partly = await app.asGranted([reading, can('records:transition', id)])
    await add('hidden from them', 'north', { team: [partly.userId] })
    await add('shown to them', 'north', { inspector: partly.userId })
    expect(titles(await partly.get('/api/home/moves'))).toEqual(['shown to them'])
  })

  test('omits records with transitions only for other roles, even if assigned to the user', async () => {
    const { id, add } = await cases({ roles: ['editor'] })
    const viewer = await app.asGranted([can('records:read', id), can('records:transition', id)])
    await add('for editors', 'north', { inspector: viewer.userId })
    expect((await viewer.get('/api/home/moves')).body).toEqual({ items: [], lists: [] })
  })

  test('is empty for users who can only read, and shows nothing hidden', async () => {
    const { id, add, field } = await cases()
    await add('north', 'north')
    await add('south', 'south')
    const reader = await app.asGranted([can('records:read', id)])
    expect((await reader.get('/api/home/moves')).body).toEqual({ items: [], lists: [] })

    const where = { field: 'region', op: '=', value: 'south' } as const
    const southern = await app.asGranted([can('records:read', id, { where }), can('records:transition', id)])
    expect(titles(await southern.get('/api/home/moves'))).toEqual(['south'])

    const fields = { except: [field('State')] }
    const blind = await app.asGranted([can('records:read', id, { fields }), can('records:transition', id)])
    expect((await blind.get('/api/home/moves')).body).toEqual({ items: [], lists: [] })
  })

  test("doesn't reveal hidden titles, even in the path of the list", async () => {
    const { id, add, field } = await cases()
    await add('A secret name')
    const fields = { except: [field('Title')] }
    const reader = await app.asGranted([can('records:read', id, { fields }), can('records:transition', id)])
    const answer = await reader.get('/api/home/moves')
    expect(titles(answer)).toEqual([''])
    expect(answer.text).not.toContain('secret')
  })

  test('omits records whose transition is blocked by the grant or the guard', async () => {
    const { id, add } = await cases({ when: 'region = "north"' })
    await add('in the north', 'north')
    await add('in the south', 'south')
    const mover = await app.asGranted([can('records:read', id), can('records:transition', id)])
    const answer = await mover.get('/api/home/moves')
    expect(titles(answer)).toEqual(['in the north'])
    expect(answer.body.lists).toEqual([{ collection: id, filter: 'state in ("new", "checked")', total: null }])

    const where = { field: 'title', op: '=', value: 'nothing' } as const
    const bounded = await app.asGranted([can('records:read', id), can('records:transition', id, { where })])
    expect((await bounded.get('/api/home/moves')).body).toEqual({ items: [], lists: [] })
  })

  test('shows at most twenty records and the total count', async () => {
    const { id, add } = await cases()
    await Promise.all(Array.from({ length: 23 }, (_, at) => add(`No ${at}`)))
    const mover = await app.asGranted([can('records:read', id), can('records:transition', id)])
    const { body } = await mover.get('/api/home/moves')
    expect([body.items.length, body.lists[0].total]).toEqual([20, 23])
  })

  test('finds the newest submissions even if many other records were edited later', async () => {
    const { id, name, add, move } = await cases()
    const edited = await Promise.all(Array.from({ length: 90 }, (_, at) => add(`Edited ${at}`)))
    app.clock.move(1000)
    const submitted = await Promise.all(Array.from({ length: 20 }, (_, at) => add(`Submitted ${at}`)))
    await Promise.all(submitted.map((record) => move(record, 'checked')))
    app.clock.move(1000)
    const touch = (record: string) =>
      owner.patch(`/api/collections/${name}/records/${record}`, { values: { region: 'east' } })
    await Promise.all(edited.map(touch))
    const mover = await app.asGranted([can('records:read', id), can('records:transition', id)])
    const found = titles(await mover.get('/api/home/moves'))
    expect(found.filter((title) => title.startsWith('Submitted'))).toHaveLength(20)
  })
})

describe('record counts', () => {
  /** Uncached counts are computed in the background, so a later request returns them. */
  const counted = async (by: Caller, collection: string): Promise<number | undefined> => {
    const { body } = await by.get('/api/home/counts')
    return body.items.find((each: { collection: string }) => each.collection === collection)?.total
  }

  test('count only visible records and are updated by every change', async () => {
    const { id, name, add } = await cases()
    const record = await add('one', 'north')
    await add('two', 'south')
    const where = { field: 'region', op: '=', value: 'north' } as const
    const northern = await app.asGranted([can('records:read', id, { where })])
    const nobody = await app.asGranted([can('records:read', (await cases()).id)])
    await expect.poll(() => counted(owner, id)).toBe(2)
    await expect.poll(() => counted(northern, id)).toBe(1)
    expect(await counted(nobody, id)).toBeUndefined()
    await owner.delete(`/api/collections/${name}/records/${record}`)
    expect([await counted(owner, id), await counted(northern, id)]).toEqual([1, 0])
  })
})
