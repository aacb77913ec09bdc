import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import { createRecords, defineCollection, type TestCollection } from '#tests/support/server/test-collections.ts'

let app: TestApp
let owner: Caller
let tasks: TestCollection

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
  tasks = await defineCollection(owner, 'Tasks', [
    { label: 'Title', kind: 'text' },
    { label: 'Due', kind: 'date' },
    { label: 'Starts', kind: 'date-time' },
    { label: 'Team', kind: 'select', options: { choices: [{ name: 'Red' }, { name: 'Blue' }] } },
  ])
  await createRecords(
    owner,
    tasks,
    { title: 'a', due: '2026-03-28', starts: '2026-03-28T22:30:00Z', team: 'Red' },
    { title: 'b', due: '2026-03-28', starts: '2026-03-28T23:30:00Z' },
    { title: 'c', due: '2026-03-28', starts: '2026-03-29T21:59:59.999Z', team: 'Red' },
    { title: 'd', due: '2026-03-30', starts: '2026-03-29T22:00:00Z', team: 'Blue' },
    { title: 'e', due: null, starts: null },
    { title: 'far', due: '9999-12-31', starts: '9999-12-31T20:00:00Z' },
  )
})
afterAll(() => app.close())

type Day = { readonly day: string; readonly total: number; readonly items: readonly { readonly values: object }[] }

const ask = (query: Readonly<Record<string, string>>, who = owner, headers?: Readonly<Record<string, string>>) =>
  who.get(`/api/collections/${tasks.name}/days?${new URLSearchParams(query)}`, headers)

async function days(query: Readonly<Record<string, string>>, who = owner, headers?: Readonly<Record<string, string>>) {
  const { status, body, text } = await ask(query, who, headers)
  expect(status, text).toBe(200)
  return body.days.map(({ day, total, items }: Day) => [
    day,
    total,
    items.map(({ values }) => ('title' in values ? values.title : undefined)).join(''),
  ])
}

const BY_DUE = { by: 'due', from: '2026-03-28', days: '3' }

describe('records by day', () => {
  test('are the first of each day, with their number', async () => {
    expect(await days({ ...BY_DUE, perDay: '2' })).toEqual([
      ['2026-03-28', 3, 'ab'],
      ['2026-03-29', 0, ''],
      ['2026-03-30', 1, 'd'],
    ])
    expect(await days({ by: 'due', from: '9999-12-30', days: '3' })).toEqual([
      ['9999-12-30', 0, ''],
      ['9999-12-31', 1, 'far'],
    ])
  })

  test('belong to a day in the time zone of the reader, also when daylight saving time begins', async () => {
    const query = { ...BY_DUE, by: 'starts' }
    expect(await days(query, owner, { 'time-zone': 'Europe/Vienna' })).toEqual([
      ['2026-03-28', 1, 'a'],
      ['2026-03-29', 2, 'bc'],
      ['2026-03-30', 1, 'd'],
    ])
    expect(await days(query, owner, { 'time-zone': 'UTC' })).toEqual([
      ['2026-03-28', 2, 'ab'],
      ['2026-03-29', 2, 'cd'],
      ['2026-03-30', 0, ''],
    ])
  })

  test('match the filter and the search', async () => {
    expect((await days({ ...BY_DUE, filter: 'team = "Red" || title = "d"', search: 'a' }))[0]).toEqual([
      '2026-03-28',
      1,
      'a',
    ])
    expect((await ask({ ...BY_DUE, filter: 'nope = 1' })).body).toMatchObject({ code: 'invalid-filter' })
  })

  test('are limited to the records and fields that the reader can see', async () => {
    const where = { field: 'team', op: '=', value: 'Red' } as const
    const some = await app.asGranted([{ permission: 'records:read', collection: tasks.id, where }])
    expect((await days(BY_DUE, some))[0]).toEqual(['2026-03-28', 2, 'ac'])
    const due = tasks.fields['due'] ?? ''
    const blind = await app.asGranted([{ permission: 'records:read', collection: tasks.id, fields: { except: [due] } }])
    const [hidden, unknown] = await Promise.all([ask(BY_DUE, blind), ask({ ...BY_DUE, by: 'absent' }, blind)])
    expect([hidden.status, unknown.status]).toEqual([400, 400])
    expect(hidden.body.detail.replace('due', 'absent')).toBe(unknown.body.detail)
  })

  test('are rejected for too many days', async () => {
    expect((await ask({ ...BY_DUE, days: '100' })).body).toMatchObject({ code: 'invalid-request' })
    expect((await ask({ ...BY_DUE, from: '2026-02-30' })).body).toMatchObject({ code: 'invalid-request' })
  })

  test('are rejected by name for a field without dates and for a day outside the calendar', async () => {
    const faultOf = async (query: Readonly<Record<string, string>>) => {
      const { status, body } = await ask({ ...BY_DUE, ...query })
      return [
        status,
        body.code,
        body.errors.map(({ path, message }: { path: string; message: string }) => [path, message]),
      ]
    }
    const byFault = async (by: string) => {
      const [status, code, [[path, message] = [], ...others]] = await faultOf({ by })
      expect([status, code, path, others]).toEqual([400, 'invalid-request', 'by', []])
      return message
    }
    expect(await byFault('title')).toMatch(/^“title” isn’t a date field. Use a date or date-time field of Tasks/)
    expect(await byFault('id')).toMatch(/^“id” isn’t a date field/)
    expect(await byFault('dues')).toMatch(/^There is no field “dues” in .* Did you mean “due”\?$/)
    expect(await faultOf({ from: '0000-12-31' })).toEqual([
      400,
      'invalid-request',
      [['from', 'Use a date from 0001-01-01 to 9999-12-31.']],
    ])
    expect(await days({ ...BY_DUE, by: 'createdAt', days: '1' })).toEqual([['2026-03-28', 0, '']])
  })
})
