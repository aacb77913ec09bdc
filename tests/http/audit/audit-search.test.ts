import { randomBytes } from 'node:crypto'
import { type Insertable, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createIdGenerator, idLowerBound } from '#domain/shared/ids.ts'
import type { Tables } from '#server/platform/database/database.ts'
import { type Answer, type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

const DAY_MS = 86_400_000
const FIRST_MS = Date.parse('2020-01-01T00:00:00.000Z')
const DAYS = 2400
const KINDS = ['signed-in', 'signed-out', 'token-made', 'role-changed', 'records-exported'] as const

let app: TestApp
let owner: Caller
let ada: string
let tasks: string

/** Writes consecutive audit log entries in the server's format. */
async function fill(
  count: number,
  { firstMs, stepMs }: { readonly firstMs: number; readonly stepMs: number },
  entryOf: (at: number) => Omit<Insertable<Tables['audit_log']>, 'id' | 'at'>,
): Promise<void> {
  let now = firstMs
  const newId = createIdGenerator(
    () => now,
    (bytes) => randomBytes(bytes),
  )
  const rows = Array.from({ length: count }, (_, at) => {
    now = firstMs + at * stepMs
    return { id: newId(), at: new Date(now).toISOString(), ...entryOf(at) }
  })
  for (let from = 0; from < rows.length; from += 500) {
    await app.database.write(({ db }) =>
      db
        .insertInto('audit_log')
        .values(rows.slice(from, from + 500))
        .execute(),
    )
  }
}

/** One entry per day starting in 2020, with rotating kinds; every hundredth is about Ada and has no author. */
const fillLog = () =>
  fill(DAYS, { firstMs: FIRST_MS, stepMs: DAY_MS }, (day) => {
    const kind = KINDS[day % KINDS.length] ?? ''
    const isHers = day % 100 === 0
    return {
      kind,
      user_id: isHers ? null : (owner.userId ?? null),
      about_id: isHers ? ada : null,
      collection_id: kind === 'records-exported' ? tasks : null,
      address: `10.0.0.${day % 250}`,
      details: JSON.stringify(day === 7 ? { name: 'Needle Ünique' } : { name: `Name ${day}` }),
    }
  })

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
  ada = (await app.asViewer()).userId ?? ''
  tasks = (await owner.post('/api/collections', { name: 'tasks', label: 'Tasks', fields: [] })).body.id
  await fillLog()
})
afterAll(() => app.close())

type Item = { readonly id: string; readonly at: string; readonly kind: string }

async function all(query: string): Promise<Item[]> {
  const items: Item[] = []
  let next: string | null = ''
  while (next !== null) {
    const page: Answer = await owner.get(`/api/audit?${query}${next === '' ? '' : `&before=${next}`}`)
    expect(page.status).toBe(200)
    items.push(...page.body.items)
    next = page.body.next
  }
  const ids = items.map(({ id }) => id)
  expect(ids).toEqual([...new Set(ids)].toSorted().toReversed())
  return items
}

const OLD = `until=2027-01-01T00:00:00Z`
const between = (from: string, until: string) => `from=${from}T00:00:00Z&until=${until}T00:00:00Z`

describe('audit log search', () => {
  test('finds entries by user, as actor or as subject', async () => {
    const hers = await all(`person=${ada}&${between('2020-01-01', '2026-10-01')}`)
    expect(hers).toHaveLength(Math.ceil(DAYS / 100))
    expect(await all(`person=nobody&${OLD}`)).toEqual([])
  })

  test('filters entries by kind, group, collection and combinations', async () => {
    const range = between('2020-01-01', '2026-10-01')
    expect(await all(`kind=token-made&${range}`)).toHaveLength(DAYS / 5)
    const group = await all(`group=signing-in&${range}`)
    expect(new Set(group.map(({ kind }) => kind))).toEqual(new Set(['signed-in', 'signed-out']))
    expect(group).toHaveLength((DAYS / 5) * 2)
    expect(await all(`collection=${tasks}&${range}`)).toHaveLength(DAYS / 5)
    expect(await all(`collection=${tasks}&group=export&${range}`)).toHaveLength(DAYS / 5)
    expect(await all(`collection=${tasks}&group=people&${range}`)).toEqual([])
    expect(await all(`kind=signed-in&group=export&${range}`)).toEqual([])
    expect(await all(`person=${ada}&kind=signed-in&group=export&${range}`)).toEqual([])
    expect(await all(`person=${ada}&kind=signed-in&${range}`)).toHaveLength(DAYS / 100)
  })

  test('filters entries by time, including the start and excluding the end', async () => {
    const found = await all(between('2020-02-01', '2020-03-01'))
    expect(found).toHaveLength(29)
    expect(found.at(-1)?.at).toBe('2020-02-01T00:00:00.000Z')
    expect(idLowerBound(FIRST_MS) <= (found.at(-1)?.id ?? '')).toBe(true)
  })

  test('finds entries by their displayed text, regardless of age', async () => {
    expect((await all('text=unique needle')).map(({ at }) => at)).toEqual(['2020-01-08T00:00:00.000Z'])
    expect(await all('text=exported tasks&kind=records-exported&until=2020-02-01T00:00:00Z')).toHaveLength(6)
    expect(await all('text=10.0.0.7&until=2020-02-01T00:00:00Z')).toHaveLength(1)
    expect(await all('text=no such words')).toEqual([])
  })

  test('rejects unknown parameters', async () => {
    for (const query of ['kind=moon-landed', 'group=moons', 'from=yesterday', 'colour=red']) {
      expect((await owner.get(`/api/audit?${query}`)).status).toBe(400)
    }
  })
})

describe('the audit log as CSV', () => {
  test('describes each entry in a sentence, escapes formulas, and is itself audited', async () => {
    const answer = await owner.get('/api/audit.csv?kind=records-exported&until=2020-02-01T00:00:00Z')
    const lines = answer.text.trimEnd().split('\r\n')
    expect(answer.headers['content-type']).toContain('text/csv')
    expect(lines).toHaveLength(7)
    expect(lines[6]).toContain('2020-01-05T00:00:00.000Z,owner exported records from Tasks,')
    await app.database.write(({ db }) => db.updateTable('users').set({ name: '=1+1' }).where('id', '=', ada).execute())
    const hers = await owner.get(`/api/audit.csv?person=${ada}&until=2020-02-01T00:00:00Z`)
    expect(hers.text).toContain(",'=1+1,")
    expect((await owner.get('/api/audit?kind=audit-exported')).body.items).toHaveLength(2)
  })

  test('is complete, regardless of its length', async () => {
    const answer = await owner.get('/api/audit.csv?until=2026-10-01T00:00:00Z')
    expect(answer.text.trimEnd().split('\r\n')).toHaveLength(DAYS + 1)
  })

  test('requires the audit log permission, which an API token can also have', async () => {
    expect((await (await app.asEditor()).get('/api/audit.csv')).status).toBe(403)
    const { body } = await owner.post('/api/tokens', { name: 'siem', scopes: ['audit:read'] })
    expect((await app.withToken(body.token).get('/api/audit.csv?kind=owner-created')).status).toBe(200)
  })
})

describe('an export of records', () => {
  test('is audited with its collection, whose name is shown only to users who can see the collection', async () => {
    const exported = await owner.get('/api/collections/tasks/export.csv')
    expect(exported.status).toBe(200)
    const newest = async (by: Caller) => (await by.get('/api/audit?kind=records-exported')).body.items[0]
    expect(await newest(owner)).toMatchObject({ user: { id: owner.userId }, collection: { id: tasks, name: 'Tasks' } })
    const auditor = await app.asGranted([{ permission: 'audit:read', collection: null }])
    expect(await newest(auditor)).toMatchObject({ collection: { id: tasks, name: '' } })
  })
})

describe('an audit log entry', () => {
  test.each(['update audit_log set address = ?', 'delete from audit_log where address <> ?'])(
    "can't be changed or deleted, not even in the database: %s",
    async (statement) => {
      const [before] = statement.split('?')
      const run = app.database.write(({ db }) => sql`${sql.raw(before ?? '')}${'x'}`.execute(db))
      await expect(run).rejects.toThrow(/append-only/)
    },
  )
})

describe('an audit log too long to scan in one request', () => {
  test('is searched in steps, and each response reports how far back the search got', async () => {
    await fill(20_500, { firstMs: Date.parse('2001-01-01T00:00:00.000Z'), stepMs: 60_000 }, (at) => ({
      kind: 'token-made',
      user_id: null,
      about_id: null,
      address: '10.0.0.1',
      details: JSON.stringify({ name: at === 0 ? 'the very oldest' : 'another' }),
    }))
    const range = 'until=2002-01-01T00:00:00Z'
    const first = await owner.get(`/api/audit?text=very oldest&${range}`)
    expect(first.body).toMatchObject({ items: [], lookedBackTo: '2001-01-01T08:20:00.000Z' })
    expect(first.body.next).not.toBeNull()
    expect((await all(`text=very oldest&${range}`)).map(({ at }) => at)).toEqual(['2001-01-01T00:00:00.000Z'])
  })
})
