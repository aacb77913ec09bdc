import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addField } from '#server/schema/collections/change-collection.ts'
import { commitSnapshotColumn, parseCommitSnapshot } from '#server/platform/database/database.ts'
import { changeListed } from '#server/records/bulk/change-listed.ts'
import { createRecord, deleteRecord, updateRecord } from '#server/records/crud/write-record.ts'
import { TESTER, type TestRecords, openTestRecords } from '#tests/support/database/test-records.ts'
import type { CommitNotice } from './change-feed.ts'
import { commitChange } from '#server/records/changes/commit-change.ts'

let records: TestRecords
let [notes, people] = ['', '']
let received: CommitNotice[] = []

beforeAll(async () => {
  records = await openTestRecords()
  people = await records.collection('People', [{ label: 'Name', kind: 'text' }])
  notes = await records.collection('Notes', [
    { label: 'Title', kind: 'text', required: true },
    { label: 'Writer', kind: 'relation', options: { collection: 'people' } },
  ])
  records.deps.feed.subscribe((announcement) => received.push(announcement))
})
beforeEach(() => {
  received = []
})
afterAll(() => records.close())

const create = (collection: string, values: object) => createRecord(records.deps, TESTER, { collection }, { ...values })

const versionsOf = (collection: string) =>
  received.flatMap(({ changed }): unknown[] => {
    const reported = changed === 'everything' ? 'everything' : changed.get(collection)
    return typeof reported === 'object'
      ? reported.map(({ before, after }) => [before?.version, after?.version])
      : [reported]
  })

async function viewNow() {
  const { database } = records.deps
  const { seen } = await database.read
    .selectFrom('workspace')
    .select(commitSnapshotColumn(database.dialect).as('seen'))
    .limit(1)
    .executeTakeFirstOrThrow()
  return parseCommitSnapshot(seen)
}

describe('the change feed', () => {
  test('reports each record before and after a change', async () => {
    const { id, values } = await create(notes, { title: 'One' })
    await updateRecord(records.deps, TESTER, { collection: notes, record: id }, { values: { title: 'Two' } })
    await deleteRecord(records.deps, TESTER, { collection: notes, record: id })
    expect(versionsOf(notes)).toEqual([
      [undefined, 1],
      [1, 2],
      [2, undefined],
    ])
    expect(values).toMatchObject({ title: 'One' })
    expect(received.every(({ mark }) => mark !== null)).toBe(true)
  })

  test('reports the changes that a deletion causes in other records', async () => {
    const ada = await create(people, { name: 'Ada' })
    await create(notes, { title: 'Hers', writer: ada.id })
    received = []
    await deleteRecord(records.deps, TESTER, { collection: people, record: ada.id })
    expect(received).toHaveLength(1)
    expect(versionsOf(people)).toEqual([[1, undefined]])
    expect(versionsOf(notes)).toEqual([[1, 2]])
  })

  test('reports nothing for a write that is rejected, fails or changes nothing', async () => {
    const { id } = await create(notes, { title: 'Same' })
    received = []
    await updateRecord(records.deps, TESTER, { collection: notes, record: id }, { values: { title: 'Same' } })
    await expect(create(notes, { title: '' })).rejects.toThrow()
    const failing = commitChange(records.deps, TESTER, (writing) => {
      writing.note(notes, { before: null, after: null })
      return Promise.reject(new Error('on purpose'))
    })
    await expect(failing).rejects.toThrow('on purpose')
    expect(received).toEqual([])
  })

  test('reports no details for a change to many records', async () => {
    const many = Array.from({ length: 301 }, (_, at) => ({ values: { title: `${at}` } }))
    await changeListed(records.deps, TESTER, notes, { create: many.slice(0, 300) })
    await changeListed(records.deps, TESTER, notes, { create: many })
    expect(versionsOf(notes)).toHaveLength(301)
    expect(versionsOf(notes).at(-1)).toBe('many')
  })

  test('reports no details for a write that reports fewer changes than it logs', async () => {
    await commitChange(records.deps, TESTER, async ({ newId }) => ({
      answer: undefined,
      changes: [{ kind: 'record-changed', collection: notes, record: newId(), before: null, after: null }],
      events: [],
    }))
    expect(versionsOf(notes)).toEqual(['many'])
  })

  test('reports no details for a write that provides none', async () => {
    await commitChange(records.deps, TESTER, async ({ newId }) => ({
      answer: undefined,
      changes: [],
      events: [{ type: 'records-changed', collection: notes, records: [newId()] }],
    }))
    expect(versionsOf(notes)).toEqual(['many'])
  })

  test('reports that everything changed after a definition change', async () => {
    await addField(records.deps, TESTER, people, {
      label: 'Age',
      kind: 'number',
      required: false,
      unique: false,
      options: {},
    })
    expect(versionsOf(notes)).toEqual(['everything'])
  })

  test('reports each write before its promise resolves, in write order', async () => {
    const reported: number[] = []
    const end = records.deps.feed.subscribe(() => reported.push(reported.length))
    await Promise.all(
      Array.from({ length: 20 }, async (_, at) => {
        await create(notes, { title: `${at}` })
        expect(reported.length).toBeGreaterThan(0)
      }),
    )
    expect(reported).toHaveLength(20)
    end()
    await create(notes, { title: 'unheard' })
    expect(reported).toHaveLength(20)
  })
})

describe('the commit marker', () => {
  test('is included in every later read snapshot, and in no earlier one', async () => {
    const before = await viewNow()
    await create(notes, { title: 'Marked' })
    const after = await viewNow()
    const mark = received[0]?.mark ?? 0n
    expect(before.includes(mark)).toBe(false)
    expect(after.includes(mark)).toBe(true)
  })

  test('is included in a concurrent read snapshot if and only if its record is', async () => {
    const { database } = records.deps
    const look = async () => {
      const table = database.read.selectFrom(`c_${notes}`)
      const { seen, count } = await table
        .select((each) => [each.fn.countAll().as('count'), commitSnapshotColumn(database.dialect).as('seen')])
        .executeTakeFirstOrThrow()
      return { view: parseCommitSnapshot(seen), count: Number(count) }
    }
    const writes = Array.from({ length: 60 }, async (_, at) => {
      const looking = look()
      await create(notes, { title: `beside ${at}` })
      return looking
    })
    const looks = await Promise.all(writes)
    const marks = received.map(({ mark }) => mark ?? 0n)
    const { count: final } = await look()
    for (const { view, count } of looks) {
      expect(count + marks.filter((mark) => !view.includes(mark)).length).toBe(final)
    }
  })
})
