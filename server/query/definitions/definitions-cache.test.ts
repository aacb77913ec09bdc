import { type KyselyPlugin, type QueryId, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commitChange } from '#server/records/changes/commit-change.ts'
import { EVENTUALLY } from '#tests/support/clock/eventually.ts'
import { testDialect } from '#tests/support/database/test-database.ts'
import { TESTER, type TestRecords, openTestRecords } from '#tests/support/database/test-records.ts'
import { tableOf } from '#server/query/sql/sql-context.ts'
import { addField, removeField } from '#server/schema/collections/change-collection.ts'
import { definitionsCache } from './definitions-cache.ts'
import { incrementDefinitionsVersion } from './store.ts'

let records: TestRecords

beforeAll(async () => {
  records = await openTestRecords()
})
afterAll(() => records.close())

function holdingFirst(table: string) {
  const reached = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  let first: QueryId | undefined
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      if (JSON.stringify(node).includes(`"${table}"`)) first ??= queryId
      return node
    },
    transformResult: async ({ result, queryId }) => {
      if (queryId !== first) return result
      reached.resolve()
      await released.promise
      return result
    },
  }
  return { plugin, reached: reached.promise, release: released.resolve }
}

test('definitions read before a change never replace newer definitions', async () => {
  const notes = await records.collection('Notes', [{ label: 'Title', kind: 'text' }])
  const held = holdingFirst('imports')
  const { database } = records.deps
  const cache = definitionsCache({ ...database, read: database.read.withPlugin(held.plugin) }, () => 0)
  const early = cache.current()
  await held.reached
  const field = { label: 'Hours', kind: 'number', required: false, unique: false, options: {} } as const
  await addField(records.deps, TESTER, notes, field)
  cache.drop()
  const fieldsNow = async () => (await cache.current()).byId.get(notes)?.fields.length
  expect(await fieldsNow()).toBe(2)
  held.release()
  await early
  expect(await fieldsNow()).toBe(2)
})

test('only the fields of changed collections are loaded again', async () => {
  const [tasks, people] = [
    await records.collection('Tasks', [{ label: 'Title', kind: 'text' }]),
    await records.collection('People', [{ label: 'Name', kind: 'text' }]),
  ]
  const { database } = records.deps
  const cache = definitionsCache(database, () => 0)
  const fieldsNow = async (id: string) => (await cache.current()).byId.get(id)?.fields
  const before = await fieldsNow(people)
  await removeField(records.deps, TESTER, tasks, 'title')
  cache.drop()
  expect(await fieldsNow(tasks)).toEqual([])
  expect(await fieldsNow(people)).toBe(before)
})

test('after a change, the definitions are not loaded again', async () => {
  const plans = await records.collection('Plans', [{ label: 'Title', kind: 'text' }])
  const field = { label: 'Hours', kind: 'number', required: false, unique: false, options: {} } as const
  await addField(records.deps, TESTER, plans, field)
  records.reads()
  expect((await records.deps.definitions.current()).byId.get(plans)?.fields).toHaveLength(2)
  expect(records.reads()).toBe(0)
})

test('a write sees the definitions of its transaction, even if the cache has not noticed a change', async () => {
  const { deps } = records
  const cards = await records.collection('Cards', [{ label: 'Title', kind: 'text' }])
  const labelInWrite = () =>
    commitChange(deps, TESTER, async ({ definitions }) => ({
      answer: definitions.byId.get(cards)?.label,
      changes: [],
      events: [],
    }))
  await deps.definitions.current()
  expect(await labelInWrite()).toBe('Cards')
  // As another process would change it.
  await deps.database.write(async (transaction) => {
    await transaction.db.updateTable('collections').set({ label: 'Maps' }).where('id', '=', cards).execute()
    await incrementDefinitionsVersion(transaction)
  })
  expect((await deps.definitions.current()).byId.get(cards)?.label).toBe('Cards')
  expect(await labelInWrite()).toBe('Maps')
})

/** Exclusive locks of tables on PostgreSQL, held or waited for. */
async function exclusiveLocks() {
  const { rows } = await sql<{ table: string; granted: boolean }>`
    select c.relname as "table", l.granted from pg_locks as l join pg_class as c on c.oid = l.relation
    where l.database = (select oid from pg_database where datname = current_database())
      and l.mode in ('ExclusiveLock', 'AccessExclusiveLock')`.execute(records.deps.database.read)
  return rows
}

const testOnPostgres = testDialect() === 'postgres' ? test : (...ignored: unknown[]) => ignored

testOnPostgres('a definition change waits for other writes before it locks a table', async () => {
  const { deps } = records
  const notes = await records.collection('Notes', [{ label: 'Title', kind: 'text' }])
  const [started, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let attempts = 0
  const write = commitChange(deps, TESTER, async ({ transaction }) => {
    attempts += 1
    started.resolve()
    await gate.promise
    await transaction.db.deleteFrom(tableOf(notes)).execute()
    return { answer: undefined, changes: [], events: [] }
  })
  await started.promise
  const field = { label: 'Hours', kind: 'number', required: false, unique: false, options: {} } as const
  const change = addField(deps, TESTER, notes, field)
  await expect.poll(exclusiveLocks, EVENTUALLY).toEqual([{ table: 'workspace', granted: false }])
  gate.resolve()
  await Promise.all([write, change])
  expect(attempts).toBe(1)
})
