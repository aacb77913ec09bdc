import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Dossier } from '#server/compose.ts'
import { checkTables } from '#server/operations/doctor/checks.ts'
import { type Answer, type Caller, callerOf, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

/** Number of records above which a field type change becomes a job. */
const AT_ONCE = 20

let app: TestApp
let owner: Caller
/** A server that converts all values in a single transaction, for comparison. */
let plain: Dossier
let plainOwner: Caller
let count = 0

beforeAll(async () => {
  app = await openTestApp({ convertedAtOnce: AT_ONCE })
  owner = await app.asOwner()
  plain = await app.startAnother()
  plainOwner = callerOf(plain, { token: owner.token ?? '' })
})
afterAll(async () => {
  await plain.stop()
  await app.close()
})

type Values = Record<string, unknown>

async function aCollection(fields: readonly object[], records: readonly Values[]): Promise<string> {
  count += 1
  const made = await owner.post('/api/collections', { label: `Changing ${count}`, fields })
  expect(made.status, made.text).toBe(201)
  const path = `/api/collections/${made.body.name}`
  const create = records.map((values) => ({ values }))
  const answer = await owner.post(`${path}/records/bulk`, { create })
  expect(answer.status, answer.text).toBe(200)
  return path
}

async function begin(path: string, field: string, body: object): Promise<string> {
  const answer = await owner.patch(`${path}/fields/${field}`, body)
  expect(answer.status, answer.text).toBe(202)
  return answer.body.job
}

async function ended(job: string): Promise<Answer['body']> {
  for (;;) {
    const { body } = await owner.get(`/api/jobs/${job}`)
    if (body.state !== 'running') return body
  }
}

async function changed(path: string, field: string, body: object) {
  const job = await ended(await begin(path, field, body))
  expect(job).toMatchObject({ state: 'done', does: 'change-field', failure: null })
  return job
}

/** All records in order of creation. */
async function all(path: string, who = owner): Promise<{ id: string; values: Values }[]> {
  const items: { id: string; values: Values }[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body }: Answer = await who.get(`${path}/records?perPage=500${cursor && `&cursor=${cursor}`}`)
    items.push(...body.items)
    cursor = body.nextCursor
  }
  return items
}

const column = async (path: string, field: string): Promise<unknown[]> =>
  (await all(path)).map(({ values }) => values[field])

async function findings(): Promise<readonly string[]> {
  const { body } = await owner.get('/api/collections')
  expect(body.items.length).toBeGreaterThan(0)
  return doctor()
}

async function doctor(): Promise<readonly string[]> {
  const { definitionsCache } = await import('#server/query/definitions/definitions-cache.ts')
  const definitions = await definitionsCache(app.database, () => 0).current()
  return checkTables.run({ ...app, definitions, now: new Date() } as unknown as Parameters<typeof checkTables.run>[0])
}

/** Generates pseudo-random numbers from 0 to 1. */
function dice(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

const CHOICES = { choices: ['red', 'blue', 'a; b'].map((name) => ({ name })) }

/** Field types before and after the change, and values written while it is running. */
const CHANGES: readonly (readonly [from: object, to: object, words: readonly unknown[]])[] = [
  [{ kind: 'text' }, { kind: 'number' }, ['1', ' 2.5 ', '-3', 'none', '', '1e3']],
  [{ kind: 'number' }, { kind: 'text' }, [1, 2.5, -3, null, 1e21]],
  [{ kind: 'text' }, { kind: 'long-text' }, ['Ärger', 'one two three', 'ABC', '']],
  [{ kind: 'text' }, { kind: 'checkbox' }, ['yes', 'no', 'perhaps', '']],
  [{ kind: 'text' }, { kind: 'select', options: CHOICES }, ['red', 'Blue', 'a; b', 'green', '']],
  [{ kind: 'text' }, { kind: 'state', options: CHOICES }, ['blue', 'a; b', 'green', '']],
  [{ kind: 'text' }, { kind: 'multi-select', options: CHOICES }, ['red; blue', 'red', 'green', '']],
  [{ kind: 'multi-select', options: CHOICES }, { kind: 'text' }, [['red'], ['blue', 'red'], ['a; b'], []]],
  [{ kind: 'multi-select', options: CHOICES }, { kind: 'select' }, [['red'], ['blue', 'red'], ['a; b'], []]],
  [{ kind: 'select', options: CHOICES }, { kind: 'multi-select' }, ['red', 'blue', 'a; b', null]],
]

describe('changing the type of a field with many records', () => {
  test.each(CHANGES)(
    '%j → %j in a job gives the same result as in a single write, despite concurrent edits',
    async (from, to, words) => {
      const roll = dice(words.length * 7 + count)
      const word = () => words[Math.floor(roll() * words.length)]
      const both = () => {
        const value = word()
        return { one: value, two: value }
      }
      // Both fields have equal values; a collection can have only one status field, so the second one is a select field.
      const isState = JSON.stringify(to).includes('state')
      const path = await aCollection(
        [
          { label: 'One', ...from },
          { label: 'Two', ...from },
        ],
        Array.from({ length: 800 }, both),
      )
      const ids = (await all(path)).map(({ id }) => id)
      const pick = () => ids[Math.floor(roll() * ids.length)] ?? ''
      const job = await begin(path, 'one', { ...to, acceptLoss: true })

      let isOver = false
      let edits = 0
      const edit = async () => {
        while (!isOver) {
          const at = roll()
          if (at < 0.1) ids.push((await owner.post(`${path}/records`, { values: both() })).body.id ?? pick())
          else if (at < 0.15) await owner.delete(`${path}/records/${pick()}`)
          else if ((await owner.patch(`${path}/records/${pick()}`, { values: both() })).status === 200) edits += 1
        }
      }
      const editors = [edit(), edit(), edit()]
      const end = await ended(job).finally(() => {
        isOver = true
      })
      await Promise.all(editors)
      expect(end, JSON.stringify(end)).toMatchObject({ state: 'done', failure: null })
      expect(edits).toBeGreaterThan(3)

      if (isState) {
        const start = (await all(path)).filter(({ values }) => values['one'] === null)
        expect(start).toEqual([])
      }
      const other = isState ? { kind: 'select', options: CHOICES } : to
      // Waits until the other server has loaded the changed field definitions.
      const seen = async () => (await plainOwner.get(path)).body.fields?.[0].kind
      await expect.poll(seen).toBe((await owner.get(path)).body.fields[0].kind)
      const answer = await plainOwner.patch(`${path}/fields/two`, { ...other, acceptLoss: true })
      expect(answer.status, answer.text).toBe(200)
      // The other server hasn't reloaded the field definitions yet.
      const records = await all(path, plainOwner)
      const expected = records.map(({ values }) => (isState ? (values['two'] ?? 'red') : values['two']))
      expect(records.map(({ values }) => values['one'])).toEqual(expected)
      expect(await findings()).toEqual([])
    },
  )
})

const texts = (count: number, text: (at: number) => string | null, rest: object = {}) =>
  aCollection(
    [
      { label: 'Name', kind: 'text' },
      { label: 'Code', kind: 'text', ...rest },
    ],
    Array.from({ length: count }, (_, at) => ({ name: 'name', code: text(at) })),
  )

const found = async (path: string, query: Record<string, string>): Promise<Answer['body']> => {
  const { status, body, text } = await owner.get(`${path}/records?${new URLSearchParams({ count: 'exact', ...query })}`)
  expect(status, text).toBe(200)
  return body
}

describe('a field type change that runs as a job', () => {
  test('reports progress to managers, and the field remains usable', async () => {
    const path = await texts(4000, String)
    const job = await begin(path, 'code', { kind: 'number', label: 'Amount', name: 'amount', position: 0 })
    const { id, fields } = (await owner.get(path)).body
    expect(fields[1]).toMatchObject({ name: 'code', kind: 'text' })
    const [running] = (await owner.get(`/api/jobs?collection=${id}`)).body.items
    expect(running).toMatchObject({ id: job, field: fields[1].id, does: 'change-field', total: 4000, lost: null })
    const other = await app.asOwner()
    expect((await other.get(`/api/jobs/${job}`)).status).toBe(200)
    const editor = await app.asEditor()
    expect((await editor.get(`/api/jobs/${job}`)).status).toBe(404)
    expect((await editor.get(`/api/jobs?collection=${id}`)).body.items).toEqual([])

    expect(await ended(job)).toMatchObject({ state: 'done', done: 4000, lost: 0 })
    expect((await owner.get(`/api/jobs?collection=${id}`)).body.items).toEqual([])
    expect((await owner.get(path)).body.fields[0]).toMatchObject({ name: 'amount', label: 'Amount', kind: 'number' })
    expect(await column(path, 'amount')).toEqual(Array.from({ length: 4000 }, (_, at) => at))
    expect(await findings()).toEqual([])
  })

  test('leaves the field sortable, filterable and searchable', async () => {
    const path = await texts(3000, (at) => `Word ${at % 100}`)
    await changed(path, 'code', { kind: 'long-text' })
    expect((await found(path, { search: 'word 77' })).total).toBe(30)
    await changed(path, 'code', { kind: 'select' })
    expect((await found(path, { filter: 'code = "Word 77"' })).total).toBe(30)
    await changed(path, 'code', { kind: 'text' })
    const { items } = await found(path, { sort: '-code', perPage: '1' })
    expect(items[0].values.code).toBe('Word 99')
    await owner.patch(`${path}/records/${items[0].id}`, { values: { code: 'Quite another' } })
    expect((await found(path, { search: 'quite another' })).total).toBe(1)
  })

  test('is rejected if values would be lost, unless the loss is accepted', async () => {
    const path = await texts(500, (at) => (at === 7 ? 'seven' : String(at)))
    const refused = await owner.patch(`${path}/fields/code`, { kind: 'number' })
    expect(refused).toMatchObject({ status: 422, body: { lost: { count: 1, examples: ['seven'] } } })
    expect(await changed(path, 'code', { kind: 'number', acceptLoss: true })).toMatchObject({ lost: 1 })
    expect((await column(path, 'code')).slice(6, 9)).toEqual([6, null, 8])
  })

  test('fails without changes if a concurrent write adds an unconvertible value', async () => {
    const path = await texts(4000, String)
    const before = (await owner.get(path)).body
    const [first] = await all(path)
    const job = await begin(path, 'code', { kind: 'number' })
    expect((await owner.patch(`${path}/records/${first?.id}`, { values: { code: 'none' } })).status).toBe(200)
    const end = await ended(job)
    expect(end).toMatchObject({ state: 'failed' })
    expect(end.failure).toContain('“none”')
    expect((await owner.get(path)).body).toEqual(before)
    expect((await column(path, 'code')).slice(0, 2)).toEqual(['none', '1'])
    expect(await findings()).toEqual([])
    await changed(path, 'code', { kind: 'number', acceptLoss: true })
  })

  test('changes nothing if it is canceled', async () => {
    const path = await texts(4000, String)
    const before = (await owner.get(path)).body
    const job = await begin(path, 'code', {
      kind: 'multi-select',
      options: { choices: [{ name: '1' }] },
      acceptLoss: true,
    })
    const cancelled = await owner.delete(`/api/jobs/${job}`)
    expect(cancelled.body).toMatchObject({ state: 'cancelled', lost: null })
    expect((await owner.get(path)).body).toEqual(before)
    expect(await findings()).toEqual([])
    expect((await owner.get(`/api/jobs/${job}`)).body.state).toBe('cancelled')
    await changed(path, 'code', { kind: 'number' })
    expect((await column(path, 'code')).slice(0, 2)).toEqual([0, 1])
  })

  test('blocks other field changes, and the error names the running job', async () => {
    const path = await texts(2, String)
    const { id, fields } = (await owner.get(path)).body
    // A field type change that another server started but didn't complete.
    const spec = JSON.stringify({ next: fields[1], position: null, acceptLoss: false })
    const row = { collection_id: id, job_id: 'another', field_id: fields[1].id, shadow_id: 'another', spec }
    await app.database.write(({ db }) => db.insertInto('kind_changes').values(row).execute())
    const answers = await Promise.all([
      owner.patch(`${path}/fields/name`, { label: 'Other' }),
      owner.patch(`${path}/fields/name`, { kind: 'long-text' }),
      owner.post(`${path}/fields`, { label: 'More', kind: 'text' }),
      owner.delete(`${path}/fields/name`),
      owner.delete(path),
    ])
    for (const { status, body } of answers) {
      expect([status, body.code, body.job, body.field]).toEqual([409, 'change-running', 'another', 'code'])
      expect(body.detail).toContain('Code')
    }
    expect((await owner.patch(path, { label: 'Renamed' })).status).toBe(200)
    expect((await owner.get(path)).body).toMatchObject({ label: 'Renamed', fields })
    await app.database.write(({ db }) => db.deleteFrom('kind_changes').where('job_id', '=', 'another').execute())
    expect((await owner.patch(`${path}/fields/name`, { label: 'Other' })).status).toBe(200)
  })

  test('allows renaming the collection in the meantime', async () => {
    const path = await texts(4000, String)
    const job = await begin(path, 'code', { kind: 'number' })
    expect((await owner.patch(path, { label: 'Renamed' })).status).toBe(200)
    expect(await ended(job)).toMatchObject({ state: 'done' })
    expect((await owner.get(path)).body).toMatchObject({ label: 'Renamed', fields: [{}, { kind: 'number' }] })
  })

  test('keeps a unique field unique, and fails if that is impossible', async () => {
    const path = await texts(600, (at) => `${at}`, { unique: true })
    await changed(path, 'code', { kind: 'number', unique: true })
    const again = await owner.post(`${path}/records`, { values: { code: 5 } })
    expect(again.body.errors).toMatchObject([{ path: 'code', code: 'not-unique' }])
    await changed(path, 'code', { kind: 'text', unique: true })
    expect((await owner.post(`${path}/records`, { values: { code: '5' } })).status).toBe(422)
    expect((await owner.patch(`${path}/fields/code`, { unique: false })).status).toBe(200)
    const [first] = await all(path)
    expect((await owner.patch(`${path}/records/${first?.id}`, { values: { code: '1.0' } })).status).toBe(200)
    const failed = await ended(await begin(path, 'code', { kind: 'number', unique: true }))
    expect(failed).toMatchObject({ state: 'failed', failure: expect.stringContaining('unique') })
    expect((await column(path, 'code')).slice(0, 2)).toEqual(['1.0', '1'])
    expect(await findings()).toEqual([])
  })

  test('assigns auto numbers to existing and new records after the highest number', async () => {
    const path = await texts(900, (at) => (at % 3 === 0 ? null : String(at)))
    const job = await begin(path, 'code', { kind: 'auto-number' })
    for (let at = 0; at < 5; at += 1) await owner.post(`${path}/records`, { values: { name: 'late' } })
    expect(await ended(job)).toMatchObject({ state: 'done' })
    const numbers = (await column(path, 'code')).map(Number)
    expect(new Set(numbers).size).toBe(905)
    expect(numbers.slice(0, 900).filter((_, at) => at % 3 !== 0)).toEqual(
      Array.from({ length: 900 }, (_, at) => at).filter((at) => at % 3 !== 0),
    )
    const given = numbers.filter((_, at) => at % 3 === 0 || at >= 900)
    expect(Math.min(...given)).toBe(900)
    const made = await owner.post(`${path}/records`, { values: { name: 'last' } })
    expect(made.body.values.code).toBe(Math.max(...numbers) + 1)
    await changed(path, 'code', { kind: 'number' })
    expect(await findings()).toEqual([])
  })
})
