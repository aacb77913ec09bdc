import { afterAll, beforeAll, expect, test } from 'vitest'
import { listRecords as endpoint } from '#api/records.ts'
import type { Actor } from '#domain/access/actor.ts'
import { NAMES_CHANGED } from '#server/platform/events/change-feed.ts'
import { createRecord, deleteRecord, updateRecord } from '#server/records/crud/write-record.ts'
import { listRecords } from '#server/records/crud/list-records.ts'
import { TESTER, type TestRecords, openTestRecords } from '#tests/support/database/test-records.ts'

let records: TestRecords
let [people, tasks] = ['', '']

beforeAll(async () => {
  records = await openTestRecords()
  people = await records.collection('People', [{ label: 'Name', kind: 'text' }])
  tasks = await records.collection('Tasks', [
    { label: 'Title', kind: 'text' },
    { label: 'Owner', kind: 'relation', options: { collection: 'people' } },
  ])
})
afterAll(() => records.close())

const USUAL = endpoint.query.parse({})

/** Titles of tasks sorted by owner, with the owner field treated as indexed. */
async function titles(actor: Actor = TESTER): Promise<unknown[]> {
  const deps = { ...records.deps, isIndexed: () => true }
  const { items } = await listRecords(deps, actor, tasks, { ...USUAL, sort: 'owner', count: 'none' })
  return items.map(({ values }) => values['title'])
}

const person = async (name: string) => (await createRecord(records.deps, TESTER, { collection: people }, { name })).id
const task = async (title: string, owner: string | null) =>
  (await createRecord(records.deps, TESTER, { collection: tasks }, { title, owner })).id
const change = (collection: string, record: string, values: object) =>
  updateRecord(records.deps, TESTER, { collection, record }, { values: { ...values } })

const readerWithout = (name: string): Actor => ({
  type: 'user',
  userId: 'u',
  sessionId: null,
  name: 'U',
  grants: [
    { permission: 'records:read', collection: tasks },
    { permission: 'records:read', collection: people, where: { field: 'name', op: '!=', value: name } },
  ],
})

test('a list sorted by names is updated after every change to its records and linked ones', async () => {
  const [bea, ada] = [await person('Bea'), await person('Ada')]
  const first = await task('of Bea', bea)
  await task('of nobody', null)
  expect(await titles()).toEqual(['of Bea', 'of nobody'])
  await task('of Ada', ada)
  expect(await titles()).toEqual(['of Ada', 'of Bea', 'of nobody'])
  expect(await titles(readerWithout('Ada'))).toEqual(['of Bea', 'of nobody', 'of Ada'])
  await change(people, ada, { name: 'Zoe' })
  expect(await titles()).toEqual(['of Bea', 'of Ada', 'of nobody'])
  await change(tasks, first, { owner: null })
  expect(await titles()).toEqual(['of Ada', 'of Bea', 'of nobody'])
  await deleteRecord(records.deps, TESTER, { collection: tasks, record: first })
  expect(await titles()).toEqual(['of Ada', 'of nobody'])
})

test('the name order is read from the cache until a name changes', async () => {
  await titles()
  records.reads()
  await titles()
  const known = records.reads()
  await task('one more of nobody', null)
  await titles()
  expect(records.reads()).toBe(known)
  records.deps.feed.announce(NAMES_CHANGED)
  await titles()
  expect(records.reads()).toBe(known)
  await task('of somebody new', await person('Mia'))
  await titles()
  expect(records.reads()).toBeGreaterThan(known)
})
