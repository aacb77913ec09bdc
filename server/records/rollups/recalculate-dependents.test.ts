import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fieldInput } from '#api/collections.ts'
import { columnOf, tableOf } from '#server/query/sql/sql-context.ts'
import { createRecord, updateRecord } from '#server/records/crud/write-record.ts'
import { addField } from '#server/schema/collections/change-collection.ts'
import { EVENTUALLY } from '#tests/support/clock/eventually.ts'
import { TESTER, type TestRecords, openTestRecords } from '#tests/support/database/test-records.ts'
import { recalculateNextDependents } from './recalculate-dependents.ts'
import { createRecalculationWorker } from './recalculation-worker.ts'
import { rollupsOf } from './rollup-plans.ts'
import {
  changedInputs,
  pendingRecalculations,
  requestDependents,
  requestRecalculation,
  saveProgress,
} from './rollups-store.ts'

let records: TestRecords
let made: Awaited<ReturnType<typeof makeLookup>>
beforeAll(async () => {
  records = await openTestRecords()
  made = await makeLookup()
})
afterAll(() => records.close())

async function makeLookup() {
  const { deps } = records
  const clients = await records.collection('Clients', [{ label: 'Name', kind: 'text' }])
  const options = { collection: 'clients', many: false }
  const projects = await records.collection('Projects', [{ label: 'Client', kind: 'relation', options }])
  const lookup = { label: 'Client name', kind: 'lookup', options: { path: ['client'], field: 'name' } }
  await addField(deps, TESTER, projects, fieldInput.parse(lookup))
  const definitions = await deps.definitions.current()
  const [plan] = rollupsOf(definitions).plans
  if (!plan) throw new Error('The lookup has no plan.')
  return { definitions, plan, clients, projects }
}

test('a record that changes just before a recalculation ends is recalculated as well', async () => {
  const { database, newId } = records.deps
  const { definitions, plan } = made
  const client = newId()
  await database.write((transaction) => requestDependents(transaction, plan.field.id, []))

  const [added, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const adding = database.write(async (transaction) => {
    await requestDependents(transaction, plan.field.id, [{ level: 1, record: client }])
    added.resolve()
    await released.promise
  })
  await added.promise
  const ending = database.write((transaction) => recalculateNextDependents({ transaction, definitions }, plan, 10), {
    locksItself: true,
  })
  // SQLite runs one write after the other; on PostgreSQL, the second waits for a lock.
  const isWaiting = async () => {
    const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return database.dialect === 'sqlite' || (await waiting.execute(database.read)).rows.length > 0
  }
  await expect.poll(isWaiting, EVENTUALLY).toBe(true)
  released.resolve()
  await Promise.all([adding, ending])
  expect(await pendingRecalculations(database.read)).toMatchObject([{ field: plan.field.id }])
})

test('dependents of a record that changes while all values are being calculated follow afterwards, if no index finds them', async () => {
  const { plan, clients, projects } = made
  const deps = { ...records.deps, isIndexed: () => false }
  const { id: client } = await createRecord(deps, TESTER, { collection: clients }, { name: 'Before' })
  const { id: project } = await createRecord(deps, TESTER, { collection: projects }, { client })
  const field = plan.field.id
  const atEnd = { field, collection: projects, cursor: project, until: null, isAgain: false, done: 1, total: 1 }
  await deps.database.write(async (transaction) => {
    await requestRecalculation(transaction, [field])
    await saveProgress(transaction, atEnd)
  })
  const place = { collection: clients, record: client }
  await updateRecord(deps, TESTER, place, { values: { name: 'After' } })
  expect(await changedInputs(deps.database.read, field)).toEqual([{ level: 1, record: client, cursor: '' }])
  expect(await pendingRecalculations(deps.database.read)).toMatchObject([atEnd])

  const keepIndexes = () => Promise.resolve()
  const worker = createRecalculationWorker({ ...deps, log: pino({ level: 'silent' }), keepIndexes })
  worker.start()
  await worker.settled()
  await worker.stop()
  const column = sql.id(columnOf(field))
  const stored = sql`select ${column} as name from ${sql.table(tableOf(projects))} where id = ${project}`
  expect((await stored.execute(deps.database.read)).rows).toEqual([{ name: 'After' }])
  expect(await pendingRecalculations(deps.database.read)).toEqual([])
})
