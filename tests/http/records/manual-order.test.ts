import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import { type Answer, type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let owner: Caller
let count = 0

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
})
afterAll(() => app.close())

type Ordered = {
  readonly collection: string
  readonly path: string
  readonly views: string
  readonly view: string
  readonly ids: { readonly [title: string]: string }
  readonly openOnly: NonNullable<Grant['where']>
}

const FIELDS = [
  { label: 'Title', kind: 'text' },
  { label: 'Status', kind: 'select', options: { choices: [{ name: 'open' }, { name: 'done' }] } },
]

/** A shared view in manual order. It has records with these titles; those in uppercase are done. */
async function ordered(titles: string): Promise<Ordered> {
  count += 1
  const made = await owner.post('/api/collections', { label: `Sheet ${count}`, fields: FIELDS })
  const path = `/api/collections/${made.body.name}`
  const ids: Record<string, string> = {}
  for (const title of titles) {
    const status = title === title.toUpperCase() ? 'done' : 'open'
    const { body } = await owner.post(`${path}/records`, { values: { title, status } })
    ids[title] = body.id
  }
  const view = await owner.post(`${path}/views`, { name: 'Plan', isShared: true, query: { sort: '@manual' } })
  expect(view.status, view.text).toBe(201)
  const status = made.body.fields.find(({ name }: { name: string }) => name === 'status')
  const openOnly = { field: status.id, op: '=', value: status.options.choices[0].id } as const
  return { collection: made.body.id, path, views: `${path}/views`, view: view.body.id, ids, openOnly }
}

type Move = readonly [title: string, place: 'before' | 'after', neighbor: string]

const move = ({ views, view, ids }: Ordered, [title, place, neighbor]: Move, by: Caller = owner): Promise<Answer> =>
  by.post(`${views}/${view}/order`, { record: ids[title], place, neighbor: ids[neighbor] })

async function moved(list: Ordered, ...to: Move): Promise<string> {
  const answer = await move(list, to)
  expect(answer.status, answer.text).toBe(204)
  return titlesOf(list)
}

async function titlesOf({ path, view }: Ordered, more = '&perPage=100', by: Caller = owner): Promise<string> {
  const answer = await by.get(`${path}/records?sort=@manual:${view}&fields=title${more}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.items.map(({ values }: { values: { title: string } }) => values.title).join('')
}

function expectProblem(answer: Answer, status: number, code: string): void {
  expect(answer.status, answer.text).toBe(status)
  expect(answer.body.code).toBe(code)
}

const reader = (grants: readonly Grant[] = []) =>
  app.asGranted([{ permission: 'records:read', collection: null }, ...grants])

describe('the manual order of a view', () => {
  test('starts in order of creation and keeps each moved record in its place', async () => {
    const list = await ordered('abcde')
    expect(await titlesOf(list)).toBe('abcde')
    expect(await moved(list, 'e', 'before', 'a')).toBe('eabcd')
    expect(await moved(list, 'a', 'after', 'd')).toBe('ebcda')
    expect(await moved(list, 'd', 'after', 'b')).toBe('ebdca')
    expect(await moved(list, 'c', 'after', 'b')).toBe('ebcda')
    expect(await moved(list, 'c', 'before', 'd')).toBe('ebcda')
    expect(await moved(list, 'b', 'before', 'e')).toBe('becda')
    expect(await moved(list, 'b', 'before', 'b')).toBe('becda')
    // A move is undone by moving the record back beside its neighbor.
    expect(await moved(list, 'b', 'after', 'e')).toBe('ebcda')
    await owner.post(`${list.path}/records`, { values: { title: 'f' } })
    expect(await titlesOf(list)).toBe('ebcdaf')
  })

  test('agrees with moves in a list, with pages, cursors, filters, searches and groups', async () => {
    const titles = 'aBcDeFgHiJkL'
    const list = await ordered(titles)
    let expected = [...titles]
    for (let step = 0; step < 40; step += 1) {
      const [from, to] = [(step * 7) % titles.length, (step * 5 + 3) % titles.length]
      const [title = '', neighbor = ''] = [titles[from], titles[to]]
      if (title === neighbor) continue
      const place = step % 3 === 0 ? 'before' : 'after'
      expected = expected.filter((each) => each !== title)
      expected.splice(expected.indexOf(neighbor) + (place === 'after' ? 1 : 0), 0, title)
      expect(await moved(list, title, place, neighbor)).toBe(expected.join(''))
    }
    const done = expected.filter((each) => each === each.toUpperCase()).join('')
    expect(await titlesOf(list, '&filter=status="done"')).toBe(done)
    expect(await titlesOf(list, '&perPage=5&page=2')).toBe(expected.slice(5, 10).join(''))
    expect(await titlesOf(list, '&search=done')).toBe(done)
    const { path, view } = list
    const grouped = await owner.get(`${path}/records?sort=-status,@manual:${view}&fields=title&perPage=100`)
    expect(
      grouped.body.items
        .slice(0, 6)
        .map((item: { values: { title: string } }) => item.values.title)
        .join(''),
    ).toBe(done)

    let [cursor, paged] = ['', '']
    while (cursor !== 'end') {
      const after: Answer = await owner.get(
        `${path}/records?sort=@manual:${view}&perPage=5${cursor === '' ? '' : `&cursor=${cursor}`}`,
      )
      expect(after.status, after.text).toBe(200)
      paged += after.body.items.map((item: { values: { title: string } }) => item.values.title).join('')
      cursor = after.body.nextCursor ?? 'end'
    }
    expect(paged).toBe(expected.join(''))
  })

  test('continues at a cursor from before the first move', async () => {
    const list = await ordered('abcd')
    const query = `${list.path}/records?sort=@manual:${list.view}&perPage=2`
    const { nextCursor } = (await owner.get(query)).body
    await moved(list, 'd', 'before', 'c')
    const rest = await owner.get(`${query}&cursor=${nextCursor}`)
    expect(rest.body.items.map((item: { values: { title: string } }) => item.values.title)).toEqual(['d', 'c'])
  })

  test('keeps all records that are moved to the same place at once', async () => {
    const list = await ordered('abcdef')
    const answers = await Promise.all(['c', 'd', 'e', 'f'].map((title) => move(list, [title, 'after', 'a'])))
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204])
    const titles = await titlesOf(list)
    expect(titles).toMatch(/^a[cdef]{4}b$/)
    expect(new Set(titles).size).toBe(6)
  })

  test('is separate for each view and not part of the records', async () => {
    const list = await ordered('abc')
    const other = await owner.post(list.views, { name: 'Other', query: { sort: '@manual' } })
    await moved(list, 'c', 'before', 'a')
    expect(await titlesOf({ ...list, view: other.body.id })).toBe('abc')
    const record = await owner.get(`${list.path}/records/${list.ids['c']}`)
    expect(record.body.version).toBe(1)
    expect(await titlesOf(list, `&at=${app.clock.now().toISOString()}`)).toBe('abc')
  })

  test('survives deleted neighbors and restored records', async () => {
    const list = await ordered('abcd')
    await moved(list, 'd', 'after', 'a')
    await moved(list, 'c', 'after', 'd')
    const deleted = await owner.delete(`${list.path}/records/${list.ids['a']}`)
    expect(await titlesOf(list)).toBe('dcb')
    expectProblem(await move(list, ['b', 'after', 'a']), 404, 'record-not-found')
    await owner.delete(`${list.path}/records/${list.ids['d']}`)
    expect(await titlesOf(list)).toBe('cb')
    expect(await moved(list, 'b', 'before', 'c')).toBe('bc')
    expect(deleted.status).toBeLessThan(300)
  })

  test('is seen by everyone who can use the view, and changed by those who can edit it', async () => {
    const list = await ordered('abc')
    await moved(list, 'c', 'before', 'a')
    const [user, editor] = [await reader(), await reader([{ permission: 'views:share', collection: null }])]
    expect(await titlesOf(list, '', user)).toBe('cab')
    expectProblem(await move(list, ['a', 'before', 'c'], user), 403, 'forbidden')
    expect((await move(list, ['a', 'before', 'c'], editor)).status).toBe(204)
    expect(await titlesOf(list)).toBe('acb')

    await owner.patch(`${list.views}/${list.view}`, { isLocked: true })
    expectProblem(await move(list, ['c', 'before', 'a'], editor), 403, 'forbidden')
    await owner.patch(`${list.views}/${list.view}`, { isShared: false })
    const hidden = await user.get(`${list.path}/records?sort=@manual:${list.view}`)
    expectProblem(hidden, 400, 'invalid-sort')
    expectProblem(await move(list, ['a', 'before', 'c'], editor), 404, 'not-found')
  })

  test('reveals no record that the reader can’t read', async () => {
    const list = await ordered('aBcD')
    const limited = await app.asGranted([
      { permission: 'records:read', collection: list.collection, where: list.openOnly },
      { permission: 'views:share', collection: null },
    ])
    await moved(list, 'D', 'before', 'a')
    await moved(list, 'c', 'before', 'B')
    expect(await titlesOf(list, '', limited)).toBe('ac')
    expectProblem(await move(list, ['a', 'after', 'D'], limited), 404, 'record-not-found')
    expectProblem(await move(list, ['B', 'after', 'c'], limited), 404, 'record-not-found')
    expect((await move(list, ['a', 'after', 'c'], limited)).status).toBe(204)
    expect(await titlesOf(list, '', limited)).toBe('ca')
    expect(await titlesOf(list)).toBe('DcaB')
  })

  test('hides the place of a record that the reader can’t read from cursors', async () => {
    const list = await ordered('aBcd')
    const limited = await app.asGranted([
      { permission: 'records:read', collection: list.collection, where: list.openOnly },
    ])
    const query = `${list.path}/records?sort=@manual:${list.view}`
    const cursorOf = async (by: Caller): Promise<string> => (await by.get(`${query}&perPage=1`)).body.nextCursor
    const withId = (cursor: string, title: string) => cursor.replace(list.ids['a'] ?? '', list.ids[title] ?? '')
    const after = async (cursor: string, by: Caller = limited) => {
      const { status, body } = await by.get(`${query}&cursor=${cursor}`)
      return status === 200 ? body.items.map(({ id }: { id: string }) => id) : body.code
    }
    const unmoved = await cursorOf(limited)
    await moved(list, 'd', 'after', 'a')
    const cursor = await cursorOf(limited)
    const seen = []
    for (const place of ['a', 'd', 'c']) {
      await moved(list, 'B', 'after', place)
      seen.push([await after(withId(cursor, 'B')), await after(withId(unmoved, 'B'))])
    }
    expect(seen).toEqual([seen[0], seen[0], seen[0]])
    expect(await after(cursor)).toEqual([list.ids['d'], list.ids['c']])
    expect(await after(await cursorOf(owner))).toBe('invalid-cursor')
    const middle = cursor.length >> 1
    const forged = `${cursor.slice(0, middle)}${cursor[middle] === 'A' ? 'B' : 'A'}${cursor.slice(middle + 1)}`
    expect(await after(forged)).toBe('invalid-cursor')

    // The place of the last record is that at which it was read.
    await owner.patch(`${list.path}/records/${list.ids['a']}`, { values: { status: 'done' } })
    await moved(list, 'a', 'after', 'c')
    expect(await after(cursor)).toEqual([list.ids['d'], list.ids['c']])
  })

  test('rejects sorts that don’t name a view of the collection', async () => {
    const list = await ordered('ab')
    const other = await ordered('ab')
    const sorted = (sort: string) => owner.get(`${list.path}/records?sort=${sort}`)
    expectProblem(await sorted('@manual'), 400, 'invalid-sort')
    expectProblem(await sorted('@manual:missing'), 400, 'invalid-sort')
    expectProblem(await sorted(`@manual:${other.view}`), 400, 'invalid-sort')
    expectProblem(await sorted(`-@manual:${list.view}`), 400, 'invalid-sort')
    expectProblem(await owner.get(`${list.path}/groups?by=status&sort=@manual:missing`), 400, 'invalid-sort')
  })

  test('is deleted with its view and with records that can’t be restored', async () => {
    const list = await ordered('abcd')
    await moved(list, 'c', 'before', 'a')
    const positions = () => app.database.read.selectFrom('view_positions').selectAll().where('view_id', '=', list.view)
    expect(await positions().execute()).toHaveLength(1)
    await owner.delete(`${list.path}/records/${list.ids['c']}`)
    expect(await positions().execute()).toHaveLength(1)
    await owner.post('/api/history/erase', { records: [list.ids['c']] })
    expect(await positions().execute()).toHaveLength(0)
    await moved(list, 'b', 'before', 'a')
    await owner.delete(`${list.path}/records/${list.ids['b']}`)
    await owner.post('/api/trash/delete', { records: [list.ids['b']] })
    expect(await positions().execute()).toHaveLength(0)
    await moved(list, 'd', 'before', 'a')
    await owner.delete(`${list.views}/${list.view}`)
    expect(await positions().execute()).toHaveLength(0)
  })
})
