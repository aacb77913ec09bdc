import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fieldInput } from '#api/collections.ts'
import { addField } from '#server/schema/collections/change-collection.ts'
import { EVENTUALLY } from '#tests/support/clock/eventually.ts'
import { TESTER, type TestRecords, openTestRecords } from '#tests/support/database/test-records.ts'
import { recalculateNextDependents } from './recalculate-dependents.ts'
import { rollupsOf } from './rollup-plans.ts'
import { pendingRecalculations, requestDependents } from './rollups-store.ts'

let records: TestRecords
beforeAll(async () => {
  records = await openTestRecords()
})
afterAll(() => records.close())

async function makeLookup() {
  const { deps } = records
  await records.collection('Clients', [{ label: 'Name', kind: 'text' }])
  const options = { collection: 'clients', many: false }
  const projects = await records.collection('Projects', [{ label: 'Client', kind: 'relation', options }])
  const lookup = { label: 'Client name', kind: 'lookup', options: { path: ['client'], field: 'name' } }
  await addField(deps, TESTER, projects, fieldInput.parse(lookup))
  const definitions = await deps.definitions.current()
  const [plan] = rollupsOf(definitions).plans
  if (!plan) throw new Error('The lookup has no plan.')
  return { definitions, plan, client: deps.newId() }
}

test('a record that changes just before a recalculation ends is recalculated as well', async () => {
  const { database } = records.deps
  const { definitions, plan, client } = await makeLookup()
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
