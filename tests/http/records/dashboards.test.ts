import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import { DELETED_DASHBOARD_DAYS, MAX_DASHBOARD_ITEMS, MAX_DASHBOARDS } from '#domain/dashboards/dashboard.ts'
import type { Field } from '#domain/fields/field.ts'
import { GROUP_INTERVALS } from '#domain/query/list/aggregates.ts'
import { printFilter } from '#domain/query/filter/print-filter.ts'
import type { ChartKey } from '#domain/views/chart-data.ts'
import { filterOfKey, filterOfKeys } from '#domain/views/chart-records.ts'
import { type Answer, type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let owner: Caller
let count = 0

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
})
afterAll(() => app.close())

const DASHBOARDS = '/api/dashboards'

type Sheet = { readonly id: string; readonly name: string; readonly views: string }

async function collection(): Promise<Sheet> {
  count += 1
  const fields = [
    { label: 'Status', kind: 'select', options: { choices: [{ name: 'open' }, { name: 'done' }] } },
    { label: 'Amount', kind: 'number' },
    { label: 'Due on', kind: 'date' },
    { label: 'Notes', kind: 'long-text' },
  ]
  const { body } = await owner.post('/api/collections', { label: `Sheet ${count}`, fields })
  return { id: body.id, name: body.name, views: `/api/collections/${body.name}/views` }
}

const CHART = { kind: 'chart', options: { type: 'bar', by: 'status', aggregate: 'sum', measured: 'amount' } }

async function made(path: string, body: object, by: Caller = owner) {
  const answer = await by.post(path, body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

const chartView = (sheet: Sheet, more: object = {}, by: Caller = owner) =>
  made(sheet.views, { name: 'By status', isShared: true, display: CHART, ...more }, by)

const grant = (permission: Grant['permission'], sheet: Sheet, more: Partial<Grant> = {}): Grant => ({
  permission,
  collection: sheet.id,
  ...more,
})

const reader = (sheet: Sheet) => app.asGranted([grant('records:read', sheet)])
const sharer = (sheet: Sheet) => app.asGranted([grant('records:read', sheet), grant('views:share', sheet)])

const codeOf = ({ status, body }: Answer) => [status, body?.code]
const namesFor = async (by: Caller) =>
  (await by.get(DASHBOARDS)).body.items.map(({ name }: { readonly name: string }) => name)

describe('a dashboard', () => {
  test('shows saved views in its order, with current names', async () => {
    const sheet = await collection()
    const chart = await chartView(sheet)
    const list = await made(sheet.views, { name: 'All', isShared: true })
    const board = await made(DASHBOARDS, {
      name: ' Overview ',
      items: [{ view: list.id, width: 12, height: 'large' }, { view: chart.id }],
    })
    expect(board).toMatchObject({ name: 'Overview', isShared: false, mayChange: true, mayShare: true, version: 1 })
    await owner.patch(`/api/collections/${sheet.name}/fields/status`, { name: 'phase', label: 'Phase' })
    const { body } = await owner.get(`${DASHBOARDS}/${board.id}`)
    expect(body.items).toMatchObject([
      { width: 12, height: 'large', collection: sheet.id, view: { id: list.id, display: { kind: 'grid' } } },
      {
        width: 6,
        height: 'medium',
        collection: sheet.id,
        view: { id: chart.id, display: { options: { by: 'phase' } } },
      },
    ])
  })

  test('keeps the items that are sent, with their new order and size', async () => {
    const sheet = await collection()
    const [one, other] = [await chartView(sheet), await chartView(sheet, { name: 'Two' })]
    const board = await made(DASHBOARDS, { name: 'Both', items: [{ view: one.id }, { view: other.id }] })
    const [first, second] = board.items
    const change = { items: [{ id: second.id, width: 3 }, { id: first.id, height: 'small' }, { view: one.id }] }
    const changed = await owner.patch(`${DASHBOARDS}/${board.id}`, { ...change, version: 1 })
    expect(changed.body).toMatchObject({
      version: 2,
      items: [
        { id: second.id, width: 3, view: { id: other.id } },
        { id: first.id, height: 'small', view: { id: one.id } },
        { view: { id: one.id } },
      ],
    })
    const twice = await owner.patch(`${DASHBOARDS}/${board.id}`, { items: [{ id: first.id }, { id: first.id }] })
    expect(codeOf(twice)).toEqual([422, 'definition-invalid'])
    const unknown = await owner.patch(`${DASHBOARDS}/${board.id}`, { items: [{ id: 'gone' }] })
    expect(codeOf(unknown)).toEqual([422, 'definition-invalid'])
  })

  test('can’t be overwritten with a stale version, and the response contains the current one', async () => {
    const sheet = await collection()
    const chart = await chartView(sheet)
    const board = await made(DASHBOARDS, { name: 'Team', isShared: true, items: [{ view: chart.id }] })
    const other = await sharer(sheet)
    const path = `${DASHBOARDS}/${board.id}`
    expect((await other.patch(path, { name: 'Crew', version: 1 })).body.version).toBe(2)
    const late = await owner.patch(path, { items: [], version: 1 })
    expect(codeOf(late)).toEqual([409, 'version-conflict'])
    expect(late.body.current).toMatchObject({ name: 'Crew', version: 2, items: [{ id: board.items[0].id }] })
  })

  test('can be restored for a while after it was deleted', async () => {
    const board = await made(DASHBOARDS, { name: 'Short-lived' })
    const path = `${DASHBOARDS}/${board.id}`
    expect((await owner.delete(path)).status).toBe(204)
    expect(codeOf(await owner.get(path))).toEqual([404, 'not-found'])
    expect(await namesFor(owner)).not.toContain('Short-lived')
    expect((await owner.post(`${path}/restore`)).body).toEqual(board)
    expect(await namesFor(owner)).toContain('Short-lived')

    await owner.delete(path)
    app.clock.move((DELETED_DASHBOARD_DAYS + 1) * 24 * 60 * 60 * 1000)
    owner = await app.asOwner()
    await owner.delete(`${DASHBOARDS}/${(await made(DASHBOARDS, { name: 'Next' })).id}`)
    expect(codeOf(await owner.post(`${path}/restore`))).toEqual([404, 'not-found'])
  })

  test('has an order of its own for shared and private dashboards', async () => {
    const me = await sharer(await collection())
    const ids: string[] = []
    for (const name of ['a', 'b', 'c']) ids.push((await made(DASHBOARDS, { name }, me)).id)
    await me.patch(`${DASHBOARDS}/${ids[2]}`, { before: ids[0] })
    expect((await namesFor(me)).slice(-3)).toEqual(['c', 'a', 'b'])
    expect(codeOf(await me.patch(`${DASHBOARDS}/${ids[2]}`, { before: 'gone' }))).toEqual([422, 'definition-invalid'])
  })

  test('has limits', async () => {
    const me = await reader(await collection())
    const tooMany = Array.from({ length: MAX_DASHBOARD_ITEMS + 1 }, () => ({ view: 'x' }))
    expect(codeOf(await me.post(DASHBOARDS, { name: 'Big', items: tooMany }))).toEqual([400, 'invalid-request'])
    for (let at = 0; at < MAX_DASHBOARDS; at += 1) await made(DASHBOARDS, { name: `Mine ${at}` }, me)
    expect(codeOf(await me.post(DASHBOARDS, { name: 'One more' }))).toEqual([422, 'definition-invalid'])
  })

  test('is recorded in the change log only while it is shared', async () => {
    const board = await made(DASHBOARDS, { name: 'Logged once' })
    await owner.patch(`${DASHBOARDS}/${board.id}`, { isShared: true })
    await owner.patch(`${DASHBOARDS}/${board.id}`, { name: 'Logged' })
    await owner.delete(`${DASHBOARDS}/${board.id}`)
    const log = await app.database.read
      .selectFrom('changes')
      .select(['kind', 'before', 'after'])
      .where('kind', 'like', 'dashboard-%')
      .orderBy('id')
      .execute()
    const own = log.filter(({ before, after }) => `${before}${after}`.includes(board.id)).map(({ kind }) => kind)
    expect(own).toEqual(['dashboard-shared', 'dashboard-changed', 'dashboard-deleted'])
  })
})

describe('a dashboard grants no access', () => {
  test('and shows neither the name nor the collection of a view that its reader can’t see', async () => {
    const [open, secret] = [await collection(), await collection()]
    const board = await made(DASHBOARDS, {
      name: 'Mixed',
      isShared: true,
      items: [{ view: (await chartView(open)).id }, { view: (await chartView(secret, { name: 'Layoffs' })).id }],
    })
    const { body, text } = await (await reader(open)).get(`${DASHBOARDS}/${board.id}`)
    expect(body.items).toMatchObject([
      { collection: open.id, view: { name: 'By status' } },
      { id: board.items[1].id, collection: null, view: null },
    ])
    expect(text).not.toContain('Layoffs')
    expect(text).not.toContain(secret.id)
    expect(text).not.toContain(secret.name)
  })

  test('and is hidden from readers who can see none of its views', async () => {
    const [mine, secret] = [await collection(), await collection()]
    const items = [{ view: (await chartView(secret)).id }]
    const board = await made(DASHBOARDS, { name: 'Board only', isShared: true, items })
    const outsider = await reader(mine)
    expect(await namesFor(outsider)).not.toContain('Board only')
    expect(codeOf(await outsider.get(`${DASHBOARDS}/${board.id}`))).toEqual([404, 'not-found'])
    const other = await sharer(mine)
    const changed = await other.patch(`${DASHBOARDS}/${board.id}`, { name: 'Taken' })
    expect(codeOf(changed)).toEqual([404, 'not-found'])
  })

  test('and has no private view of someone else', async () => {
    const sheet = await collection()
    const mine = await sharer(sheet)
    const own = await chartView(sheet, { isShared: false, name: 'For me' }, mine)
    expect(codeOf(await owner.post(DASHBOARDS, { name: 'Theirs', items: [{ view: own.id }] }))).toEqual([
      422,
      'definition-invalid',
    ])
    const shown = await chartView(sheet)
    const board = await made(
      DASHBOARDS,
      { name: 'Half', isShared: true, items: [{ view: own.id }, { view: shown.id }] },
      mine,
    )
    const { body } = await owner.get(`${DASHBOARDS}/${board.id}`)
    expect(body.items.map(({ view }: { readonly view: object | null }) => view === null)).toEqual([true, false])
    const kept = await owner.patch(`${DASHBOARDS}/${board.id}`, {
      items: body.items.map(({ id }: { readonly id: string }) => ({ id, width: 12 })),
    })
    expect(kept.status, kept.text).toBe(200)
    const { body: again } = await mine.get(`${DASHBOARDS}/${board.id}`)
    expect(again.items).toMatchObject([
      { width: 12, view: { id: own.id } },
      { width: 12, view: { id: shown.id } },
    ])
  })

  test('and leaves out the fields of a chart that its reader can’t read', async () => {
    const sheet = await collection()
    const board = await made(DASHBOARDS, {
      name: 'Sums',
      isShared: true,
      items: [{ view: (await chartView(sheet)).id }],
    })
    const { body: definition } = await owner.get(`/api/collections/${sheet.name}`)
    const amount = definition.fields.find(({ name }: { readonly name: string }) => name === 'amount')
    const hidden = await app.asGranted([grant('records:read', sheet, { fields: { except: [amount.id] } })])
    const { body } = await hidden.get(`${DASHBOARDS}/${board.id}`)
    expect(body.items[0].view.display.options).toMatchObject({ by: 'status', aggregate: 'sum', measured: null })
  })
})

describe('the activity', () => {
  type Entry = { readonly id: string; readonly isUndone: boolean; readonly parts: readonly object[] }
  const activity = async (by: Caller = owner): Promise<readonly Entry[]> => (await by.get('/api/activity')).body.items
  const latest = async (by: Caller = owner) => (await activity(by))[0]?.id ?? ''
  const undo = (id: string, by: Caller = owner, query = '') => by.post(`/api/change-sets/${id}/undo${query}`)

  test('lists changes of shared dashboards, each of which can be undone and redone', async () => {
    const sheet = await collection()
    const board = await made(DASHBOARDS, { name: 'Sales', items: [{ view: (await chartView(sheet)).id }] })
    const path = `${DASHBOARDS}/${board.id}`
    const current = async () => (await owner.get(path)).body
    await owner.patch(path, { isShared: true })
    const shared = await latest()
    await owner.patch(path, { name: 'Revenue', items: [{ id: board.items[0].id, width: 12 }] })
    const changed = await latest()
    await owner.delete(path)
    const deleted = await latest()
    expect((await activity()).slice(0, 3).map(({ parts }) => parts)).toMatchObject([
      [{ kind: 'dashboard-deleted', dashboard: 'Revenue' }],
      [{ kind: 'dashboard-changed', dashboard: 'Revenue' }],
      [{ kind: 'dashboard-shared', dashboard: 'Sales' }],
    ])
    expect((await owner.get('/api/activity?kind=dashboard-deleted')).body.items[0].id).toBe(deleted)

    const preview = (await undo(deleted, owner, '?preview=true')).body
    expect(preview.definitions).toEqual([{ kind: 'dashboard-restored', label: '', dashboard: 'Revenue' }])
    expect((await owner.get(path)).status).toBe(404)
    await undo(deleted)
    expect(await current()).toMatchObject({ name: 'Revenue', isShared: true, items: [{ width: 12 }] })

    const redo = (await undo(changed)).body.changeSet
    expect(await current()).toMatchObject({ name: 'Sales', items: [{ id: board.items[0].id, width: 6 }] })
    await undo(redo)
    await owner.patch(path, { name: 'Turnover' })
    const { kept } = (await undo(changed)).body
    expect(kept).toMatchObject([{ message: 'The dashboard “Turnover” was changed since.' }])
    expect(await current()).toMatchObject({ name: 'Turnover', items: [{ width: 6 }] })

    const { definitions, changeSet } = (await undo(shared)).body
    expect(definitions).toMatchObject([{ kind: 'dashboard-unshared', dashboard: 'Turnover' }])
    expect((await current()).isShared).toBe(false)
    await undo(changeSet)
    expect((await current()).isShared).toBe(true)

    await owner.delete(path)
    await owner.post(`${path}/restore`)
    const [, deletion] = await activity()
    expect(deletion).toMatchObject({ parts: [{ kind: 'dashboard-deleted' }], isUndone: true })
  })

  test('undoes the creation of a dashboard, and restores one that is no longer stored', async () => {
    const board = await made(DASHBOARDS, { name: 'Brief', isShared: true })
    const redo = (await undo(await latest())).body.changeSet
    expect((await owner.get(`${DASHBOARDS}/${board.id}`)).status).toBe(404)
    app.clock.move((DELETED_DASHBOARD_DAYS + 1) * 24 * 60 * 60 * 1000)
    owner = await app.asOwner()
    await owner.delete(`${DASHBOARDS}/${(await made(DASHBOARDS, { name: 'Next' })).id}`)
    expect((await undo(redo)).status).toBe(200)
    expect((await owner.get(`${DASHBOARDS}/${board.id}`)).body).toMatchObject({ name: 'Brief', isShared: true })
  })

  test('shows them only to those who can see and edit the dashboard', async () => {
    const [open, secret] = [await collection(), await collection()]
    const [known, hidden] = [await chartView(open), await chartView(secret)]
    const board = await made(DASHBOARDS, { name: 'Layoffs', isShared: true, items: [{ view: hidden.id }] })
    const created = await latest()
    const path = `${DASHBOARDS}/${board.id}`
    await owner.patch(path, { name: 'Plans', items: [{ id: board.items[0].id }, { view: known.id }] })
    const opened = await latest()
    await owner.patch(path, { name: 'Our plans' })
    const renamed = await latest()
    const [other, viewer] = [await sharer(open), await reader(open)]
    const texts = JSON.stringify(await activity(other))
    expect(texts).toContain('Our plans')
    expect(texts).not.toContain('Layoffs')
    const ids = (await activity(other)).map(({ id }) => id)
    expect([created, opened, renamed].map((id) => ids.includes(id))).toEqual([false, false, true])
    for (const id of [created, opened]) expect(codeOf(await undo(id, other))).toEqual([404, 'not-found'])
    expect(JSON.stringify(await activity(viewer))).not.toContain('lans')
    expect(codeOf(await undo(renamed, viewer))).toEqual([404, 'not-found'])
    expect((await undo(renamed, other)).body.definitions).toMatchObject([{ dashboard: 'Plans' }])

    await owner.patch(path, { isShared: false })
    const unshared = await latest()
    expect(JSON.stringify(await activity(other))).not.toContain('lans')
    expect(codeOf(await undo(unshared, other))).toEqual([404, 'not-found'])
    expect((await activity())[0]?.parts).toMatchObject([{ kind: 'dashboard-unshared', dashboard: 'Plans' }])
    const filtered = (await owner.get(`/api/activity?collection=${open.id}`)).text
    expect(filtered).not.toContain('Plans')
  })

  test('only its creator can make a dashboard private', async () => {
    const sheet = await collection()
    const [mine, other] = [await sharer(sheet), await sharer(sheet)]
    const board = await made(DASHBOARDS, { name: 'Team', items: [{ view: (await chartView(sheet)).id }] }, mine)
    await mine.patch(`${DASHBOARDS}/${board.id}`, { isShared: true })
    const shared = await latest(mine)
    const refused = (await undo(shared, other, '?preview=true')).body.refused
    expect(refused).toMatchObject([{ message: 'Only the creator of a dashboard can share it or make it private.' }])
    expect(codeOf(await undo(shared, other))).toEqual([403, 'forbidden'])
    expect((await undo(shared, mine)).status).toBe(200)
  })
})

describe('permissions', () => {
  test('allow only the creator to change a private dashboard, and people who share views to change a shared one', async () => {
    const sheet = await collection()
    const [mine, others, viewer] = [await sharer(sheet), await sharer(sheet), await reader(sheet)]
    const board = await made(DASHBOARDS, { name: 'Ours', items: [{ view: (await chartView(sheet)).id }] }, mine)
    const path = `${DASHBOARDS}/${board.id}`
    expect(codeOf(await others.get(path))).toEqual([404, 'not-found'])
    expect((await mine.patch(path, { isShared: true })).status).toBe(200)
    expect((await viewer.get(path)).body).toMatchObject({ mayChange: false, mayShare: false })
    expect(codeOf(await viewer.patch(path, { name: 'X' }))).toEqual([403, 'forbidden'])
    expect(codeOf(await viewer.delete(path))).toEqual([403, 'forbidden'])
    expect((await others.patch(path, { name: 'Ours too' })).status).toBe(200)
    expect(codeOf(await others.patch(path, { isShared: false }))).toEqual([403, 'forbidden'])
    expect((await mine.patch(path, { isShared: false })).status).toBe(200)
    expect(codeOf(await others.delete(path))).toEqual([404, 'not-found'])
  })

  test('allow readers to have private dashboards, but not to share them', async () => {
    const sheet = await collection()
    const viewer = await reader(sheet)
    expect(codeOf(await viewer.post(DASHBOARDS, { name: 'Mine', isShared: true }))).toEqual([403, 'forbidden'])
    const board = await made(DASHBOARDS, { name: 'Mine' }, viewer)
    expect(codeOf(await viewer.patch(`${DASHBOARDS}/${board.id}`, { isShared: true }))).toEqual([403, 'forbidden'])
    expect((await viewer.delete(`${DASHBOARDS}/${board.id}`)).status).toBe(204)
  })
})

describe('the view type “chart”', () => {
  test('accepts only fields that charts can use', async () => {
    const sheet = await collection()
    const refusal = async (options: object) => {
      const answer = await owner.post(sheet.views, { name: 'A chart', display: { kind: 'chart', options } })
      return [answer.status, answer.body.errors?.map(({ path }: { readonly path: string }) => path)]
    }
    expect(await refusal({ by: 'notes' })).toEqual([422, ['display.options.by']])
    expect(await refusal({ by: 'status', splitBy: 'notes' })).toEqual([422, ['display.options.splitBy']])
    expect(await refusal({ aggregate: 'sum', measured: 'status' })).toEqual([422, ['display.options.measured']])
    expect(await refusal({ interval: 'decade' })).toEqual([400, ['display.options.interval']])
    expect(await refusal({ by: 'createdAt', interval: 'week' })).toEqual([201, undefined])
  })

  test('opens lists with exactly the records of a group', async () => {
    const { body: others } = await owner.post('/api/collections', {
      label: `Others ${(count += 1)}`,
      fields: [{ label: 'Title', kind: 'text' }],
    })
    const { body: sheet } = await owner.post('/api/collections', {
      label: `Kinds ${count}`,
      fields: [
        { label: 'Title', kind: 'text' },
        { label: 'Status', kind: 'select', options: { choices: [{ name: 'open' }, { name: 'a "b" \\c' }] } },
        { label: 'Done', kind: 'checkbox' },
        { label: 'Amount', kind: 'number' },
        { label: 'Due on', kind: 'date' },
        { label: 'Starts at', kind: 'date-time' },
        { label: 'Owner', kind: 'user', options: { many: false } },
        { label: 'Other', kind: 'relation', options: { collection: others.id, many: false } },
        { label: 'Big', kind: 'formula', options: { formula: 'amount > 1' } },
      ],
    })
    const other = await made(`/api/collections/${others.id}/records`, { values: { title: 'x' } })
    const records = `/api/collections/${sheet.id}/records`
    const rows = [
      { title: 'a', status: 'open', done: true, amount: 0.1, dueOn: '2026-12-31', startsAt: '2026-12-31T22:30:00Z' },
      {
        title: 'A',
        status: 'a "b" \\c',
        done: false,
        amount: 2,
        dueOn: '2027-01-01',
        startsAt: '2026-12-31T23:30:00Z',
      },
      { title: '"q" && x', owner: owner.userId, other: other.id, startsAt: '2027-01-31T22:59:59Z' },
      { title: null, amount: 2, dueOn: '9999-12-31' },
      {},
    ]
    for (const values of rows) await made(records, { values })
    await owner.patch('/api/workspace/time-zone', { timeZone: 'Europe/Vienna' })
    const { body: definition } = await owner.get(`/api/collections/${sheet.id}`)
    const { timeZone } = definition
    const wanted = definition.fields.flatMap((field: Field) => {
      const isDate = field.kind === 'date' || field.kind === 'date-time'
      return isDate ? GROUP_INTERVALS.map((interval) => ({ field, interval })) : [{ field, interval: null }]
    })
    const reader = { 'time-zone': 'Pacific/Auckland' }
    const counted = async (filter: string): Promise<number> => {
      const { status, body, text } = await owner.get(
        `${records}?count=exact&filter=${encodeURIComponent(filter)}`,
        reader,
      )
      expect(status, `${filter} ${text}`).toBe(200)
      return body.total
    }
    for (const group of wanted) {
      const by = group.interval === null ? group.field.name : `${group.field.name}:${group.interval}`
      const { body } = await owner.get(`/api/collections/${sheet.id}/groups?by=${by}`, reader)
      const groups: readonly { readonly key: ChartKey; readonly count: number }[] = body.groups.map(
        ({ key, count: size }: { readonly key: { readonly [name: string]: unknown }; readonly count: number }) => {
          const value = key[by] ?? null
          const text = group.interval !== null && typeof value === 'string' ? value : JSON.stringify(value)
          const kind = value === null ? 'empty' : 'group'
          return { key: { key: text, kind, label: '', value: size, color: null }, count: size }
        },
      )
      expect(groups.length, by).toBeGreaterThan(1)
      for (const [at, { key, count: size }] of groups.entries()) {
        const filter = printFilter(filterOfKey(group, key, { shown: [], timeZone }))
        expect([by, filter, await counted(filter)]).toEqual([by, filter, size])
        if (group.interval !== null) continue
        const shown = groups.slice(0, at).map((each) => each.key)
        const rest = filterOfKey(group, { key: 'other', kind: 'other' }, { shown, timeZone })
        const all = filterOfKeys(group, shown, timeZone)
        const before = groups.slice(0, at).reduce((sum, each) => sum + each.count, 0)
        expect([by, await counted(printFilter(rest))]).toEqual([by, rows.length - before])
        expect([by, await counted(printFilter(all))]).toEqual([by, before])
      }
      const all = printFilter(
        filterOfKeys(
          group,
          groups.map(({ key }) => key),
          timeZone,
        ),
      )
      expect([by, await counted(all)]).toEqual([by, rows.length])
    }
    await owner.patch('/api/workspace/time-zone', { timeZone: 'UTC' })
  })

  test('reads its data as groups by interval, under the reader’s permissions', async () => {
    const sheet = await collection()
    const records = `/api/collections/${sheet.name}/records`
    for (const [dueOn, amount] of [
      ['2026-01-31', 1],
      ['2026-02-01', 2],
      ['2026-02-28', 4],
      [null, 8],
    ])
      await made(records, { values: { dueOn, amount } })
    const groups = `/api/collections/${sheet.name}/groups`
    const { body } = await owner.get(`${groups}?by=dueOn:month&aggregates=sum(amount)`)
    expect(body.groups).toMatchObject([
      { key: { 'dueOn:month': '2026-01-01' }, label: '2026-01-01', aggregates: { 'sum(amount)': 1 } },
      { key: { 'dueOn:month': '2026-02-01' }, aggregates: { 'sum(amount)': 6 } },
      { key: { 'dueOn:month': null }, label: '', aggregates: { 'sum(amount)': 8 } },
    ])
    expect(codeOf(await owner.get(`${groups}?by=status:month`))).toEqual([400, 'invalid-group'])
    expect(codeOf(await owner.get(`${groups}?by=dueOn:decade`))).toEqual([400, 'invalid-group'])
    const { body: definition } = await owner.get(`/api/collections/${sheet.name}`)
    const due = definition.fields.find(({ name }: { readonly name: string }) => name === 'dueOn')
    const hidden = await app.asGranted([grant('records:read', sheet, { fields: { except: [due.id] } })])
    const refused = await hidden.get(`${groups}?by=dueOn:month`)
    const missing = await hidden.get(`${groups}?by=dueTo:month`)
    expect([refused.status, refused.body.code]).toEqual([missing.status, missing.body.code])
  })
})
