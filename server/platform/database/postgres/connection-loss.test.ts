import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { createDatabase } from '#tests/support/database/postgres.ts'
import { addressOver, openTcpProxy, type TcpProxy } from '#tests/support/server/tcp-proxy.ts'
import { testDialect } from '#tests/support/database/test-database.ts'
import type { Database } from '#server/platform/database/database.ts'
import { openPostgres } from './open-postgres.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const LIMITS = { readMs: 300, writeMs: 600 }

async function aDatabaseFarAway(): Promise<{ database: Database; wire: TcpProxy }> {
  const { url, drop } = await createDatabase()
  ends.push(drop)
  const wire = await openTcpProxy(Number(new URL(url).port))
  ends.push(wire.close)
  const database = await openPostgres({ url: addressOver(wire, url), limits: LIMITS })
  ends.push(database.close)
  await database.write(({ db }) => sql`create table notes (id bigint)`.execute(db))
  return { database, wire }
}

const read = (database: Database) => sql`select count(*) as count from notes`.execute(database.read)
const write = (database: Database) => database.write(({ db }) => sql`insert into notes values (1)`.execute(db))
const AWAY = { code: 'not-ready', details: { retryAfterSeconds: 2 } }

const PUT_OFF = { code: 'not-ready', details: { retryAfterSeconds: expect.any(Number) } }

const describeHere = testDialect() === 'postgres' ? describe : (...ignored: unknown[]) => ignored

describeHere('a PostgreSQL that falls silent', () => {
  test('is reported as unreachable by all reads and writes soon after they time out', async () => {
    const { database, wire } = await aDatabaseFarAway()
    await Promise.all([read(database), read(database), write(database)])
    wire.become('silent')
    const startedAt = performance.now()
    const requested = [...Array.from({ length: 30 }, () => read(database)), write(database), write(database)]
    const outcomes = await Promise.allSettled(requested)
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(PUT_OFF)
    expect(performance.now() - startedAt).toBeLessThan(15_000)
  })

  test('works again when it responds, without duplicate writes', async () => {
    const { database, wire } = await aDatabaseFarAway()
    await Promise.all([read(database), write(database)])
    wire.become('silent')
    await expect(write(database)).rejects.toMatchObject(AWAY)
    await expect(read(database)).rejects.toMatchObject(AWAY)
    wire.become('sound')
    await write(database)
    expect((await read(database)).rows).toEqual([{ count: 2 }])
  })

  test('during a write rolls the write back, and is reported within the timeout', async () => {
    const { database, wire } = await aDatabaseFarAway()
    const writing = database.write(async ({ db }) => {
      await sql`insert into notes values (1)`.execute(db)
      wire.become('silent')
      await sql`insert into notes values (2)`.execute(db)
    })
    await expect(writing).rejects.toMatchObject({ code: 'not-ready' })
    wire.become('sound')
    expect((await read(database)).rows).toEqual([{ count: 0 }])
  })

  test('during the commit reports an unknown outcome', async () => {
    const { database, wire } = await aDatabaseFarAway()
    const writing = database.write(async ({ db }) => {
      await sql`insert into notes values (1)`.execute(db)
      wire.become('silent')
    })
    await expect(writing).rejects.toThrow('lost during the commit')
  })
})

describeHere('a PostgreSQL whose connections are reset', () => {
  test('is reported immediately, and works again right after', async () => {
    const { database, wire } = await aDatabaseFarAway()
    await Promise.all([read(database), read(database), write(database)])
    wire.become('cut')
    for (let requested = 0; requested < 12; requested += 1) {
      await expect(read(database)).rejects.toMatchObject(AWAY)
      await expect(write(database)).rejects.toMatchObject(AWAY)
    }
    wire.become('sound')
    await write(database)
    expect((await read(database)).rows).toEqual([{ count: 2 }])
  })
})
