import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { endpoint } from '#api/endpoint.ts'
import type { Actor } from '#domain/access/actor.ts'
import { ok } from '#domain/shared/result.ts'
import { MAX_COST_PER_CLIENT } from '#domain/shared/admission.ts'
import { open } from '#server/platform/http/access.ts'
import { DEFAULT_SESSION_SETTINGS } from '#server/platform/config/session-settings.ts'
import { buildApp } from '#server/http/app.ts'
import { stopListening } from '#server/http/listen.ts'
import { openLog } from '#server/platform/http/logging.ts'
import { route } from '#server/platform/http/route.ts'
import type { Database } from '#server/platform/database/database.ts'
import { openTestDatabase, testDialect } from '#tests/support/database/test-database.ts'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A server with only a test's own endpoints. */
const BARE = {
  forgetDefinitions: () => {},
  log: openLog('silent'),
  publicUrl: new URL('http://localhost'),
  trustedProxies: [],
  corsOrigins: [],
  webFolder: '/nowhere',
  session: DEFAULT_SESSION_SETTINGS,
}

/**
 * On PostgreSQL, the query runs longer than any test; on SQLite, it takes only a few seconds, because nothing can
 * cancel it.
 */
const HEAVY =
  testDialect() === 'postgres'
    ? sql`select pg_sleep(60)`
    : sql`with recursive n (x) as (select 1 union all select x + 1 from n where x < 12000000) select count(*) from n`

/** A server with one slow endpoint, and the server's database. */
async function aServer() {
  const { database, close } = await openTestDatabase({ isMigrated: false })
  ends.push(close)
  const outcomes: string[] = []
  let arrived = 0
  const read = endpoint({ method: 'GET', path: '/api/heavy', summary: '', response: 'empty' })
  const app = await buildApp({
    routes: [
      route(read, open('a test'), async () => {
        arrived += 1
        await HEAVY.execute(database.read).then(
          () => outcomes.push('answered'),
          (error: unknown) => outcomes.push(error instanceof Error ? error.message : String(error)),
        )
      }),
    ],
    authenticate: async () => ok({ type: 'guest' }),
    ...BARE,
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  ends.push(() => stopListening(app))
  return { database, url: `${url}/api/heavy`, outcomes, countArrived: () => arrived }
}

const ask = (url: string, signal: AbortSignal): Promise<string> =>
  fetch(url, { signal }).then(
    () => 'answered',
    () => 'gone',
  )

/** Number of statements that PostgreSQL is currently running in this database. */
async function countActive(database: Database): Promise<number> {
  const { rows } = await database.write(({ db }) =>
    sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
    where datname = current_database() and state = 'active' and pid <> pg_backend_pid()`.execute(db),
  )
  return rows[0]?.n ?? 0
}

const count = async ({ read }: Database): Promise<unknown> => (await sql`select 1 as one`.execute(read)).rows

if (testDialect() === 'postgres') {
  test('PostgreSQL cancels statements of disconnected clients and reuses their connections', async () => {
    const { database, url, outcomes, countArrived } = await aServer()
    for (let round = 0; round < 3; round += 1) {
      const leaving = new AbortController()
      // More requests than database connections, so that some of them are queued.
      const requested = Array.from({ length: 12 }, () => ask(url, leaving.signal))
      await expect.poll(countArrived, { timeout: 10_000 }).toBe((round + 1) * 12)
      await expect.poll(() => countActive(database), { timeout: 10_000 }).toBeGreaterThan(0)
      leaving.abort()
      await Promise.all(requested)
      await expect.poll(() => countActive(database), { timeout: 10_000 }).toBe(0)
    }
    await expect.poll(() => outcomes, { timeout: 10_000 }).toHaveLength(36)
    expect(new Set(outcomes)).toEqual(new Set(['Client closed request.']))
    const small = await Promise.all(Array.from({ length: 30 }, () => count(database)))
    expect(small.every((rows) => Array.isArray(rows))).toBe(true)
  })
} else {
  test('SQLite skips queued statements of disconnected clients', async () => {
    const { database, url, outcomes } = await aServer()
    const leaving = new AbortController()
    const requested = Array.from({ length: 40 }, () => ask(url, leaving.signal))
    await expect.poll(() => count(database)).toEqual([{ one: 1 }])
    leaving.abort()
    await Promise.all(requested)
    // SQLite can't cancel running statements; forty of them would take minutes.
    await count(database)
    expect(outcomes).not.toContain('answered')
  })
}

test('a write completes even if its client disconnects', async () => {
  const { database } = await aServer()
  await database.write(({ db }) => sql`create table kept (x integer)`.execute(db))
  const entered = Promise.withResolvers<void>()
  const store = endpoint({ method: 'POST', path: '/api/kept', summary: '', body: 'none', response: 'empty' })
  const app = await buildApp({
    routes: [
      route(store, open('a test'), async ({ request }) => {
        entered.resolve()
        await new Promise((resolve) => request.raw.socket.once('close', resolve))
        await database.write(({ db }) => sql`insert into kept values (1)`.execute(db))
      }),
    ],
    authenticate: async () => ok({ type: 'guest' }),
    ...BARE,
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  ends.push(() => stopListening(app))
  const leaving = new AbortController()
  const requested = fetch(`${url}/api/kept`, { method: 'POST', signal: leaving.signal }).catch(() => 'gone')
  await entered.promise
  leaving.abort()
  expect(await requested).toBe('gone')
  const kept = async (): Promise<number> => (await sql`select x from kept`.execute(database.read)).rows.length
  await expect.poll(kept).toBe(1)
})

test('a client that disconnects during authentication releases its slots', async () => {
  const read = endpoint({ method: 'GET', path: '/api/bytes', summary: '', response: 'raw' })
  const ada: Actor = { type: 'user', userId: 'ada', sessionId: null, name: 'Ada', grants: [] }
  let left = 0
  const app = await buildApp({
    routes: [
      route(read, open('a test'), async ({ reply }) => {
        await reply.send('bytes')
      }),
    ],
    authenticate: async ({ raw: { socket, headers } }) => {
      if (headers['x-leaves'] !== undefined) {
        if (!socket.destroyed) await new Promise((resolve) => socket.once('close', resolve))
        left += 1
      }
      return ok(ada)
    },
    ...BARE,
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  ends.push(() => stopListening(app, 0))
  const arrived = (): Promise<number> =>
    new Promise((resolve, reject) => app.server.getConnections((error, n) => (error ? reject(error) : resolve(n))))
  const leaving = new AbortController()
  const requested = Array.from({ length: MAX_COST_PER_CLIENT }, () =>
    fetch(`${url}/api/bytes`, { headers: { 'x-leaves': 'yes' }, signal: leaving.signal }).catch(() => 'gone'),
  )
  await expect.poll(arrived).toBe(MAX_COST_PER_CLIENT)
  leaving.abort()
  expect(new Set(await Promise.all(requested))).toEqual(new Set(['gone']))
  await expect.poll(() => left).toBe(MAX_COST_PER_CLIENT)
  const answer = await fetch(`${url}/api/bytes`, { signal: AbortSignal.timeout(2000) })
  expect(await answer.text()).toBe('bytes')
})
