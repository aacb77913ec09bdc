import { afterAll, beforeAll, expect, test } from 'vitest'
import { fieldInput } from '#api/collections.ts'
import { listRecords as endpoint } from '#api/records.ts'
import type { Actor } from '#domain/access/actor.ts'
import type { Grant } from '#domain/access/grant.ts'
import { TESTER, type TestRecords, openTestRecords } from '#tests/support/database/test-records.ts'
import { listRecords } from '#server/records/crud/list-records.ts'
import { createRecord, deleteRecord, updateRecord } from '#server/records/crud/write-record.ts'
import { createCollection } from '#server/schema/collections/create-collection.ts'

let records: TestRecords
let places = ''
let prices = ''
let visits = ''
const ids = { north: '', south: '', price: '', visit: '' }

const create = async (collection: string, values: object): Promise<string> =>
  (await createRecord(records.deps, TESTER, { collection }, { ...values })).id

beforeAll(async () => {
  records = await openTestRecords()
  places = await records.collection('Places', [
    { label: 'Title', kind: 'text' },
    { label: 'Region', kind: 'text' },
  ])
  const amount = fieldInput.parse({ label: 'Amount', kind: 'number' })
  prices = (await createCollection(records.deps, TESTER, { label: 'Prices', fields: [amount], titleField: 'amount' }))
    .id
  visits = await records.collection('Visits', [
    { label: 'Title', kind: 'text' },
    { label: 'From', kind: 'relation', options: { collection: places } },
    { label: 'Over', kind: 'relation', options: { collection: places, many: true } },
    { label: 'Price', kind: 'relation', options: { collection: prices } },
  ])
  ids.north = await create(places, { title: 'Oslo', region: 'north' })
  ids.south = await create(places, { title: 'Rome', region: 'south' })
  ids.price = await create(prices, { amount: 12.5 })
  const [from, over, price] = [ids.south, [ids.south, ids.north], ids.price]
  ids.visit = await create(visits, { title: 'v', from, over, price })
})
afterAll(() => records.close())

const NORTH = { field: 'region', op: '=', value: 'north' } as const

const reader = (onPlaces: readonly Omit<Grant, 'permission' | 'collection'>[]): Actor => ({
  type: 'user',
  userId: 'u',
  sessionId: null,
  name: 'U',
  grants: [
    { permission: 'records:read', collection: visits },
    { permission: 'records:read', collection: prices },
    ...onPlaces.map((grant): Grant => ({ permission: 'records:read', collection: places, ...grant })),
  ],
})

async function shownTo(actor: Actor, expand?: string, deps = records.deps) {
  const query = endpoint.query.parse({ count: 'none', fields: 'from,over,price', ...(expand && { expand }) })
  await records.deps.definitions.current()
  records.reads()
  const { items } = await listRecords(deps, actor, visits, query)
  return { values: items[0]?.values, reads: records.reads() }
}

const oslo = (title = 'Oslo') => ({ id: ids.north, title })
const rome = (title = 'Rome') => ({ id: ids.south, title })
const price = () => ({ id: ids.price, title: '12.5' })

test('linked records of all fields and collections are read in one statement', async () => {
  const { values, reads } = await shownTo(reader([{ where: NORTH }]), '*')
  expect(values).toEqual({ from: null, over: [oslo()], price: price() })
  expect(reads).toBe(2)
})

test('unexpanded fields contain only the IDs of visible records', async () => {
  const { values, reads } = await shownTo(reader([{ where: NORTH }]))
  expect(values).toEqual({ from: null, over: [ids.north], price: ids.price })
  expect(reads).toBe(2)
  expect(await shownTo(reader([{}]))).toMatchObject({ values: { from: ids.south }, reads: 1 })
})

test('a field can be expanded beside an unexpanded field with the same target', async () => {
  const { values } = await shownTo(reader([{}]), 'over')
  expect(values).toEqual({ from: ids.south, over: [rome(), oslo()], price: ids.price })
})

test('records of an unreadable collection are left out', async () => {
  expect((await shownTo(reader([]), '*')).values).toEqual({ from: null, over: [], price: price() })
})

test('a record whose title is hidden is named by its ID', async () => {
  const { fields } = (await records.deps.definitions.current()).byId.get(places) ?? { fields: [] }
  const title = fields.find(({ name }) => name === 'title')?.id ?? ''
  const hidden = await shownTo(reader([{ fields: { except: [title] } }]), '*')
  expect(hidden.values).toMatchObject({ from: rome(ids.south), over: [rome(ids.south), oslo(ids.north)] })
  const partly = await shownTo(reader([{ fields: { except: [title] } }, { where: NORTH }]), '*')
  expect(partly.values).toMatchObject({ from: rome(ids.south), over: [rome(ids.south), oslo()] })
})

test('markers in a row filter are resolved for each reader with the same grants', async () => {
  const ofRegion = reader([{ where: { field: 'region', op: '=', value: { marker: '@me.region' } } }])
  const inRegion = (region: string): Actor => ({ ...ofRegion, profile: { region } }) as Actor
  expect((await shownTo(inRegion('north'), '*')).values).toMatchObject({ from: null, over: [oslo()] })
  expect((await shownTo(inRegion('south'), '*')).values).toMatchObject({ from: rome(), over: [rome()] })
})

test('a record disappears when a formula in the row filter with the current time becomes false', async () => {
  const actor = reader([{ where: { formula: 'dateadd(createdAt, 1, "day") > now()' } }])
  expect((await shownTo(actor, '*')).values).toMatchObject({ from: rome() })
  const later = new Date(records.deps.clock().getTime() + 2 * 86_400_000)
  expect((await shownTo(actor, '*', { ...records.deps, clock: () => later })).values).toMatchObject({ from: null })
})

test('a record disappears as soon as it leaves the row filter or is deleted', async () => {
  const actor = reader([{ where: NORTH }])
  const moved = await create(places, { title: 'Bergen', region: 'north' })
  const place = { collection: visits, record: ids.visit }
  await updateRecord(records.deps, TESTER, place, { values: { from: moved } })
  const bergen = { id: moved, title: 'Bergen' }
  expect((await shownTo(actor, '*')).values).toMatchObject({ from: bergen })
  await updateRecord(records.deps, TESTER, { collection: places, record: moved }, { values: { region: 'south' } })
  expect((await shownTo(actor, '*')).values).toMatchObject({ from: null })
  expect((await shownTo(reader([{}]), '*')).values).toMatchObject({ from: bergen })
  await deleteRecord(records.deps, TESTER, { collection: places, record: moved })
  expect((await shownTo(reader([{}]), '*')).values).toMatchObject({ from: null })
})
