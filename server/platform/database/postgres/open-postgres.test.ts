import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { createDatabase } from '#tests/support/database/postgres.ts'
import type { Database } from '#server/platform/database/database.ts'
import { testDialect } from '#tests/support/database/test-database.ts'
import { openPostgres } from './open-postgres.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function aDatabase(limits = { readMs: 30_000, writeMs: 60_000 }): Promise<Database> {
  const { url, drop } = await createDatabase()
  ends.push(drop)
  const database = await openPostgres({ url, limits })
  ends.push(database.close)
  return database
}

test('an unreachable PostgreSQL server is reported immediately', async () => {
  await expect(openPostgres({ url: 'postgres://me@127.0.0.1:1/records' })).rejects.toMatchObject({
    code: 'ECONNREFUSED',
  })
})

const describeHere = testDialect() === 'postgres' ? describe : (...ignored: unknown[]) => ignored

describeHere('PostgreSQL', () => {
  test("returns cells in SQLite's format", async () => {
    const { read } = await aDatabase()
    const { rows } = await sql`select count(*) as count, sum(2::bigint) as sum, 1.5::double precision as number,
      true as truth, date '2024-02-29' as day, timestamptz '2024-02-29 12:00:00.5+02' as instant,
      '{"b": 1}'::jsonb as json, 'x' as text, null as nothing`.execute(read)
    expect(rows).toEqual([
      {
        count: 1,
        sum: 2,
        number: 1.5,
        truth: true,
        day: '2024-02-29',
        instant: '2024-02-29T10:00:00.500Z',
        json: '{"b": 1}',
        text: 'x',
        nothing: null,
      },
    ])
  })

  test('stops a slow read with a clear error', async () => {
    const { read } = await aDatabase({ readMs: 100, writeMs: 60_000 })
    await expect(sql`select pg_sleep(30)`.execute(read)).rejects.toMatchObject({
      code: 'not-ready',
      message: expect.stringContaining('Query timeout'),
    })
  })

  test('rolls back a slow write and accepts further statements', async () => {
    const database = await aDatabase({ readMs: 30_000, writeMs: 100 })
    const hanging = database.write(() => new Promise(() => undefined))
    await expect(hanging).rejects.toMatchObject({ code: 'not-ready', message: expect.stringContaining('rolled back') })
    expect(await database.write(async () => 'next')).toBe('next')
  })

  test('rejects a write with a failed statement, even if the callback continued', async () => {
    const database = await aDatabase()
    const careless = database.write(async ({ db }) => {
      await sql`create table pens (ink text)`.execute(db)
      await sql`select nonsense`.execute(db).catch(() => undefined)
    })
    await expect(careless).rejects.toThrow('the transaction was rolled back')
    await expect(sql`select * from pens`.execute(database.read)).rejects.toThrow(/pens/)
  })

  test('rejects a write with a statement that could not be sent', async () => {
    const database = await aDatabase()
    const unreadable = {
      toPostgres: () => {
        throw new Error('unreadable')
      },
    }
    const write = database.write(async (transaction) => {
      await sql`create table pens (ink text)`.execute(transaction.db)
      transaction.send(sql`insert into pens values (${unreadable})`.compile(transaction.db))
    })
    await expect(write).rejects.toThrow('unreadable')
    await expect(sql`select * from pens`.execute(database.read)).rejects.toThrow(/pens/)
  })

  test('a terminated connection during a write fails only that write', async () => {
    const database = await aDatabase()
    const cutOff = database.write(async ({ db }) => {
      await sql`create table pens (ink text)`.execute(db)
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
      await sql`select pg_terminate_backend(${rows[0]?.pid}, 5000)`.execute(database.read)
      await sql`select 1`.execute(db)
    })
    await expect(cutOff).rejects.toMatchObject({ code: 'not-ready' })
    expect(await database.write(async ({ db }) => (await sql`select 1 as one`.execute(db)).rows)).toEqual([{ one: 1 }])
  })

  test('allows new reads while a table change waits for a running one', async () => {
    const database = await aDatabase()
    await database.write(({ db }) => sql`create table pens (ink text)`.execute(db))
    const slowReader = sql`select pg_sleep(2) from (select count(*) from pens) as all_pens`.execute(database.read)
    const reading = sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
      where state = 'active' and query like '%pg_sleep(2)%' and pid <> pg_backend_pid()`
    await expect.poll(async () => (await reading.execute(database.read)).rows[0]?.n).toBe(1)
    let isChanged = false
    const changing = database
      .write(({ db }) => sql`alter table pens add column nib text`.execute(db), { alone: 'definitions' })
      .then(() => {
        isChanged = true
      })
    const waits: number[] = []
    while (!isChanged) {
      const startedAt = performance.now()
      await sql`select count(*) from pens`.execute(database.read)
      waits.push(performance.now() - startedAt)
    }
    await Promise.all([slowReader, changing])
    // Some reads waited during the lock attempt, but none as long as the slow read takes.
    expect(Math.max(...waits)).toBeLessThan(1500)
    expect((await sql`select nib from pens`.execute(database.read)).rows).toEqual([])
  })

  test('lets a definition change interrupt an index build', async () => {
    const database = await aDatabase()
    await database.write(({ db }) => sql`create table pens (ink text)`.execute(db))
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>()
    const { promise: held, resolve: hold } = Promise.withResolvers<undefined>()
    // The build waits for this transaction, because its snapshot is older.
    const older = database.write(async ({ db }) => {
      await sql`select 1`.execute(db)
      hold(undefined)
      await released
    })
    await held
    const signal = new AbortController().signal
    const work = async (run: (statement: string) => Promise<void>) => {
      await run('create index concurrently on pens (ink)')
      return 'built'
    }
    const building = database.maintain({ name: 'indexes', signal, work })
    const isBuilding = async () =>
      (await sql`select from pg_stat_progress_create_index where phase like 'waiting for old%'`.execute(database.read))
        .rows.length
    await expect.poll(isBuilding).toBe(1)
    await database.write(({ db }) => sql`alter table pens add column weight real`.execute(db), { alone: 'definitions' })
    release(undefined)
    await older
    expect(await building).toBeUndefined()
    expect(await database.maintain({ name: 'indexes', signal, work })).toBe('built')
  })

  test('builds indexes one at a time, because two builds on a table would wait for each other', async () => {
    const database = await aDatabase()
    await database.write(({ db }) =>
      sql`create table pens as select n::text as ink from generate_series(1, 50000) as n`.execute(db),
    )
    const { signal } = new AbortController()
    const build = (name: string) =>
      database.maintain({ name, signal, work: (run) => run(`create index concurrently ${name} on pens (ink)`) })
    await Promise.all(['one', 'two', 'three'].map(build))
    const { rows } = await sql<{ name: string }>`select indexname as name from pg_indexes where tablename = 'pens'
      order by name`.execute(database.read)
    expect(rows.map(({ name }) => name)).toEqual(['one', 'three', 'two'])
  })

  test('completes a write to a row that another writer changes all the time', async () => {
    const database = await aDatabase()
    await database.write(({ db }) => sql`create table workspace as select 'pens' as name, 0 as value`.execute(db))
    const definitions = sql`select from workspace for share`
    const change = sql`update pens set ink = ink + 1`
    await database.write(({ db }) => sql`create table pens as select 0 as ink`.execute(db))
    let isWorking = true
    const working = (async () => {
      while (isWorking) {
        await database.write(
          async ({ db }) => {
            await definitions.execute(db)
            await change.execute(db)
          },
          { locksItself: true },
        )
      }
    })()
    const slow = database.write(async ({ db }) => {
      await definitions.execute(db)
      await sql`select pg_sleep(0.05)`.execute(db)
      await change.execute(db)
      return 'written'
    })
    await expect(slow.finally(() => (isWorking = false))).resolves.toBe('written')
    await working
  })

  test('runs frequent statements again after their tables were changed', async () => {
    const database = await aDatabase()
    await database.write(({ db }) => sql`create table pens as select 'blue' as ink`.execute(db))
    const read = async () => (await sql`select * from pens`.execute(database.readByKey)).rows
    const lock = () => database.write(async ({ db }) => (await sql`select * from pens for share`.execute(db)).rows)
    for (let run = 0; run < 10; run += 1)
      expect([await read(), await lock()]).toEqual([[{ ink: 'blue' }], [{ ink: 'blue' }]])
    await database.write(({ db }) => sql`alter table pens add column weight real`.execute(db))
    const changed = [{ ink: 'blue', weight: null }]
    for (let run = 0; run < 3; run += 1) expect([await read(), await lock()]).toEqual([changed, changed])
  })

  test('is reported as unreachable after a shutdown', async () => {
    const { url, drop } = await createDatabase()
    const database = await openPostgres({ url })
    ends.push(database.close)
    await drop()
    await expect(sql`select 1`.execute(database.read)).rejects.toMatchObject({
      message: expect.stringMatching(/database/),
    })
  })
})
