import fc from 'fast-check'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { EVENTUALLY } from '#tests/support/clock/eventually.ts'
import { perTier } from '#tests/support/test-tier.ts'
import { fieldInput } from '#api/collections.ts'
import type { Collection } from '#domain/collections/collection.ts'
import type { Transaction } from '#server/platform/database/database.ts'
import { addField, removeCollection, removeField } from '#server/schema/collections/change-collection.ts'
import { changeField } from '#server/schema/fields/change-field.ts'
import { notifySearchIndexChanged } from '#server/query/definitions/definitions-cache.ts'
import { countRecords, selectPage } from '#server/query/run/run-records-query.ts'
import { commitChange } from '#server/records/changes/commit-change.ts'
import { getCollection } from '#server/query/definitions/find-collection.ts'
import { columnOf, tableOf } from '#server/query/sql/sql-context.ts'
import { textsIn } from '#server/query/search/searched-texts.ts'
import { type FullTextIndex, fullTextTableOf, trigramTableOf } from '#server/query/search/full-text-index.ts'
import { createRecalculationWorker } from '#server/records/rollups/recalculation-worker.ts'
import { writeNewRecord } from '#server/records/write/write-new-records.ts'
import { createRecord, deleteRecord, updateRecord } from '#server/records/crud/write-record.ts'
import { checkedQuery, scopeOf } from '#server/access/record-access/authorized-query.ts'
import { TESTER, type TestRecords, openTestRecords } from '#tests/support/database/test-records.ts'
import { MAX_SYNC_ROWS } from './sync-definition.ts'
import { indexPending } from './index-pending.ts'
import { discardFullTextIndexes, indexImport } from './index-records.ts'
import { createSearchIndexer } from './search-indexer.ts'
import { ALL_ROWS, countEntries, createFullTextIndex, dropFullTextIndex, indexRows } from './full-text-store.ts'

let records: TestRecords
beforeAll(async () => {
  records = await openTestRecords({ dialect: 'sqlite' })
})
afterAll(() => records.close())

const field = (label: string, kind: string) => fieldInput.parse({ label, kind })

const partsOf = async (collection: string): Promise<readonly FullTextIndex[]> =>
  (await records.deps.definitions.current()).searchParts.get(collection) ?? []

async function contentOf({ db }: Pick<Transaction, 'db'>, part: FullTextIndex): Promise<string[]> {
  const { rows } = await sql<{ entry: string }>`
    select distinct doc || ' ' || term as entry from ${sql.id(trigramTableOf(part.id))} order by entry`.execute(db)
  return rows.map(({ entry }) => entry)
}

async function holdsRemovedFields({ id }: FullTextIndex): Promise<boolean> {
  const row = records.deps.database.read.selectFrom('search_parts').select('fields').where('id', '=', id)
  return (await row.executeTakeFirstOrThrow()).fields.includes('-')
}

const TEXTS = { timeZone: 'UTC', dialect: 'sqlite' } as const
const namesOf = (collection: Collection) => textsIn(collection, TEXTS).map(({ name }) => name)

const indexAll = () => indexPending({ ...records.deps, onIndexed: () => undefined }, new AbortController().signal)

async function expectRight(collection: string): Promise<void> {
  await indexAll()
  const definition = (await records.deps.definitions.current()).byId.get(collection)
  const parts = await partsOf(collection)
  const texts = definition ? namesOf(definition) : []
  expect(parts.flatMap(({ fields }) => fields).sort()).toEqual([...texts].sort())
  for (const part of parts) {
    expect(part.gap).toBeNull()
    const fresh = { ...part, id: records.deps.newId() }
    const [held, wanted] = await records.deps.database.write(async (transaction) => {
      if (!definition) return [[], []]
      await createFullTextIndex(transaction, fresh)
      await indexRows(transaction, fresh, { collection: definition, timeZone: TEXTS.timeZone }, ALL_ROWS)
      const both = [await contentOf(transaction, part), await contentOf(transaction, fresh)]
      await dropFullTextIndex(transaction, fresh.id)
      return both
    })
    // The trigrams of a removed field stay in the index; hits are checked in the records.
    if (await holdsRemovedFields(part)) expect(held).toEqual(expect.arrayContaining(wanted ?? []))
    else expect(held).toEqual(wanted)
  }
}

const createText = (collection: string, values: object) =>
  createRecord(records.deps, TESTER, { collection }, { ...values })

async function createMany(collection: string, titles: readonly string[], fails = false): Promise<void> {
  await commitChange(records.deps, TESTER, async (writing) => {
    const definition = writing.definitions.byId.get(collection)
    const changes = []
    for (const title of titles) {
      if (!definition) continue
      const values = { [definition.fields[0]?.id ?? '']: title }
      changes.push((await writeNewRecord(writing, definition, values)).change)
    }
    if (fails) throw new Error('on purpose')
    return { answer: undefined, changes, events: [] }
  })
}

async function search(id: string, text: string): Promise<number> {
  const definitions = await records.deps.definitions.current()
  const { collection, decision } = getCollection(definitions, TESTER, 'records:read', id)
  const queryActor = { definitions, actor: TESTER, now: new Date(), timeZone: 'UTC' }
  const query = checkedQuery(queryActor, collection, decision, { search: text, perPage: 500 })
  const scope = scopeOf(records.deps, definitions)
  const { total } = await countRecords(scope, query, 'exact')
  const { rows } = await selectPage(scope, query, [])
  expect(rows).toHaveLength(Math.min(500, total))
  return total
}

async function keepOnce(): Promise<void> {
  const indexer = createSearchIndexer({ ...records.deps, log: pino({ level: 'silent' }) })
  indexer.start()
  await expect.poll(lacking, { timeout: 15_000 }).toEqual([])
  await indexer.stop()
}

async function lacking(): Promise<string[]> {
  records.deps.definitions.drop()
  const { list, searchParts } = await records.deps.definitions.current()
  return list.flatMap((collection) => {
    const parts = searchParts.get(collection.id) ?? []
    const known = new Set(parts.flatMap((part) => part.fields))
    const isWhole = parts.every(({ gap }) => gap === null) && namesOf(collection).every((name) => known.has(name))
    return isWhole ? [] : [collection.name]
  })
}

async function addImported(collection: string, importId: string, count: number): Promise<void> {
  const { database, definitions, newId } = records.deps
  const definition = (await definitions.current()).byId.get(collection)
  const title = definition?.fields[0]?.id ?? ''
  const titles = Array.from({ length: count }, (_, at) => `imported ${at}`)
  await createMany(collection, titles)
  await indexAll()
  await database.write(async (transaction) => {
    const table = sql.table(tableOf(collection))
    await sql`update ${table} set import_id = ${importId} where import_id is null and ${sql.id(`${columnOf(title)}_fold`)} like 'imported %'`.execute(
      transaction.db,
    )
    for (const part of await partsOf(collection)) {
      await sql`delete from ${sql.id(fullTextTableOf(part.id))} where rowid in (select seq from ${table} where import_id = ${importId})`.execute(
        transaction.db,
      )
    }
    await notifySearchIndexChanged(transaction)
    if (definition)
      await indexImport({ transaction, definitions: await definitions.within(transaction) }, definition, {
        importId,
        firstId: '',
      })
  })
  definitions.drop()
  expect(newId()).toBeTruthy()
}

const countRecordsOf = async (collection: string): Promise<number> => {
  const rows = sql<{ count: number }>`select count(*) as count from ${sql.table(tableOf(collection))}`
  return (await rows.execute(records.deps.database.read)).rows[0]?.count ?? 0
}

const entriesOf = async (collection: string): Promise<string> => {
  const [part] = await partsOf(collection)
  return part ? (await contentOf({ db: records.deps.database.read }, part)).join() : ''
}

describe('the full-text index of a collection', () => {
  test('is updated after the write; until then, searches read the changed records themselves', async () => {
    const { deps } = records
    const collection = await records.collection('Drafts', [field('Title', 'text')])
    const { id: record } = await createText(collection, { title: 'Voyage' })
    await createText(collection, { title: 'Lantern' })
    await indexAll()
    await updateRecord(deps, TESTER, { collection, record }, { values: { title: 'Meadow' } })
    const found = () =>
      Promise.all(['voyage', 'meadow', 'lantern', 'vo', 'do', 'an'].map((text) => search(collection, text)))
    expect(await entriesOf(collection)).toContain('oya')
    expect(await found()).toEqual([0, 1, 1, 0, 1, 1])

    const indexer = createSearchIndexer({ ...deps, log: pino({ level: 'silent' }) })
    indexer.start()
    await expect.poll(() => entriesOf(collection)).not.toContain('oya')
    expect(await found()).toEqual([0, 1, 1, 0, 1, 1])
    // A running indexer also indexes later changes.
    await createText(collection, { title: 'Orchard' })
    expect(await search(collection, 'orch')).toBe(1)
    await expect.poll(() => entriesOf(collection)).toContain('orc')
    await indexer.stop()

    await updateRecord(deps, TESTER, { collection, record }, { values: { title: 'Walnut' } })
    await deleteRecord(deps, TESTER, { collection, record })
    expect(await Promise.all(['meadow', 'walnut'].map((text) => search(collection, text)))).toEqual([0, 0])
    await expectRight(collection)
  })

  test("is updated by every write to the collection's records", async () => {
    const notes = await records.collection('Notes', [
      field('Title', 'text'),
      field('Body', 'rich-text'),
      field('Phone', 'phone'),
      field('Number', 'auto-number'),
    ])
    const ids: string[] = []
    const text = fc.string({ unit: fc.constantFrom(...'aäß😀 %_"\'\\zq'), maxLength: 12 })
    const document = (words: string) => ({
      type: 'doc',
      content: [{ type: 'paragraph', content: [{ type: 'text', text: words || '.' }] }],
    })
    const step = fc.oneof(
      fc.record({ does: fc.constant('create' as const), title: text, body: text }),
      fc.record({ does: fc.constant('update' as const), at: fc.nat(50), title: text }),
      fc.record({ does: fc.constant('empty' as const), at: fc.nat(50) }),
      fc.record({ does: fc.constant('delete' as const), at: fc.nat(50) }),
      fc.record({ does: fc.constant('many' as const), at: fc.nat(50), title: text }),
      fc.record({ does: fc.constant('fail' as const), title: text }),
    )
    const property = fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      for (const one of steps) {
        const id = 'at' in one ? ids[one.at % Math.max(1, ids.length)] : undefined
        if (one.does === 'create') {
          ids.push((await createText(notes, { title: one.title, body: document(one.body), phone: '+43 1 234567' })).id)
        } else if (one.does === 'fail') {
          await expect(createMany(notes, [one.title, 'another'], true)).rejects.toThrow('on purpose')
        } else if (id !== undefined) {
          const place = { collection: notes, record: id }
          if (one.does === 'update') await updateRecord(records.deps, TESTER, place, { values: { title: one.title } })
          if (one.does === 'empty')
            await updateRecord(records.deps, TESTER, place, { values: { title: null, body: null, phone: null } })
          if (one.does === 'many') await createMany(notes, [one.title, `${one.title}!`])
          if (one.does === 'delete') {
            await deleteRecord(records.deps, TESTER, place)
            ids.splice(ids.indexOf(id), 1)
          }
        }
      }
      const found = () => Promise.all(['aäß', 'zq', 'q'].map((needle) => search(notes, needle)))
      const before = await found()
      await expectRight(notes)
      expect(await found()).toEqual(before)
    })
    await fc.assert(property, { numRuns: perTier(25) })
  })

  test('is updated when fields are added, converted or deleted', async () => {
    const things = await records.collection('Things', [field('Title', 'text'), field('Size', 'number')])
    await createText(things, { title: 'Chair', size: 123456 })
    await addField(records.deps, TESTER, things, field('Colour', 'text'))
    await createText(things, { title: 'Table', colour: 'Crimson' })
    await expectRight(things)
    expect(await search(things, 'rims')).toBe(1)

    await changeField(records.deps, TESTER, { collection: things, field: 'size' }, { kind: 'text' })
    await expectRight(things)
    expect(await search(things, '2345')).toBe(1)
    await changeField(records.deps, TESTER, { collection: things, field: 'colour' }, { kind: 'long-text' })
    await expectRight(things)
    expect(await search(things, 'rims')).toBe(1)
    await changeField(records.deps, TESTER, { collection: things, field: 'size' }, { kind: 'number' })
    expect(await search(things, '2345')).toBe(0)
    await removeField(records.deps, TESTER, things, 'colour')
    await expectRight(things)
    expect(await search(things, 'rims')).toBe(0)
    expect(await search(things, 'hai')).toBe(1)

    await removeCollection(records.deps, TESTER, things)
    expect(await partsOf(things)).toEqual([])
  })

  test('does not exist for a collection without text fields', async () => {
    const sizes = await records.collection('Sizes', [field('Size', 'number')])
    await createText(sizes, { size: 1 })
    expect(await partsOf(sizes)).toEqual([])
    expect(await search(sizes, '1')).toBe(0)
  })

  test('indexes a small import immediately and a large one in the background; all records are found in the meantime', async () => {
    const people = await records.collection('People', [field('Title', 'text')])
    await createText(people, { title: 'Ada' })
    await addImported(people, 'small', 50)
    await expectRight(people)
    await addImported(people, 'big', MAX_SYNC_ROWS + 500)
    expect((await partsOf(people))[0]?.gap).not.toBeNull()
    expect(await search(people, 'imported')).toBe(MAX_SYNC_ROWS + 550)
    expect(await search(people, 'ed 249')).toBe(13)
    // If a run is interrupted, the next run indexes the remaining records.
    const stopped = createSearchIndexer({ ...records.deps, log: pino({ level: 'silent' }) })
    stopped.start()
    await stopped.stop()
    records.deps.definitions.drop()
    expect(await search(people, 'ed 249')).toBe(13)
    await keepOnce()
    await expectRight(people)
    expect(await search(people, 'ed 249')).toBe(13)
  })

  test('is extended by a separate index for a new field in a large collection', async () => {
    const [people] = (await records.deps.definitions.current()).list.filter(({ name }) => name === 'people')
    const id = people?.id ?? ''
    await addField(records.deps, TESTER, id, field('Town', 'text'))
    expect(await partsOf(id)).toMatchObject([{ gap: null }, { gap: null }])
    await createText(id, { title: 'Berta', town: 'Linz' })
    expect(await search(id, 'berta linz')).toBe(1)
    await changeField(records.deps, TESTER, { collection: id, field: 'town' }, { kind: 'long-text' })
    expect(await search(id, 'linz ber')).toBe(1)
    await keepOnce()
    await expectRight(id)
    expect(await search(id, 'linz ber')).toBe(1)
  })

  test('indexes the numbers of an auto-number field added to a large collection', async () => {
    const [people] = (await records.deps.definitions.current()).list.filter(({ name }) => name === 'people')
    const id = people?.id ?? ''
    await addField(records.deps, TESTER, id, field('Number', 'auto-number'))
    expect((await partsOf(id)).at(-1)?.gap).not.toBeNull()
    expect(await search(id, '2551')).toBe(1)
    await keepOnce()
    await expectRight(id)
    expect(await search(id, '2551')).toBe(1)
  })

  test('indexes the texts of a lookup added to a large collection once, after they are calculated', async () => {
    const { deps } = records
    const [people] = (await deps.definitions.current()).list.filter(({ name }) => name === 'people')
    const id = people?.id ?? ''
    const offices = await records.collection('Offices', [field('Name', 'text')])
    const { id: office } = await createText(offices, { name: 'Vienna' })
    const add = (definition: object) => addField(deps, TESTER, id, fieldInput.parse(definition))
    await add({ label: 'Office', kind: 'relation', options: { collection: 'offices', many: false } })
    await createText(id, { title: 'Clara', office })
    await keepOnce()
    await indexAll()
    await add({ label: 'Office name', kind: 'lookup', options: { path: ['office'], field: 'name' } })
    const log = pino({ level: 'silent' })
    const indexer = createSearchIndexer({ ...deps, log })
    const worker = createRecalculationWorker({ ...deps, log, keepIndexes: () => Promise.resolve() })
    indexer.start()
    worker.start()
    await worker.settled()
    const marked = deps.database.read.selectFrom('search_pending').select('seq').where('collection_id', '=', id)
    expect(await marked.execute()).toEqual([])
    expect(await search(id, 'clara vienna')).toBe(1)
    await expect.poll(lacking, { timeout: 15_000 }).toEqual([])
    await worker.stop()
    await indexer.stop()
    await expectRight(id)
    expect(await search(id, 'clara vienna')).toBe(1)
    const part = (await partsOf(id)).at(-1)
    const counted = part && (await countEntries(deps.database.read, part))
    expect(counted).toEqual({ entries: await countRecordsOf(id), deleted: 0 })
  })

  test('is created by the indexer if missing', async () => {
    const [people] = (await records.deps.definitions.current()).list.filter(({ name }) => name === 'people')
    const id = people?.id ?? ''
    await records.deps.database.write(async (transaction) => {
      for (const part of await partsOf(id)) await dropFullTextIndex(transaction, part.id)
      await notifySearchIndexChanged(transaction)
    })
    records.deps.definitions.drop()
    expect(await search(id, 'linz ber')).toBe(1)
    await keepOnce()
    await expectRight(id)
  })

  test('keeps the entries of deleted records while most are being deleted, and is replaced afterwards', async () => {
    const orders = await records.collection('Orders', [field('Title', 'text')])
    const { id: first } = await createText(orders, { title: 'First order' })
    await createText(orders, { title: 'Second order' })
    await indexAll()
    const { database, definitions, clock } = records.deps
    const discarded = { collection: orders, at: clock().toISOString() }
    await database.write((transaction) => discardFullTextIndexes(transaction, definitions, discarded))
    await deleteRecord(records.deps, TESTER, { collection: orders, record: first })
    expect(await entriesOf(orders)).toContain('fir')
    expect(await search(orders, 'order')).toBe(1)

    const [replaced] = await partsOf(orders)
    vi.useFakeTimers({ toFake: ['setInterval'] })
    const indexer = createSearchIndexer({ ...records.deps, log: pino({ level: 'silent' }) })
    indexer.start()
    const currentIndex = () => {
      vi.advanceTimersByTime(60_000)
      return partsOf(orders)
    }
    await expect.poll(currentIndex, EVENTUALLY).not.toContainEqual(replaced)
    await indexer.stop()
    vi.useRealTimers()
    await expectRight(orders)
    expect(await search(orders, 'order')).toBe(1)
  })

  test('is replaced after an hour even if its collection is still changing', async () => {
    const { database, definitions, clock } = records.deps
    const messages = await records.collection('Messages', [field('Title', 'text')])
    await createText(messages, { title: 'A message' })
    const hourAgo = new Date(clock().getTime() - 61 * 60_000).toISOString()
    const discarded = { collection: messages, at: hourAgo }
    await database.write((transaction) => discardFullTextIndexes(transaction, definitions, discarded))
    const [replaced] = await partsOf(messages)
    const indexer = createSearchIndexer({ ...records.deps, log: pino({ level: 'silent' }) })
    indexer.start()
    await expect.poll(() => partsOf(messages), EVENTUALLY).not.toContainEqual(replaced)
    await indexer.stop()
    await expectRight(messages)
  })
})
