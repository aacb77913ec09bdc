import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fieldInput } from '#api/collections.ts'
import type { Actor } from '#domain/access/actor.ts'
import type { Grant } from '#domain/access/grant.ts'
import type { Filter } from '#domain/query/filter/filter.ts'
import { createRecord } from '#server/records/crud/write-record.ts'
import { listRecords } from '#server/records/crud/list-records.ts'
import { TESTER, type TestRecords, openTestRecords } from '#tests/support/database/test-records.ts'
import { createCollection } from '#server/schema/collections/create-collection.ts'
import { searchEverything } from './search-everything.ts'

let records: TestRecords
let [people, tasks, plain] = ['', '', '']

const field = (label: string, kind: string, options = {}) => fieldInput.parse({ label, kind, options })
const make = async (collection: string, values: object) =>
  (await createRecord(records.deps, TESTER, { collection }, { ...values })).id

beforeAll(async () => {
  records = await openTestRecords()
  people = await records.collection('People', [field('Name', 'text'), field('Secret', 'text')])
  tasks = await records.collection('Tasks', [
    field('Title', 'text'),
    field('Notes', 'long-text'),
    field('Status', 'select', { choices: [{ name: 'Ready' }, { name: 'Crème' }] }),
    field('Owner', 'relation', { collection: 'people' }),
    field('Salary', 'text'),
  ])
  plain = await records.collection('Sizes', [field('Size', 'number')])
  const ada = await make(people, { name: 'Ada Crème', secret: 'brûlée' })
  const bob = await make(people, { name: 'Bob', secret: 'none' })
  await make(tasks, { title: 'Boil', notes: 'Some crème brûlée for all', owner: bob, salary: 'crème 100' })
  await make(tasks, { title: 'Crème first', notes: 'nothing', status: 'Crème', owner: ada })
  await make(tasks, { title: 'Unrelated', owner: bob })
  await make(plain, { size: 100 })
})
afterAll(() => records.close())

const reads = (collection: string, hidden: readonly string[] = [], where?: Filter): Grant => ({
  permission: 'records:read',
  collection,
  fields: { except: hidden },
  ...(where && { where }),
})

const userWith = (...grants: readonly Grant[]): Actor => ({
  type: 'user',
  userId: '0000000000000000000000user',
  sessionId: null,
  name: 'Test user',
  grants,
})

const search = async (q: string, actor: Actor = TESTER, limit = 5) =>
  searchEverything(records.deps, actor, { q, limit })

const fieldIds = async (collection: string): Promise<ReadonlyMap<string, string>> => {
  const { byId } = await records.deps.definitions.current()
  return new Map(byId.get(collection)?.fields.map(({ id, name }) => [name, id]))
}

describe('a global search', () => {
  test('returns collections in order, title matches first, with highlights', async () => {
    const { groups, isComplete } = await search('CREME')
    expect(isComplete).toBe(true)
    expect(groups).toMatchObject([
      {
        collection: { name: 'people', label: 'People' },
        items: [{ title: 'Ada Crème', titleMarks: [[4, 9]], snippet: null }],
      },
      {
        collection: { name: 'tasks' },
        hasMore: false,
        items: [
          {
            title: 'Crème first',
            titleMarks: [[0, 5]],
            snippet: { field: 'status', label: 'Status', text: 'Crème', marks: [[0, 5]] },
          },
          {
            title: 'Boil',
            titleMarks: [],
            snippet: { field: 'notes', text: 'Some crème brûlée for all', marks: [[5, 10]] },
          },
        ],
      },
    ])
  })

  test('requires all words in the same record, in any field', async () => {
    expect((await search('boil brulee')).groups).toMatchObject([{ items: [{ title: 'Boil' }] }])
    expect((await search('boil ada')).groups).toEqual([])
    expect((await search('"brulee for"')).groups).toMatchObject([{ items: [{ title: 'Boil' }] }])
  })

  test('returns a few records per collection and indicates whether there are more', async () => {
    const { groups } = await search('e', TESTER, 1)
    expect(groups.map(({ items, hasMore }) => [items.length, hasMore])).toEqual([
      [1, true],
      [1, true],
    ])
  })

  test('finds nothing for an empty query, and rejects too many words', async () => {
    expect(await search('  ""')).toEqual({ groups: [], isComplete: true })
    await expect(search('x '.repeat(17))).resolves.toMatchObject({ isComplete: true })
    await expect(search(Array.from({ length: 17 }, (_, at) => `w${at}`).join(' '))).rejects.toMatchObject({
      code: 'invalid-search',
    })
  })

  test("never reveals fields, records or collections that the reader can't see", async () => {
    const fields = await fieldIds(tasks)
    const hidden = ['notes', 'salary'].map((name) => fields.get(name) ?? '')
    const bound = userWith(reads(tasks, hidden, { field: 'title', op: '!=', value: 'Crème first' }))
    expect((await search('creme', bound)).groups).toEqual([])
    expect((await search('100', bound)).groups).toEqual([])
    expect((await search('boil', bound)).groups).toMatchObject([{ items: [{ title: 'Boil', snippet: null }] }])
    // Titles of related records are returned only to users who may read them.
    expect((await search('bob', bound)).groups).toEqual([])
    const both = userWith(reads(tasks), reads(people, [], { field: 'name', op: '!=', value: 'Bob' }))
    expect((await search('bob', both)).groups).toEqual([])
    expect((await search('ada', both)).groups).toMatchObject([
      { collection: { name: 'people' } },
      {
        collection: { name: 'tasks' },
        items: [{ title: 'Crème first', snippet: { field: 'owner', text: 'Ada Crème', marks: [[0, 3]] } }],
      },
    ])
    const nobody: Actor = { type: 'guest' }
    expect((await search('creme', nobody)).groups).toEqual([])
  })

  test('does not return a hidden title', async () => {
    const title = (await fieldIds(tasks)).get('title') ?? ''
    const { groups } = await search('brulee', userWith(reads(tasks, [title])))
    expect(groups).toMatchObject([{ items: [{ title: '', titleMarks: [], snippet: { field: 'notes' } }] }])
    expect((await search('boil', userWith(reads(tasks, [title])))).groups).toEqual([])
  })

  test('returns a title only in records where the reader may see it', async () => {
    const [title, notes] = await Promise.all(['title', 'notes'].map(async (name) => (await fieldIds(tasks)).get(name)))
    const actor = userWith(reads(tasks, [title ?? '']), {
      permission: 'records:read',
      collection: tasks,
      where: { field: notes ?? '', op: '=', value: 'nothing' },
    })
    const titleOf = async (q: string) => (await search(q, actor)).groups.map(({ items }) => items[0]?.title)
    expect(await titleOf('brulee')).toEqual([''])
    expect(await titleOf('nothing')).toEqual(['Crème first'])
  })

  test('returns a number as a title, but doesn’t search it', async () => {
    const fields = [field('Number', 'number'), field('Text', 'text')]
    const { id } = await createCollection(records.deps, TESTER, { label: 'Numbered', fields, titleField: 'number' })
    await make(id, { number: 100, text: 'exactly 100 pages' })
    expect((await search('100 pages')).groups).toMatchObject([
      {
        items: [
          {
            title: '100',
            titleMarks: [],
            snippet: {
              field: 'text',
              marks: [
                [8, 11],
                [12, 17],
              ],
            },
          },
        ],
      },
    ])
    await make(id, { number: 4711 })
    expect((await search('4711')).groups).toEqual([])
  })
})

describe('a list of records', () => {
  const list = async (search: string, more: object = {}, actor: Actor = TESTER) => {
    const requested = {
      search,
      perPage: 10,
      count: 'none',
      choices: 'name',
      richText: 'document',
      marks: true,
      ...more,
    } as const
    return (await listRecords(records.deps, actor, tasks, requested)).items.map(({ values, marks }) => ({
      title: values['title'],
      marks,
    }))
  }

  test('highlights matches in every searched field, visible or not', async () => {
    expect(await list('creme')).toEqual([
      { title: 'Boil', marks: { notes: [[5, 10]], salary: [[0, 5]] } },
      { title: 'Crème first', marks: { title: [[0, 5]], status: [[0, 5]], owner: [[4, 9]] } },
    ])
    expect(await list('creme brulee', { fields: 'title' })).toEqual([
      {
        title: 'Boil',
        marks: {
          notes: [
            [5, 10],
            [11, 17],
          ],
          salary: [[0, 5]],
        },
      },
    ])
  })

  test('highlights nothing without a query, or when not requested', async () => {
    expect((await list('')).every(({ marks }) => marks === undefined)).toBe(true)
    expect((await list('creme', { marks: undefined })).every(({ marks }) => marks === undefined)).toBe(true)
  })

  test('never highlights a hidden field', async () => {
    const fields = await fieldIds(tasks)
    const actor = userWith(reads(tasks, [fields.get('notes') ?? '']))
    expect(await list('creme', {}, actor)).toEqual([
      { title: 'Boil', marks: { salary: [[0, 5]] } },
      { title: 'Crème first', marks: { title: [[0, 5]], status: [[0, 5]] } },
    ])
  })
})
