import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#server/platform/database/database.ts'
import { EVENTUALLY } from '#tests/support/clock/eventually.ts'
import { logSettled } from '#tests/support/database/settled-log.ts'
import { type OpenTestDatabase, openTestDatabase, testDialect } from '#tests/support/database/test-database.ts'
import { entriesAfter, lastEntries, LOG_START, type LogPosition, positionOf, readLogId } from './commit-order-store.ts'
import { renewMovedLog } from './moved-log.ts'

let opened: OpenTestDatabase
let database: Database

beforeAll(async () => {
  opened = await openTestDatabase()
  database = opened.database
})
afterAll(() => opened.close())

beforeEach(async () => {
  await database.write(({ db }) => db.deleteFrom('changes').execute())
})

const EMPTY = { user_id: null, collection_id: null, record_id: null, before: null, after: null, note: null }

const entry = (id: string) =>
  ({ ...EMPTY, id, at: '', kind: 'record-created', change_set_id: null, record_meta: null }) as const

/** Appends entries in one transaction, which ends when `until` does. */
const append = (ids: readonly string[], until: Promise<unknown> = Promise.resolve()): Promise<void> =>
  database.write(async ({ db }) => {
    for (const id of ids) await db.insertInto('changes').values(entry(id)).execute()
    await until
  })

const idsAfter = async (position: LogPosition, limit = 100): Promise<string[]> =>
  (await entriesAfter(database, position, limit)).map(({ id }) => id)

const testOnPostgres = testDialect() === 'postgres' ? test : (...ignored: unknown[]) => ignored

test('lists entries in commit order, not in the order of their IDs', async () => {
  await append(['b'])
  await append(['d'])
  await append(['a', 'c'])
  await logSettled(database)
  expect(await idsAfter(LOG_START)).toEqual(['b', 'd', 'a', 'c'])
  expect(await idsAfter((await positionOf(database, 'b')) ?? LOG_START, 2)).toEqual(['d', 'a'])
  expect((await lastEntries(database, 2)).map(({ id }) => id)).toEqual(['a', 'c'])
  expect(await positionOf(database, 'x')).toBeUndefined()
})

testOnPostgres('an entry is listed only after all earlier transactions have ended', async () => {
  const [started, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const slow = database.write(async ({ db }) => {
    await db.insertInto('changes').values(entry('z')).execute()
    started.resolve()
    await gate.promise
  })
  await started.promise
  await append(['a'])
  expect(await idsAfter(LOG_START)).toEqual([])
  expect(await lastEntries(database, 1)).toEqual([])
  gate.resolve()
  await slow
  await expect.poll(() => idsAfter(LOG_START), EVENTUALLY).toEqual(['z', 'a'])
})

testOnPostgres(
  'a log from another PostgreSQL server is listed in the order of its IDs, and gets a new ID',
  async () => {
    const ofOther = { b: '1000000000000', c: '900000000000', a: '1' }
    for (const [id, transaction] of Object.entries(ofOther))
      await database.write(({ db }) =>
        db
          .insertInto('changes')
          .values({ ...entry(id), transaction_id: transaction })
          .execute(),
      )
    const before = await readLogId(database.read)
    await renewMovedLog(database)
    const after = await readLogId(database.read)
    expect(after).not.toBe(before)
    await renewMovedLog(database)
    expect(await readLogId(database.read)).toBe(after)
    await append(['0'])
    await logSettled(database)
    expect(await idsAfter(LOG_START)).toEqual(['a', 'b', 'c', '0'])
  },
)

test('a reader that follows the log misses and repeats nothing while several writers overlap', async () => {
  const WRITERS = 6
  const ROUNDS = 20
  const written: string[] = []
  const write = async (writer: number): Promise<void> => {
    for (let round = 0; round < ROUNDS; round += 1) {
      // Random, so that IDs aren't in commit order.
      const id = `${Math.random().toString(36).slice(2)}-${writer}-${round}`
      written.push(id)
      await append([id], pause(Math.random() * 5))
    }
  }
  const isDone = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
  const read: string[] = []
  let position = LOG_START
  await expect
    .poll(
      async () => {
        for (const one of await entriesAfter(database, position, 7)) {
          read.push(one.id)
          position = one
        }
        return read.length
      },
      { ...EVENTUALLY, interval: 1 },
    )
    .toBe(WRITERS * ROUNDS)
  await isDone
  expect(read.toSorted()).toEqual(written.toSorted())
  expect(await idsAfter(position)).toEqual([])
  expect(await idsAfter(LOG_START, WRITERS * ROUNDS)).toEqual(read)
})
