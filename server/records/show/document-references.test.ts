import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '#domain/access/actor.ts'
import type { Grant } from '#domain/access/grant.ts'
import { listRecords as endpoint } from '#api/records.ts'
import { doc, line, mention } from '#tests/support/documents/documents.ts'
import { changeListed } from '#server/records/bulk/change-listed.ts'
import { TESTER, type TestRecords, openTestRecords } from '#tests/support/database/test-records.ts'
import { listRecords } from '#server/records/crud/list-records.ts'

const NOTES = 100
const MENTIONS = 20
/** Maximum number of statements: two thousand names in batches of five hundred, plus the page itself. */
const FEW = 10

let records: TestRecords
let places = ''
let notes = ''

const make = async (collection: string, all: readonly object[]): Promise<readonly string[]> => {
  const create = all.map((values) => ({ values: { ...values } }))
  return (await changeListed(records.deps, TESTER, collection, { create })).created
}

beforeAll(async () => {
  records = await openTestRecords()
  places = await records.collection('Places', [
    { label: 'Title', kind: 'text' },
    { label: 'Region', kind: 'text' },
  ])
  notes = await records.collection('Notes', [{ label: 'Text', kind: 'rich-text' }])
  const ids = await make(
    places,
    Array.from({ length: NOTES * MENTIONS }, (_, at) => ({
      title: `p${at}`,
      region: at % 2 === 0 ? 'north' : 'south',
    })),
  )
  const mentions = ids.map((id) => mention({ kind: 'record', id, collection: places }))
  await make(
    notes,
    Array.from({ length: NOTES }, (_, at) => ({
      text: doc(line(...mentions.slice(at * MENTIONS, (at + 1) * MENTIONS))),
    })),
  )
})
afterAll(() => records.close())

const reader = (grant: Omit<Grant, 'permission' | 'collection'> = {}): Actor => ({
  type: 'user',
  userId: 'u',
  sessionId: null,
  name: 'U',
  grants: [
    { permission: 'records:read', collection: notes },
    { permission: 'records:read', collection: places, ...grant },
  ],
})

async function pageOf(actor: Actor, perPage: number) {
  records.reads()
  const query = endpoint.query.parse({ expand: '*', perPage: String(perPage), count: 'none' })
  const { items } = await listRecords(records.deps, actor, notes, query)
  const names = items.reduce((sum, { inside }) => sum + Object.keys(inside?.records ?? {}).length, 0)
  return { names, reads: records.reads() }
}

test('references in the records of a page are loaded in batches, not per record', async () => {
  expect(await pageOf(reader(), 1)).toMatchObject({ names: MENTIONS })
  const page = await pageOf(reader(), NOTES)
  expect(page.names).toBe(NOTES * MENTIONS)
  expect(page.reads).toBeLessThan(FEW)
})

test('references are also loaded in batches for a user with partial access', async () => {
  const page = await pageOf(reader({ where: { field: 'region', op: '=', value: 'north' } }), NOTES)
  expect(page.names).toBe((NOTES * MENTIONS) / 2)
  expect(page.reads).toBeLessThan(FEW)
})
