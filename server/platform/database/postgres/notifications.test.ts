import { sql } from 'kysely'
import { Client } from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { createDatabase } from '#tests/support/database/postgres.ts'
import { openTestDatabase, testDialect } from '#tests/support/database/test-database.ts'
import type { Database } from '#server/platform/database/database.ts'
import { openPostgres } from './open-postgres.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function aPlace(): Promise<string> {
  const { url, drop } = await createDatabase()
  ends.push(drop)
  return url
}

async function aProcess(url: string): Promise<Database> {
  const database = await openPostgres({ url })
  ends.push(database.close)
  return database
}

async function aClient(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  ends.push(() => client.end())
  return client
}

async function listening(database: Database): Promise<string[]> {
  const notes: string[] = []
  const end = await database.listenToOthers({
    onMessage: (message) => notes.push(message),
    missed: () => notes.push('missed'),
  })
  ends.push(end)
  return notes
}

/** Writers in other databases of the same cluster, for example in parallel tests, also cause `missed` calls. */
const messagesIn = (received: readonly string[]) => received.filter((each) => each !== 'missed')
const missedIn = (received: readonly string[]) => received.length - messagesIn(received).length

const telling = (database: Database, message: string, outcome: () => void = () => undefined) =>
  database.write(async ({ db, tellOthers }) => {
    tellOthers(message)
    await sql`select pg_current_xact_id()`.execute(db)
    outcome()
  })

if (testDialect() === 'sqlite') {
  test('with SQLite, there are no other processes to notify', async () => {
    const { database, close } = await openTestDatabase()
    ends.push(close)
    const received = await listening(database)
    await database.write(async ({ tellOthers }) => tellOthers('without listeners'))
    expect(received).toEqual([])
  })
} else {
  describe('processes that share a PostgreSQL database', () => {
    test("receive each other's messages in commit order, but not their own or those of rolled-back writes", async () => {
      const url = await aPlace()
      const [first, second] = [await aProcess(url), await aProcess(url)]
      const [receivedByFirst, receivedBySecond] = [await listening(first), await listening(second)]
      await telling(first, 'one "two" it\'s three')
      await expect(
        telling(first, 'never', () => {
          throw new Error('no')
        }),
      ).rejects.toThrow('no')
      await telling(first, 'four')
      await telling(second, 'five')
      await expect.poll(() => messagesIn(receivedBySecond)).toEqual(['one "two" it\'s three', 'four'])
      await expect.poll(() => messagesIn(receivedByFirst)).toEqual(['five'])
    })

    test('send nothing when no other process listens', async () => {
      const url = await aPlace()
      const only = await aProcess(url)
      await listening(only)
      const stranger = await aClient(url)
      const reported: (string | undefined)[] = []
      stranger.on('notification', ({ payload }) => reported.push(payload))
      await stranger.query('listen dossier')
      await telling(only, 'without listeners')
      const other = await listening(await aProcess(url))
      await telling(only, 'with a listener')
      await expect.poll(() => messagesIn(other)).toEqual(['with a listener'])
      await stranger.query('select 1')
      expect(reported).toEqual([expect.stringContaining('with a listener')])
    })

    test('treat messages as missed if they start listening during a write', async () => {
      const url = await aPlace()
      const writer = await aClient(url)
      await writer.query('begin; select pg_current_xact_id()')
      const received = await listening(await aProcess(url))
      const atFirst = missedIn(received)
      expect(atFirst).toBeGreaterThan(0)
      await writer.query('commit')
      await expect.poll(() => missedIn(received)).toBeGreaterThan(atFirst)
    })

    test('have received the messages of all earlier commits after catching up', async () => {
      const url = await aPlace()
      const [first, second, alone] = [await aProcess(url), await aProcess(url), await aProcess(url)]
      const received = await listening(second)
      await listening(first)
      for (let round = 0; round < 50; round += 1) {
        await telling(first, `round ${round}`)
        // The first message arrives once the other process is listening.
        if (round === 0) await expect.poll(() => received).toContain('round 0')
        await Promise.all([second.catchUp(), second.catchUp(), second.catchUp()])
        expect(received).toContain(`round ${round}`)
      }
      await alone.catchUp()
    })

    test('reconnect after a lost connection and treat messages as missed', async () => {
      const url = await aPlace()
      const first = await aProcess(url)
      const received = await listening(await aProcess(url))
      const cut = `select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name like 'dossier listens %'`
      await (await aClient(url)).query(cut)
      await expect.poll(() => missedIn(received)).toBeGreaterThanOrEqual(3)
      const sendAgain = () => telling(first, 'back again').then(() => messagesIn(received))
      await expect.poll(sendAgain).toContain('back again')
    })
  })
}
