import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenTestDatabase, openTestDatabase } from '#tests/support/database/test-database.ts'
import { withCommitOutcome } from './commit-outcome.ts'
import type { Database, Transaction } from './database.ts'
import { databaseUnavailable, NOTHING_CHANGED } from './database-errors.ts'

let opened: OpenTestDatabase
let database: Database

beforeAll(async () => {
  opened = await openTestDatabase()
  database = opened.database
})
afterAll(() => opened.close())

const put = ({ db }: Transaction, name: string, value = 'x') =>
  db.insertInto('workspace').values({ name, value }).execute()

const send = ({ db, send: sendIt }: Transaction, name: string, received: unknown[] = []): void =>
  sendIt(db.insertInto('workspace').values({ name, value: 'x' }).returning('name').compile(), (rows) =>
    received.push(rows.map((row) => row.name)),
  )

const valueOf = async (name: string): Promise<string | undefined> => {
  const row = await database.read.selectFrom('workspace').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

const signal = () => Promise.withResolvers<void>()

describe('an error of a request', () => {
  const failing = (work: () => Promise<unknown>) =>
    withCommitOutcome(async () => {
      await work()
      throw databaseUnavailable()
    })

  test('says that nothing was changed if nothing was committed', async () => {
    const rolledBack = () => database.write(() => Promise.reject(new Error('rejected'))).catch(() => undefined)
    await expect(failing(rolledBack)).rejects.toThrow(NOTHING_CHANGED)
  })

  test('never says that nothing was changed after a commit', async () => {
    const failed = failing(() => database.write((transaction) => put(transaction, 'committed')))
    await expect(failed).rejects.toThrow('The change may have been saved')
  })
})

describe('a write', () => {
  test('returns the result of its callback, visible to the next read', async () => {
    const answer = await database.write(async (transaction) => {
      await put(transaction, 'first', 'one')
      return 'done'
    })
    expect(answer).toBe('done')
    expect(await valueOf('first')).toBe('one')
  })

  test('that throws rolls back only its own changes, not those of other queued writes', async () => {
    const outcomes = await Promise.allSettled([
      database.write((transaction) => put(transaction, 'before')),
      database.write(async (transaction) => {
        await put(transaction, 'half')
        throw new RangeError('changed my mind')
      }),
      database.write((transaction) => put(transaction, 'after')),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(outcomes[1]).toMatchObject({ reason: { message: 'changed my mind' } })
    expect([await valueOf('before'), await valueOf('half'), await valueOf('after')]).toEqual(['x', undefined, 'x'])
  })

  test('with a failing statement rolls back its earlier statements', async () => {
    await database.write((transaction) => put(transaction, 'taken'))
    const twice = database.write(async (transaction) => {
      await put(transaction, 'new beside taken')
      await put(transaction, 'taken')
    })
    await expect(twice).rejects.toThrow(/unique/i)
    expect(await valueOf('new beside taken')).toBeUndefined()
  })

  test('includes statements sent without await, in order, and gets their rows before it resolves', async () => {
    const received: unknown[] = []
    await database.write(async (transaction) => {
      send(transaction, 'sent', received)
      const own = await transaction.db.selectFrom('workspace').select('name').where('name', '=', 'sent').execute()
      received.push(own.length)
      send(transaction, 'sent last', received)
    })
    expect(received).toEqual([['sent'], 1, ['sent last']])
    expect([await valueOf('sent'), await valueOf('sent last')]).toEqual(['x', 'x'])
  })

  test('fails if a statement sent without await fails, even if the callback continued', async () => {
    await database.write((transaction) => put(transaction, 'there'))
    const actions: string[] = []
    const outcomes = await Promise.allSettled([
      database.write((transaction) => put(transaction, 'before it')),
      database.write(async (transaction) => {
        transaction.afterCommit(() => actions.push('told'))
        send(transaction, 'sent beside there')
        send(transaction, 'there')
      }),
      database.write(async (transaction) => {
        send(transaction, 'there')
        await transaction.db.selectFrom('workspace').select('name').where('name', '=', 'there').execute()
        throw new RangeError('refused for what it saw')
      }),
      database.write(async (transaction) => {
        send(transaction, 'there')
        throw new RangeError('refused before it was answered')
      }),
      database.write((transaction) => put(transaction, 'after it')),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected', 'fulfilled'])
    for (const outcome of outcomes.slice(1, 4)) {
      expect(outcome).toMatchObject({ reason: { message: expect.stringMatching(/unique/i) } })
    }
    const names = ['before it', 'sent beside there', 'after it']
    expect(await Promise.all(names.map(valueOf))).toEqual(['x', undefined, 'x'])
    expect(actions).toEqual([])
  })

  test('that throws rolls back statements sent without await, started or not', async () => {
    const refused = database.write(async (transaction) => {
      send(transaction, 'sent and begun')
      send(transaction, 'sent behind it')
      throw new RangeError('changed my mind')
    })
    await expect(refused).rejects.toThrow('changed my mind')
    await database.write((transaction) => put(transaction, 'later'))
    expect([await valueOf('sent and begun'), await valueOf('sent behind it')]).toEqual([undefined, undefined])
  })

  test('is visible to itself but not to readers before the commit', async () => {
    const [stored, looked] = [signal(), signal()]
    const writing = database.write(async (transaction) => {
      await put(transaction, 'unseen')
      const own = await transaction.db.selectFrom('workspace').select('name').where('name', '=', 'unseen').execute()
      stored.resolve()
      await looked.promise
      return own.length
    })
    await stored.promise
    const seenBefore = await valueOf('unseen')
    looked.resolve()
    expect([seenBefore, await writing, await valueOf('unseen')]).toEqual([undefined, 1, 'x'])
  })

  test('runs its after-commit actions only after a commit, not after a rollback', async () => {
    const seen: string[] = []
    await database.write(async (transaction) => {
      transaction.afterCommit(() => seen.push('kept'))
      await put(transaction, 'with action')
      seen.push('written')
    })
    const undone = database.write(async (transaction) => {
      transaction.afterCommit(() => seen.push('never'))
      throw new Error('no')
    })
    await expect(undone).rejects.toThrow('no')
    expect(seen).toEqual(['written', 'kept'])
  })

  test('nested in another write throws instead of deadlocking', async () => {
    const nested = database.write(() => database.write((transaction) => put(transaction, 'nested')))
    await expect(nested).rejects.toThrow('Nested write: pass on the existing transaction instead.')
    await database.write((transaction) => put(transaction, 'after nested'))
    expect(await valueOf('after nested')).toBe('x')
  })

  test('rejects statements after it has finished', async () => {
    let leaked: Transaction | undefined
    await database.write(async (transaction) => {
      leaked = transaction
      await put(transaction, 'in time')
    })
    await expect(leaked && put(leaked, 'too late')).rejects.toThrow(
      'Statement after the end of the transaction. Await every statement.',
    )
    expect(await valueOf('too late')).toBeUndefined()
  })

  test('never overlaps another exclusive write with the same name, and sees its result', async () => {
    await database.write((transaction) => put(transaction, 'tally', '0'))
    let running = 0
    const countUp = () =>
      database.write(
        async (transaction) => {
          running += 1
          expect(running).toBe(1)
          const { db } = transaction
          const row = await db
            .selectFrom('workspace')
            .select('value')
            .where('name', '=', 'tally')
            .executeTakeFirstOrThrow()
          await db
            .updateTable('workspace')
            .set({ value: String(Number(row.value) + 1) })
            .where('name', '=', 'tally')
            .execute()
          transaction.afterCommit(() => {
            running -= 1
          })
        },
        { alone: 'tally' },
      )
    await Promise.all(Array.from({ length: 6 }, countUp))
    expect(await valueOf('tally')).toBe('6')
  })

  test("that reads and then writes doesn't lose concurrent updates", async () => {
    await database.write((transaction) => put(transaction, 'count', '0'))
    const countUp = () =>
      database.write(async ({ db }) => {
        const row = await db
          .selectFrom('workspace')
          .select('value')
          .where('name', '=', 'count')
          .executeTakeFirstOrThrow()
        await db
          .updateTable('workspace')
          .set({ value: String(Number(row.value) + 1) })
          .where('name', '=', 'count')
          .execute()
      })
    await Promise.all(Array.from({ length: 12 }, countUp))
    expect(await valueOf('count')).toBe('12')
  })
})

describe('reading', () => {
  test('cannot modify data', async () => {
    const attempt = database.read.insertInto('workspace').values({ name: 'by a reader', value: 'x' }).execute()
    await expect(attempt).rejects.toThrow(/read-?only/i)
  })

  test('of a row by key cannot modify data', async () => {
    const attempt = database.readByKey.insertInto('workspace').values({ name: 'by a key', value: 'x' }).execute()
    await expect(attempt).rejects.toThrow(/read-?only/i)
  })

  test('of a row by key sees the latest committed write', async () => {
    for (const value of ['first', 'second']) {
      await database.write((transaction) => put(transaction, `by key ${value}`, value))
      const row = await database.readByKey
        .selectFrom('workspace')
        .select('value')
        .where('name', '=', `by key ${value}`)
        .executeTakeFirst()
      expect(row).toEqual({ value })
    }
  })

  test('returns the correct result to each of many concurrent queries', async () => {
    const names = Array.from({ length: 40 }, (_, at) => `many ${at}`)
    await database.write(async (transaction) => {
      for (const name of names) await put(transaction, name, name.toUpperCase())
    })
    const values = await Promise.all(names.map(valueOf))
    expect(values).toEqual(names.map((name) => name.toUpperCase()))
  })

  test('returns the number of affected rows', async () => {
    const result = await database.write(({ db }) =>
      db.updateTable('workspace').set({ value: 'touched' }).where('name', 'like', 'many %').executeTakeFirst(),
    )
    expect(result.numUpdatedRows).toBe(40n)
  })
})

describe('a closed database', () => {
  test('finishes running statements and rejects new ones', async () => {
    const other = await openTestDatabase()
    const last = other.database.write((transaction) => put(transaction, 'last'))
    const closing = other.close()
    await expect(last).resolves.toBeDefined()
    await closing
    await expect(other.database.write(async () => 1)).rejects.toMatchObject({ code: 'not-ready' })
    await expect(other.database.read.selectFrom('workspace').selectAll().execute()).rejects.toMatchObject({
      code: 'not-ready',
    })
  })
})
