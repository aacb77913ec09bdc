import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLog } from '#server/platform/http/logging.ts'
import { changeListed } from '#server/records/bulk/change-listed.ts'
import { TESTER, type TestRecords, openTestRecords } from '#tests/support/database/test-records.ts'
import { createTrigramMover } from './move-trigrams.ts'
import { createTrigrams, trigramIndexOf } from './trigrams-store.ts'

let records: TestRecords
beforeAll(async () => {
  records = await openTestRecords({ dialect: 'postgres' })
})
afterAll(() => records.close())

test('on PostgreSQL, trigrams of many records are moved to their index in the background', async () => {
  const { deps } = records
  const { database, feed } = deps
  await database.write((transaction) => createTrigrams(transaction))
  const collection = await records.collection('Notes', [{ label: 'Title', kind: 'text' }])
  const field = (await deps.definitions.current()).byId.get(collection)?.fields[0]?.id ?? ''
  const create = Array.from({ length: 300 }, (_, at) => ({ values: { title: `Note number ${at}` } }))
  const write = () => changeListed(deps, TESTER, collection, { create, update: [], delete: [] })
  const pagesInList = async (): Promise<number> => {
    const { rows } = await database.write(({ db }) =>
      sql<{ pages: string }>`select gin_clean_pending_list(${trigramIndexOf(field)}) as pages`.execute(db),
    )
    return Number(rows[0]?.pages)
  }
  await write()
  expect(await pagesInList()).toBeGreaterThan(0)

  const mover = createTrigramMover({ database, feed, log: openLog('silent') })
  mover.start()
  await write()
  await mover.stop()
  expect(await pagesInList()).toBe(0)
})
