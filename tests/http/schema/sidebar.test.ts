import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import { MAX_FAVORITES } from '#domain/collections/favorite.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let owner: Caller
let count = 0

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
})
afterAll(() => app.close())

async function aCollection(body: object = {}) {
  count += 1
  const answer = await owner.post('/api/collections', { label: `Shelf ${count}`, ...body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

async function aRecord(collection: string, title: string): Promise<string> {
  const answer = await owner.post(`/api/collections/${collection}/records`, { values: { title } })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.id
}

const reads = (collection: string, where?: string): Grant => ({
  permission: 'records:read',
  collection,
  ...(where !== undefined && { where: { field: 'title', op: '=', value: where } }),
})

const listed = async (by: Caller = owner): Promise<{ id: string; group?: string }[]> =>
  (await by.get('/api/collections')).body.items

describe('collection icon and color', () => {
  test('can be set and removed, and are shown to everyone with access', async () => {
    const { id, name } = await aCollection({ icon: 'bug', color: 'red' })
    const reader = await app.asGranted([reads(id)])
    expect((await reader.get(`/api/collections/${name}`)).body).toMatchObject({ icon: 'bug', color: 'red' })
    const changed = await owner.patch(`/api/collections/${name}`, { icon: 'leaf', color: null })
    expect(changed.body).toMatchObject({ icon: 'leaf', version: 2 })
    expect(changed.body).not.toHaveProperty('color')
    expect((await reader.patch(`/api/collections/${name}`, { icon: 'cpu' })).status).toBe(403)
    expect((await owner.patch(`/api/collections/${name}`, { icon: 'dragon' })).status).toBe(400)
  })

  test('are unaffected by other changes', async () => {
    const { name } = await aCollection({ icon: 'plane', color: 'cyan', group: 'Travel' })
    const { body } = await owner.patch(`/api/collections/${name}`, { label: 'Journeys' })
    expect(body).toMatchObject({ label: 'Journeys', icon: 'plane', color: 'cyan', group: 'Travel' })
  })

  test('a collection moved to another group appears last in that group', async () => {
    const [first, second] = [await aCollection({ group: 'Garden' }), await aCollection()]
    await owner.patch(`/api/collections/${second.name}`, { group: ' Garden ' })
    const inGarden = (await listed()).filter(({ group }) => group === 'Garden')
    expect(inGarden.map(({ id }) => id)).toEqual([first.id, second.id])
  })
})

describe('reordering the sidebar', () => {
  test('moves collections and groups in one request, which is logged', async () => {
    const [one, two] = [await aCollection(), await aCollection()]
    const groups = [{ name: 'Upstairs', collections: [two.id, one.id] }]
    const answer = await owner.put('/api/sidebar', { groups })
    expect(answer.status, answer.text).toBe(204)
    const upstairs = (await listed()).filter(({ group }) => group === 'Upstairs')
    expect(upstairs.map(({ id }) => id)).toEqual([two.id, one.id])
    const logged = await app.database.read
      .selectFrom('changes')
      .selectAll()
      .where('kind', '=', 'collections-arranged')
      .execute()
    expect(logged).toMatchObject([{ user_id: owner.userId, after: expect.stringContaining('Upstairs') }])
  })

  test('requires permission to manage all collections', async () => {
    const { id } = await aCollection()
    const body = { groups: [{ name: null, collections: [id] }] }
    const manager = await app.asGranted([{ permission: 'collections:manage', collection: id }])
    expect((await manager.put('/api/sidebar', body)).status).toBe(403)
    const viewer = await app.asViewer()
    expect((await viewer.put('/api/sidebar', body)).status).toBe(403)
  })

  test('changes nothing if it refers to a missing collection', async () => {
    const before = await listed()
    const groups = [{ name: 'Nowhere', collections: ['01900000000000000000000000'] }]
    const answer = await owner.put('/api/sidebar', { groups })
    expect([answer.status, answer.body.code]).toEqual([422, 'definition-invalid'])
    expect(await listed()).toEqual(before)
  })
})

describe('favourites', () => {
  const namesOf = (answer: { body: { items: { name: string }[] } }) => answer.body.items.map(({ name }) => name)

  test('favorites can be collections, views and records, returned with current names in the order chosen by the user', async () => {
    const me = await app.asOwner()
    const { name, label } = await aCollection()
    const record = await aRecord(name, 'Roof')
    const view = await owner.post(`/api/collections/${name}/views`, { name: 'Open ones', isShared: true })
    await me.post('/api/favourites', { collection: name })
    await me.post('/api/favourites', { collection: name, view: view.body.id })
    const added = await me.post('/api/favourites', { collection: name, record, position: 0 })
    expect(added.status, added.text).toBe(201)
    expect(namesOf(added)).toEqual(['Roof', label, 'Open ones'])
    expect(namesOf(await me.post('/api/favourites', { collection: name, record }))).toHaveLength(3)

    await owner.patch(`/api/collections/${name}/records/${record}`, { values: { title: 'Cellar' } })
    const ids = added.body.items.map(({ id }: { id: string }) => id)
    const ordered = await me.put('/api/favourites', { ids: ids.toReversed() })
    expect(namesOf(ordered)).toEqual(['Open ones', label, 'Cellar'])
    expect(namesOf(await me.delete(`/api/favourites/${ids[1]}`))).toEqual(['Open ones', 'Cellar'])
    expect(namesOf(await owner.get('/api/favourites'))).toEqual([])
  })

  test('favorites are removed when their target is deleted or no longer accessible', async () => {
    const { id, name } = await aCollection()
    const [seen, unseen] = [await aRecord(name, 'seen'), await aRecord(name, 'unseen')]
    const reader = await app.asGranted([reads(id, 'seen')])
    expect((await reader.post('/api/favourites', { collection: name, record: unseen })).status).toBe(404)
    const kept = await reader.post('/api/favourites', { collection: name, record: seen })
    expect(namesOf(kept)).toEqual(['seen'])
    await owner.patch(`/api/collections/${name}/records/${seen}`, { values: { title: 'moved away' } })
    expect(namesOf(await reader.get('/api/favourites'))).toEqual([])
    await owner.patch(`/api/collections/${name}/records/${seen}`, { values: { title: 'seen' } })
    expect(namesOf(await reader.get('/api/favourites'))).toEqual(['seen'])
    await owner.delete(`/api/collections/${name}`)
    expect(namesOf(await reader.get('/api/favourites'))).toEqual([])
  })

  test("favorites can't refer to another user's view or a hidden collection", async () => {
    const { id, name } = await aCollection()
    const hidden = await aCollection()
    const own = await owner.post(`/api/collections/${name}/views`, { name: 'Mine alone' })
    const reader = await app.asGranted([reads(id)])
    const tries = [
      { collection: name, view: own.body.id },
      { collection: hidden.name },
      { collection: hidden.id, record: 'any' },
    ]
    const answers = await Promise.all(tries.map((body) => reader.post('/api/favourites', body)))
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    expect(namesOf(await reader.get('/api/favourites'))).toEqual([])
  })

  test(`the number of favorites is limited to ${MAX_FAVORITES}, not counting deleted targets`, async () => {
    const me = await app.asOwner()
    const { name } = await aCollection()
    const records = await Promise.all(Array.from({ length: MAX_FAVORITES + 1 }, (_, at) => aRecord(name, `No ${at}`)))
    for (const record of records.slice(1)) await me.post('/api/favourites', { collection: name, record })
    const tooMany = await me.post('/api/favourites', { collection: name, record: records[0] })
    expect([tooMany.status, tooMany.body.code]).toEqual([422, 'definition-invalid'])
    await owner.delete(`/api/collections/${name}/records/${records[1]}`)
    const fits = await me.post('/api/favourites', { collection: name, record: records[0] })
    expect(fits.body.items).toHaveLength(MAX_FAVORITES)
  })
})
