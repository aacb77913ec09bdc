import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CompiledQuery, sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import type { Database, WriteOptions } from '#server/platform/database/database.ts'
import { EVENTUALLY } from '#tests/support/clock/eventually.ts'
import { openSqlite, type SqliteOptions } from './open-sqlite.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function aDatabase(options: Partial<SqliteOptions> = {}): Promise<Database> {
  const folder = await mkdtemp(join(tmpdir(), 'dossier-sqlite-'))
  ends.push(() => rm(folder, { recursive: true, force: true }))
  const database = await openSqlite({ file: join(folder, 'dossier.db'), ...options })
  ends.push(database.close)
  return database
}

const count = (to: number) =>
  sql`with recursive n (x) as (select 1 union all select x + 1 from n where x < ${to}) select count(*) from n`

const HEAVY = count(2_000_000)
/** Takes longer than these tests' time limits, even on a fast machine. */
const TOO_HEAVY = count(12_000_000)

const numbers = async (database: Database): Promise<number[]> => {
  const { rows } = await sql<{ x: number }>`select x from numbers order by x`.execute(database.read)
  return rows.map(({ x }) => x)
}

const withNumbers = async (options?: Partial<SqliteOptions>): Promise<Database> => {
  const database = await aDatabase(options)
  await database.write(({ db }) => sql`create table numbers (x real primary key)`.execute(db))
  return database
}

test('written pages are copied from the WAL to the database file in the background', async () => {
  const database = await withNumbers()
  await database.write(({ db }) => sql`create table texts as select randomblob(20000000) as text`.execute(db))
  const pagesCopied = async () => {
    const { rows } = await sql<{ checkpointed: number }>`pragma wal_checkpoint(noop)`.execute(database.read)
    return rows[0]?.checkpointed
  }
  await expect.poll(pagesCopied, EVENTUALLY).toBeGreaterThan(4000)
})

test.each([
  ['short', 600, 100_000, {}],
  ['long', 60, 1_000_000, { isLong: true, mayBeLost: true }],
])('the WAL starts over while pages are written all the time, in %s writes', async (_, rounds, bytes, options) => {
  const database = await aDatabase()
  await database.write(({ db }) => sql`create table blobs (x blob)`.execute(db))
  const fill = () => database.write(({ db }) => sql`insert into blobs values (zeroblob(${bytes}))`.execute(db), options)
  let highest = 0
  const writing = Array.from({ length: 3 }, async () => {
    for (let round = 0; round < rounds; round += 1) {
      await fill()
      const { rows } = await sql<{ log: number }>`pragma wal_checkpoint(noop)`.execute(database.readBriefly)
      highest = Math.max(highest, rows[0]?.log ?? 0)
    }
  })
  await Promise.all(writing)
  // At 32,000 pages, a commit would copy the rest.
  expect(highest).toBeLessThan(30_000)
})

const add = (database: Database, x: number) =>
  database.write(({ db }) => sql`insert into numbers values (${x})`.execute(db))

describe('reading from SQLite', () => {
  test('continues while heavy statements use every slot they may use', async () => {
    const database = await withNumbers()
    // Has the same SQL text as the longer statements, so that those are then known to be heavy.
    await HEAVY.execute(database.read)
    let heavyEnded = 0
    const heavy = Array.from({ length: 3 }, async () => {
      await TOO_HEAVY.execute(database.read)
      heavyEnded += 1
    })
    await numbers(database)
    const endedBefore = heavyEnded
    await Promise.all(heavy)
    expect(endedBefore).toBe(0)
  })

  test('does not block the event loop', async () => {
    const database = await aDatabase()
    let turns = 0
    const turning = setInterval(() => {
      turns += 1
    }, 1)
    await HEAVY.execute(database.read)
    clearInterval(turning)
    expect(turns).toBeGreaterThan(10)
  })

  test('is aborted at the time limit with a clear error, and the next statement gets a new thread', async () => {
    const database = await withNumbers({ readers: 2, limits: { readMs: 300, writeMs: 60_000 } })
    await expect(TOO_HEAVY.execute(database.read)).rejects.toMatchObject({
      code: 'not-ready',
      message: expect.stringContaining('Query timeout'),
    })
    expect(await numbers(database)).toEqual([])
  })

  test('of a row by key starts immediately, even while every thread runs a heavy statement', async () => {
    const database = await withNumbers({ readers: 1 })
    await add(database, 7)
    let hasHeavyEnded = false
    const heavy = HEAVY.execute(database.read).then(() => {
      hasHeavyEnded = true
    })
    const { rows } = await sql`select x from numbers where x = 7`.execute(database.readByKey)
    expect([rows, hasHeavyEnded]).toEqual([[{ x: 7 }], false])
    await heavy
  })

  test('by key runs in a worker thread after a slow statement', async () => {
    const database = await aDatabase()
    await HEAVY.execute(database.readByKey)
    let turns = 0
    const turning = setInterval(() => {
      turns += 1
    }, 1)
    await HEAVY.execute(database.readByKey)
    clearInterval(turning)
    expect(turns).toBeGreaterThan(10)
  })

  test('of few rows runs in a worker thread until it is measured to be fast, and again after a slow run', async () => {
    const database = await withNumbers({ readers: 1 })
    await add(database, 7)
    const few = () => sql<{ x: number }>`select x from numbers where x < 9`.execute(database.readBriefly)
    await few()
    let hasHeavyEnded = false
    const heavy = HEAVY.execute(database.read).then(() => {
      hasHeavyEnded = true
    })
    expect([(await few()).rows, hasHeavyEnded]).toEqual([[{ x: 7 }], false])
    await heavy
    let turns = 0
    const turning = setInterval(() => {
      turns += 1
    }, 1)
    await HEAVY.execute(database.readBriefly)
    clearInterval(turning)
    expect(turns).toBeGreaterThan(10)
  })

  test('by key includes new columns of a table that was read before', async () => {
    const database = await withNumbers()
    await add(database, 1)
    const byKey = () => sql`select * from numbers where x = 1`.execute(database.readByKey)
    expect((await byKey()).rows).toEqual([{ x: 1 }])
    await database.write(({ db }) => sql`alter table numbers add column word text`.execute(db))
    expect((await byKey()).rows).toEqual([{ x: 1, word: null }])
  })

  test('includes new columns of a table that was read before', async () => {
    const database = await withNumbers()
    await add(database, 1)
    const all = () => sql`select * from numbers`.execute(database.read)
    expect((await all()).rows).toEqual([{ x: 1 }])
    await database.write(({ db }) => sql`alter table numbers add column y text default 'new'`.execute(db))
    expect((await all()).rows).toEqual([{ x: 1, y: 'new' }])
  })

  test('of a search index succeeds while tables are created and removed', async () => {
    const database = await aDatabase()
    const index = sql`create virtual table texts using fts5(text, content = '', tokenize = 'trigram')`
    await database.write(async ({ db }) => {
      await index.execute(db)
      // The more tables there are, the longer SQLite reads their definitions.
      for (let at = 0; at < 1000; at += 1) await sql`create table ${sql.ref(`t${at}`)} (x)`.execute(db)
    })
    let isOver = false
    // Each text is a new statement, for which SQLite opens the index again after a change of tables.
    const search = async (reader: number): Promise<void> => {
      for (let at = 0; !isOver; at += 1)
        await sql`select rowid as ${sql.ref(`r${reader}_${at}`)} from texts where texts match ${'abc'}`.execute(
          database.read,
        )
    }
    const searches = [search(0), search(1)]
    for (let at = 0; at < 400; at += 1)
      await database.write(({ db }) =>
        sql.raw(at % 2 === 0 ? 'create table other (x)' : 'drop table other').execute(db),
      )
    isOver = true
    await Promise.all(searches)
  })
})

describe('writing to SQLite', () => {
  test('concurrently shares commits, and a constraint violation fails only its own write', async () => {
    const database = await withNumbers()
    const outcomes = await Promise.allSettled([1, 2, 2, 3, 4, 4, 5].map((x) => add(database, x)))
    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(2)
    expect(await numbers(database)).toEqual([1, 2, 3, 4, 5])
  })

  test("rolls back a write that never finishes, and doesn't block the next one", async () => {
    const database = await withNumbers({ limits: { readMs: 30_000, writeMs: 300 } })
    const hanging = database.write(async ({ db }) => {
      await sql`insert into numbers values (7)`.execute(db)
      await new Promise(() => undefined)
    })
    const next = add(database, 8)
    await expect(hanging).rejects.toMatchObject({ code: 'not-ready', message: expect.stringContaining('rolled back') })
    await next
    expect(await numbers(database)).toEqual([8])
  })

  test('a statement that never finishes fails only its own batch, and later writes succeed', async () => {
    const database = await withNumbers({ limits: { readMs: 30_000, writeMs: 500 } })
    await add(database, 1)
    const hanging = database.write(async ({ db }) => {
      await sql`insert into numbers values (7)`.execute(db)
      await TOO_HEAVY.execute(db)
    })
    await expect(hanging).rejects.toMatchObject({ code: 'not-ready' })
    // The abandoned thread holds its lock until its statement ends, so this write waits for it.
    await add(database, 2)
    expect(await numbers(database)).toEqual([1, 2])
  })

  test('table changes are rolled back with their write', async () => {
    const database = await withNumbers()
    const undone = database.write(async ({ db }) => {
      await sql`alter table numbers add column y text`.execute(db)
      throw new Error('no')
    })
    await expect(undone).rejects.toThrow('no')
    const { rows } = await sql`select name from pragma_table_info('numbers')`.execute(database.read)
    expect(rows).toEqual([{ name: 'x' }])
  })

  test('an exclusive write blocks the next write until its after-commit actions have run', async () => {
    const database = await withNumbers()
    let known = 'old'
    const changing = database.write(
      async (transaction) => {
        await sql`insert into numbers values (1)`.execute(transaction.db)
        transaction.afterCommit(() => {
          known = 'new'
        })
      },
      { alone: 'definitions' },
    )
    const seen = database.write(async () => known)
    await changing
    expect(await seen).toBe('new')
  })

  test('earlier writes are committed before a long write starts', async () => {
    const database = await withNumbers()
    const begun: number[][] = []
    const short = [1, 2].map((x) => add(database, x))
    // Readers only see committed data.
    const long = database.write(async () => void begun.push(await numbers(database)), { isLong: true })
    await Promise.all([...short, long])
    expect(begun).toEqual([[1, 2]])
  })

  test('a short write waits for at most one long write', async () => {
    const database = await withNumbers()
    const done: string[] = []
    const write = (name: string, isLong: boolean) =>
      database.write(
        async ({ db }) => {
          await sql`insert into numbers values (${name.length + done.length * 10})`.execute(db)
          done.push(name)
        },
        { isLong },
      )
    await Promise.all([write('long 1', true), write('long 2', true), write('long 3', true), write('short', false)])
    expect(done).toEqual(['long 1', 'short', 'long 2', 'long 3'])
  })

  test('only a write that may be lost doesn’t wait for the disk', async () => {
    const database = await withNumbers()
    const durable = async (options?: WriteOptions, work = async () => undefined) =>
      database.write(async ({ db }) => {
        await sql`insert into numbers values (random())`.execute(db)
        const { rows } = await sql<{ synchronous: number }>`pragma synchronous`.execute(db)
        await work()
        return rows[0]?.synchronous === 2
      }, options)
    const steps = { isLong: true, mayBeLost: true }
    expect(await Promise.all([durable(steps), durable(), durable(steps), durable()])).toEqual([
      false,
      true,
      false,
      true,
    ])
    const failing = durable(steps, () => Promise.reject(new Error('no')))
    expect(await Promise.allSettled([failing, durable()])).toMatchObject([{ status: 'rejected' }, { value: true }])
    expect(await durable({ mayBeLost: true })).toBe(false)
  })

  test.each(['awaited', 'sent'])(
    'an optimistic write runs again if what it read has changed (statements %s)',
    async (how) => {
      const database = await withNumbers()
      await add(database, 1)
      const attempts: boolean[] = []
      await database.write(
        async ({ db, send, optimistic }) => {
          attempts.push(optimistic !== undefined)
          optimistic?.expect(CompiledQuery.raw('select max(x) from numbers'), 0)
          const insertion = sql`insert into numbers values (${attempts.length + 1})`
          if (how === 'sent') send(insertion.compile(db))
          else await insertion.execute(db)
        },
        { isOptimistic: true },
      )
      expect([attempts, await numbers(database)]).toEqual([
        [true, false],
        [1, 3],
      ])
    },
  )

  test('concurrent optimistic writes see the results of each other', async () => {
    const database = await withNumbers()
    await add(database, 1)
    const highest = sql<{ x: number }>`select max(x) as x from numbers`
    const addNext = () =>
      database.write(
        async ({ db, send, optimistic }) => {
          const query = highest.compile(db)
          const [{ x } = { x: 0 }] = optimistic?.read(query) ?? (await highest.execute(db)).rows
          optimistic?.expect(query, x)
          send(sql`insert into numbers values (${x + 1})`.compile(db))
        },
        { isOptimistic: true },
      )
    await Promise.all(Array.from({ length: 6 }, addNext))
    expect(await numbers(database)).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  test('an optimistic write reads at most once, so that long writes still wait for their statements', async () => {
    const database = await withNumbers()
    const query = CompiledQuery.raw('select x from numbers')
    const reads = await database.write(async ({ optimistic }) => [optimistic?.read(query), optimistic?.read(query)], {
      isOptimistic: true,
    })
    expect(reads).toEqual([[], undefined])
  })

  test('only a write with its own time limit may take longer than others', async () => {
    const database = await withNumbers({ limits: { readMs: 60_000, writeMs: 300 } })
    const write = (options = {}) => database.write(({ db }) => TOO_HEAVY.execute(db).then(() => 'done'), options)
    await expect(write({ limitMs: 60_000 })).resolves.toBe('done')
    await expect(write()).rejects.toMatchObject({ code: 'not-ready' })
  })

  test('an after-commit action that throws is reported, and the write succeeds', async () => {
    const reported: unknown[] = []
    const database = await withNumbers({ report: (error) => reported.push(error) })
    await database.write(async (transaction) => {
      await sql`insert into numbers values (1)`.execute(transaction.db)
      transaction.afterCommit(() => {
        throw new Error('the cache is gone')
      })
    })
    expect(await numbers(database)).toEqual([1])
    expect(String(reported)).toContain('the cache is gone')
  })
})
