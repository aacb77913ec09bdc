import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionsCache } from '#server/query/definitions/definitions-cache.ts'
import { findOutdated } from '#server/records/rollups/find-outdated.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import {
  createRecords,
  defineCollection,
  doctorFindings,
  recordsPath as at,
  type TestCollection,
} from '#tests/support/server/test-collections.ts'
import { perTier } from '#tests/support/test-tier.ts'

let app: TestApp
let owner: Caller

beforeAll(async () => {
  app = await openTestApp({ changedAtOnce: 100 })
  await app.listen()
  owner = await app.asOwner()
})
afterAll(() => app.close())

async function addField(collection: TestCollection, label: string, kind: string, rest: object): Promise<void> {
  const { status, text } = await owner.post(`/api/collections/${collection.name}/fields`, { label, kind, ...rest })
  expect(status, text).toBe(201)
}

/** Fields whose stored values differ from recalculated ones. */
async function outdatedFields(): Promise<readonly string[]> {
  const definitions = await definitionsCache(app.database, () => performance.now()).latest()
  return (await findOutdated(app.database, definitions)).map(({ field, count }) => `${field.label}: ${count}`)
}

type World = { readonly teams: TestCollection; readonly projects: TestCollection; readonly tasks: TestCollection }

/** Rollups over paths of one to three steps in both directions, over other rollups and formulas, and with filters. */
async function makeWorld(): Promise<World> {
  const teams = await defineCollection(owner, 'Teams', [
    { label: 'Title', kind: 'text' },
    { label: 'Color', kind: 'select', options: { choices: [{ name: 'Red' }, { name: 'Blue' }] } },
  ])
  const projects = await defineCollection(owner, 'Projects', [
    { label: 'Title', kind: 'text' },
    { label: 'Budget', kind: 'number' },
  ])
  const tasks = await defineCollection(owner, 'Tasks', [
    { label: 'Title', kind: 'text' },
    { label: 'Hours', kind: 'number' },
    { label: 'Done', kind: 'checkbox' },
    { label: 'Twice', kind: 'formula', options: { formula: 'hours * 2' } },
  ])
  const link = (to: TestCollection, many: boolean, label: string) => ({
    options: { collection: to.name, many },
    reverse: { label },
  })
  await addField(projects, 'Team', 'relation', link(teams, false, 'Projects'))
  await addField(tasks, 'Project', 'relation', link(projects, false, 'Tasks'))
  await addField(tasks, 'After', 'relation', link(tasks, true, 'Before'))
  const rollup = (collection: TestCollection, label: string, kind: string, options: object) =>
    addField(collection, label, kind, { options })
  await rollup(projects, 'Spent', 'rollup', { path: ['tasks'], field: 'twice', function: 'sum' })
  await rollup(projects, 'Open', 'count', { path: ['tasks'], filter: 'done = false' })
  await rollup(projects, 'Left', 'formula', { formula: 'budget - spent' })
  await rollup(teams, 'Left', 'rollup', { path: ['projects'], field: 'left', function: 'min' })
  await rollup(teams, 'Names', 'lookup', { path: ['projects', 'tasks'], field: 'title' })
  await rollup(tasks, 'Color', 'lookup', { path: ['project', 'team'], field: 'color' })
  await rollup(tasks, 'Chain', 'rollup', { path: ['after', 'after'], field: 'hours', function: 'max' })
  await rollup(tasks, 'Siblings', 'count', { path: ['project', 'tasks'] })
  const formula = (collection: TestCollection, label: string, text: string) =>
    rollup(collection, label, 'formula', { formula: text })
  await formula(projects, 'Mean', 'if(count(tasks) > 0, sum(tasks.hours) / count(tasks), 0)')
  await formula(projects, 'Team name', 'team.title & " (" & count(team.projects) & ")"')
  await formula(tasks, 'Share', 'hours / project.mean')
  await formula(teams, 'Shares', 'sum(projects.tasks.share) + max(projects.left)')
  await rollup(tasks, 'Before hours', 'rollup', { path: ['before'], field: 'hours', function: 'join' })
  return { teams, projects, tasks }
}

type Place = keyof World
type Step =
  | { readonly does: 'create' | 'import'; readonly of: Place; readonly numbers: readonly number[] }
  | { readonly does: 'edit'; readonly of: Place; readonly numbers: readonly number[] }
  | { readonly does: 'delete' | 'restore'; readonly of: Place; readonly numbers: readonly number[] }
  | { readonly does: 'undo' | 'redefine'; readonly of: Place; readonly numbers: readonly number[] }

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    does: fc.constantFrom(
      'create',
      'create',
      'edit',
      'edit',
      'edit',
      'delete',
      'restore',
      'undo',
      'redefine',
      'import',
    ),
    of: fc.constantFrom<Place>('teams', 'projects', 'tasks', 'tasks'),
    numbers: fc.array(fc.nat({ max: 9 }), { minLength: 4, maxLength: 4 }),
  }),
  { minLength: 6, maxLength: 20 },
)

const idsIn = async (collection: TestCollection): Promise<string[]> =>
  (await owner.get(`${at(collection)}?perPage=500`)).body.items.map(({ id }: { id: string }) => id)

/** Values of a record; numbers stand for values and for records that exist. */
async function valuesFor({ teams, projects, tasks }: World, of: Place, numbers: readonly number[]) {
  const [one = 0, two = 0, three = 0] = numbers
  const pick = async (collection: TestCollection, number: number): Promise<string | null> =>
    (await idsIn(collection))[number] ?? null
  if (of === 'teams') return { title: `Team ${one}`, color: ['Red', 'Blue', null][two % 3] }
  if (of === 'projects') return { title: `Project ${one}`, budget: two / 10, team: await pick(teams, three) }
  const after = [await pick(tasks, two), await pick(tasks, three)].filter((id) => id !== null)
  return { title: `Task ${one}`, hours: one / 10, done: two % 2 === 0, project: await pick(projects, three), after }
}

async function importCsv(collection: TestCollection, numbers: readonly number[]): Promise<void> {
  const raw = `title\n${numbers.map((number) => `Imported ${number}`).join('\n')}\n`
  const begun = await owner.request('POST', `/api/collections/${collection.name}/imports?name=a.csv`, {
    raw,
    headers: { 'content-type': 'text/csv' },
  })
  expect(begun.status, begun.text).toBe(202)
  const path = `/api/collections/${collection.name}/imports/${begun.body.id}`
  await expect.poll(async () => (await owner.get(path)).body.state, { interval: 20 }).toBe('done')
}

async function undoNewest(): Promise<void> {
  const { body } = await owner.get('/api/activity?perPage=1')
  const [newest] = body.items
  if (newest) await owner.post(`/api/change-sets/${newest.id}/undo`)
}

const REDEFINITIONS: readonly (readonly [field: string, change: object])[] = [
  ['title', { kind: 'long-text' }],
  ['title', { label: 'Name' }],
  ['hours', { options: { decimals: 2 } }],
  ['hours', { kind: 'text' }],
  ['done', { kind: 'text' }],
  ['after', { options: { many: false } }],
]

async function take(world: World, { does, of, numbers }: Step): Promise<void> {
  const collection = world[of]
  const ids = await idsIn(collection)
  const chosen = [...new Set(numbers.slice(0, 2).flatMap((number) => ids[number] ?? []))]
  switch (does) {
    case 'create':
      await createRecords(owner, collection, await valuesFor(world, of, numbers))
      break
    case 'edit': {
      const values = await valuesFor(world, of, numbers)
      if (chosen.length === 0) break
      const update = chosen.map((id) => ({ id, values }))
      expect((await owner.post(`${at(collection)}/bulk`, { update })).status).toBe(200)
      break
    }
    case 'delete':
      if (chosen.length > 0) expect((await owner.post(`${at(collection)}/bulk`, { delete: chosen })).status).toBe(200)
      break
    case 'restore': {
      const { body } = await owner.get(`/api/trash?collection=${collection.id}`)
      const records = body.items.slice(0, 2).map((item: { record: { id: string } }) => item.record.id)
      if (records.length > 0) expect((await owner.post('/api/trash/restore', { records })).status).toBe(200)
      break
    }
    case 'undo':
      await undoNewest()
      break
    case 'redefine': {
      const [field, change] = REDEFINITIONS[(numbers[0] ?? 0) % REDEFINITIONS.length] ?? []
      const { status, text } = await owner.patch(`/api/collections/${world.tasks.name}/fields/${field}`, change)
      expect(status, text).toBeLessThan(500)
      break
    }
    case 'import':
      await importCsv(collection, numbers)
  }
}

test('stored values equal recalculated ones after random writes, deletions, restorations, imports, definition changes and undoing', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const world = await makeWorld()
      for (const step of taken) {
        app.clock.move(1000)
        await take(world, step)
        expect(await outdatedFields()).toEqual([])
      }
    }),
    { numRuns: perTier(8), endOnFailure: true },
  )
}, 300_000)

type Large = { readonly hub: TestCollection; readonly spokes: TestCollection; readonly center: string }

/** Records that are too many to be recalculated at once, which all link to one. */
async function makeLarge(): Promise<Large> {
  const hub = await defineCollection(owner, 'Hubs', [{ label: 'Title', kind: 'text' }])
  const spokes = await defineCollection(owner, 'Spokes', [{ label: 'Title', kind: 'text' }])
  const reverse = { label: 'Spokes' }
  await addField(spokes, 'Hub', 'relation', { options: { collection: hub.name, many: false }, reverse })
  const [center = ''] = await createRecords(owner, hub, { title: 'old' })
  const many = Array.from({ length: 700 }, (_, number) => ({ title: `Spoke ${number}`, hub: center }))
  await createRecords(owner, spokes, ...many)
  await addField(spokes, 'Of', 'lookup', { options: { path: ['hub'], field: 'title' } })
  await addField(spokes, 'Shout', 'formula', { options: { formula: 'upper(of)' } })
  return { hub, spokes, center }
}

const recalculation = ({ name }: TestCollection, field = 'of'): string =>
  `/api/collections/${name}/fields/${field}/recalculation`

const settled = (collection: TestCollection, field?: string): Promise<void> =>
  expect
    .poll(async () => (await owner.get(recalculation(collection, field))).body.state, { interval: 20, timeout: 60_000 })
    .toBe('done')

const countWhere = async (collection: TestCollection, filter: string) => {
  const query = new URLSearchParams({ filter, count: 'exact', perPage: '1' })
  const { body } = await owner.get(`${at(collection)}?${query}`)
  return { total: body.total, recalculating: body.recalculating }
}

test('a change with many dependents is calculated in the background, and never silently outdated', async () => {
  const { hub, spokes, center } = await makeLarge()
  await addField(spokes, 'Linked', 'formula', { options: { formula: 'hub.title & "!"' } })
  await settled(spokes, 'of')
  await settled(spokes, 'linked')
  expect(await countWhere(spokes, 'of = "old" && shout = "OLD" && linked = "old!"')).toEqual({
    total: 700,
    recalculating: undefined,
  })
  expect((await owner.patch(`${at(hub)}/${center}`, { values: { title: 'new' } })).status).toBe(200)
  for (;;) {
    const { total, recalculating } = await countWhere(spokes, 'of = "new" && linked = "new!"')
    if (recalculating === undefined) {
      expect(total).toBe(700)
      break
    }
    expect([['of', 'shout', 'linked'], ['of', 'shout'], ['linked']]).toContainEqual(recalculating)
  }
  expect(await doctorFindings(app)).toEqual([])
})

test('a change recalculates only its dependents, at the end of each path', async () => {
  const { hub, spokes, center } = await makeLarge()
  const [other = ''] = await createRecords(owner, hub, { title: 'other' })
  const added = Array.from({ length: 300 }, (_, number) => ({ title: `Added ${number}`, hub: other }))
  const both = [...(await idsIn(spokes)), ...(await createRecords(owner, spokes, ...added))]
  const nails = await defineCollection(owner, 'Nails', [{ label: 'Title', kind: 'text' }])
  await addField(nails, 'Spoke', 'relation', { options: { collection: spokes.name, many: false } })
  const linked = both.map((spoke) => ({ title: 'Nail', spoke }))
  await createRecords(owner, nails, ...linked, ...linked)
  await addField(nails, 'Far', 'lookup', { options: { path: ['spoke', 'hub'], field: 'title' } })
  await addField(nails, 'Near', 'lookup', { options: { path: ['spoke'], field: 'of' } })
  await addField(hub, 'Titles', 'rollup', { options: { path: ['spokes'], field: 'of', function: 'first' } })
  const all = async () => {
    for (const field of ['far', 'near']) await settled(nails, field)
    for (const place of [settled(spokes), settled(hub, 'titles')]) await place
  }
  await all()

  const rename = async (record: string, title: string) =>
    expect((await owner.patch(`${at(hub)}/${record}`, { values: { title } })).status).toBe(200)
  await rename(other, 'new')
  await all()
  const done = await app.database.read.selectFrom('rollups').select(['collection_id', 'done']).execute()
  const doneIn = ({ id }: TestCollection) => done.find((row) => row.collection_id === id)?.done
  expect({ spokes: doneIn(spokes), nails: doneIn(nails) }).toEqual({ spokes: 300, nails: 600 })
  expect(await outdatedFields()).toEqual([])

  await rename(center, 'first')
  await rename(other, 'second')
  await rename(center, 'third')
  const update = (await idsIn(spokes)).slice(0, 250).map((id) => ({ id, values: { hub: other } }))
  expect((await owner.post(`${at(spokes)}/bulk`, { update })).status).toBe(200)
  await rename(center, 'fourth')
  expect((await owner.delete(`${at(hub)}/${other}`)).status).toBe(204)
  await all()
  expect(await outdatedFields()).toEqual([])
  expect(await countWhere(nails, 'far = "fourth" && near = "fourth"')).toMatchObject({ total: 500 })
})

test('a definition change recalculates only what depends on it', async () => {
  const { hub, spokes } = await makeLarge()
  await settled(spokes)
  const rename = { label: 'Name' }
  for (const { name } of [hub, spokes])
    expect((await owner.patch(`/api/collections/${name}/fields/title`, rename)).status).toBe(200)
  expect((await owner.get(recalculation(spokes))).body.state).toBe('done')
  expect((await owner.patch(`/api/collections/${hub.name}/fields/title`, { kind: 'long-text' })).status).toBe(200)
  expect((await owner.get(recalculation(spokes))).body.state).toBe('running')
  await settled(spokes)
  expect(await doctorFindings(app)).toEqual([])
})

test('a write of many records recalculates their own values at once', async () => {
  const { hub, spokes } = await makeLarge()
  await settled(spokes)
  const [other] = await createRecords(owner, hub, { title: 'other' })
  const update = (await idsIn(spokes)).slice(0, 300).map((id) => ({ id, values: { hub: other } }))
  expect((await owner.post(`${at(spokes)}/bulk`, { update })).status).toBe(200)
  expect((await owner.get(recalculation(spokes))).body.state).toBe('done')
  expect(await countWhere(spokes, 'of = "other"')).toEqual({ total: 300, recalculating: undefined })
})

test('a canceled calculation is reported until it is restarted', async () => {
  const { hub, spokes, center } = await makeLarge()
  await settled(spokes)
  expect((await owner.delete(recalculation(spokes))).status).toBe(204)
  expect((await owner.patch(`${at(hub)}/${center}`, { values: { title: 'new' } })).status).toBe(200)
  expect((await owner.get(recalculation(spokes))).body.state).toBe('canceled')
  expect((await countWhere(spokes, 'of = "new"')).recalculating).toEqual(['of', 'shout'])
  expect((await owner.get(`${at(spokes)}/${(await idsIn(spokes))[0]}`)).body.recalculating).toEqual(['of', 'shout'])
  expect((await owner.post(recalculation(spokes))).status).toBe(204)
  await settled(spokes)
  expect(await countWhere(spokes, 'of = "new"')).toEqual({ total: 700, recalculating: undefined })
})

test('a calculation ends while new records are created all the time', async () => {
  const { hub, spokes, center } = await makeLarge()
  await settled(spokes)
  expect((await owner.patch(`${at(hub)}/${center}`, { values: { title: 'new' } })).status).toBe(200)
  let isOver = false
  let created = 0
  const creators = Array.from({ length: 8 }, async () => {
    for (; !isOver && created < 1000; created += 1) await createRecords(owner, spokes, { title: 'late', hub: center })
  })
  await settled(spokes)
  isOver = true
  await Promise.all(creators)
  expect(created).toBeLessThan(1000)
  expect(await countWhere(spokes, 'of = "new"')).toEqual({ total: 700 + created, recalculating: undefined })
})
