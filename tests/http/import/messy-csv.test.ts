import { afterAll, beforeAll, expect, test } from 'vitest'
import { outcome, upload } from '#tests/conformance/csv-import.ts'
import { MESSY_CSV, MESSY_ROWS, MESSY_SUM } from '#tests/conformance/messy-csv.ts'
import { type Answer, type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let owner: Caller

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
})
afterAll(() => app.close())

type Column = { readonly header: string; readonly kind: string; readonly options: object; readonly format: object }

/** A plan that creates a field with the detected type for every column; `fixes` overrides it by header. */
const planOf = (looked: Answer, fixes: { readonly [header: string]: object } = {}) => ({
  into: { newCollection: { label: `Invoices ${looked.body.id}` } },
  columns: looked.body.preview.columns.map(({ header, kind, options, format }: Column) => ({
    newField: { label: header, kind, options },
    format,
    ...fixes[header],
  })),
})

const check = (looked: Answer, plan: object) => owner.post(`/api/imports/${looked.body.id}/check`, plan)

test('300 inconsistent European rows are detected, checked, fixed and fully imported', async () => {
  const looked = await upload(owner, MESSY_CSV)
  expect(looked.status, looked.text).toBe(201)
  const found = looked.body.preview.columns.map(({ header, kind, format }: Column) => [header, kind, format])
  expect(found).toEqual([
    ['Kunde', 'select', {}],
    ['Nummer', 'text', {}],
    ['Betrag', 'number', { decimal: ',' }],
    ['Rabatt', 'number', { decimal: ',' }],
    ['Datum', 'date', { dayOrder: 'dmy' }],
    ['Bezahlt', 'checkbox', {}],
    ['Farben', 'multi-select', { separator: ',' }],
    ['Notiz', 'long-text', {}],
  ])

  const before = await check(looked, planOf(looked))
  expect(before.body, before.text).toMatchObject({
    rowsRead: MESSY_ROWS,
    rowsRejected: 5,
    isWhole: true,
    issues: [
      { column: 'Betrag', at: 2, code: 'not-number', rowCount: 3, texts: [{ text: 'auf Anfrage', count: 3 }] },
      { column: 'Datum', at: 4, code: 'not-date', rowCount: 2, texts: [{ text: 'unbekannt', count: 2 }] },
    ],
  })
  expect((await owner.get('/api/collections')).body.items).toEqual([])

  const fixed = planOf(looked, {
    Betrag: { replace: [{ from: 'auf Anfrage', to: '0,00' }] },
    Datum: { emptyUnreadable: true },
  })
  expect((await check(looked, fixed)).body).toMatchObject({ rowsRejected: 0, issues: [] })
  const started = await owner.post(`/api/imports/${looked.body.id}/start`, fixed)
  expect(started.status, started.text).toBe(202)
  const done = await outcome(owner, looked.body.id)
  expect(done.body, done.text).toMatchObject({ state: 'done', progress: { rowsStored: MESSY_ROWS, rowsRefused: 0 } })

  const filter = encodeURIComponent(`createdAt = "${done.body.startedAt}"`)
  const imported = await owner.get(
    `/api/collections/${done.body.collection}/records?perPage=500&count=exact&filter=${filter}`,
  )
  expect(imported.body.total).toBe(MESSY_ROWS)
  const values = imported.body.items.map((item: { values: object }) => item.values)
  const sum = values.reduce((total: number, { betrag }: { betrag: number }) => total + Math.round(betrag * 100), 0)
  expect(sum / 100).toBe(MESSY_SUM)
  expect(values.filter(({ datum }: { datum: string | null }) => datum === null)).toHaveLength(2)
  expect(values[0]).toMatchObject({
    kunde: 'Bäckerei Huber',
    nummer: '0001',
    betrag: 40.47,
    rabatt: 1.5,
    datum: '2026-02-02',
    bezahlt: false,
    farben: ['rot'],
  })
})

test('a check reports missing options, missing records and repeated values without storing anything', async () => {
  const make = async (label: string, fields: readonly object[]) =>
    (await owner.post('/api/collections', { label, fields })).body
  const clients = await make('Clients', [{ label: 'Name', kind: 'text' }])
  const jobs = await make('Jobs', [
    { label: 'Title', kind: 'text', unique: true },
    { label: 'Stage', kind: 'select', options: { choices: [{ name: 'open' }] } },
    { label: 'Client', kind: 'relation', options: { collection: clients.name } },
    { label: 'Hours', kind: 'number', options: { min: 0 } },
  ])
  await owner.post('/api/collections/jobs/records', { values: { title: 'A' } })
  const looked = await upload(owner, 'title,stage,client,hours\nA,open,,1\nB,done,Ada,2\nB,late,Ada,-1\nC,done,Eve,3\n')
  const plan = {
    into: { collection: 'jobs' },
    columns: ['title', 'stage', 'client', 'hours'].map((field) => ({ field })),
  }
  const checked = await check(looked, plan)
  expect(checked.body, checked.text).toMatchObject({ rowsRead: 4, rowsRejected: 4, isWhole: true })
  expect(
    checked.body.issues.map(({ column, code, rowCount }: { column: string; code: string; rowCount: number }) => [
      column,
      code,
      rowCount,
    ]),
  ).toEqual(
    expect.arrayContaining([
      ['stage', 'not-choice', 3],
      ['hours', 'too-small', 1],
      ['Title', 'duplicate', 1],
    ]),
  )
  expect(checked.body.issues).toContainEqual(
    expect.objectContaining({
      code: 'no-match',
      at: 2,
      texts: [
        { text: 'Ada', count: 2 },
        { text: 'Eve', count: 1 },
      ],
    }),
  )
  expect((await owner.get('/api/collections/jobs')).body.version).toBe(jobs.version)
  expect((await owner.get('/api/collections/jobs/records?count=exact')).body.total).toBe(1)

  const stage = jobs.fields.find(({ name }: { name: string }) => name === 'stage')
  const choices = [...stage.options.choices, { name: 'done' }, { name: 'late' }]
  await owner.patch(`/api/collections/jobs/fields/${stage.id}`, { options: { choices } })
  await owner.post('/api/collections/clients/records/bulk', {
    create: ['Ada', 'Eve'].map((name) => ({ values: { name } })),
  })
  const fixed = {
    ...plan,
    columns: [
      { field: 'title', replace: [{ from: 'A', to: 'A 2' }] },
      { field: 'stage' },
      { field: 'client' },
      { field: 'hours', replace: [{ from: '-1', to: '' }] },
    ],
  }
  expect((await check(looked, fixed)).body).toMatchObject({
    rowsRejected: 1,
    issues: [{ code: 'duplicate', rowCount: 1 }],
  })
  await owner.post(`/api/imports/${looked.body.id}/start`, { ...fixed, onBadRow: 'skip' })
  expect((await outcome(owner, looked.body.id)).body).toMatchObject({ state: 'done', progress: { rowsStored: 3 } })
})

test('a check reports rows that violate a validation rule', async () => {
  await owner.post('/api/collections', {
    label: 'Trips',
    fields: [
      { label: 'Title', kind: 'text' },
      { label: 'Start', kind: 'date' },
      { label: 'End', kind: 'date' },
    ],
    rules: [{ when: null, then: 'end >= start', message: 'Ends before it starts.', field: 'end' }],
  })
  const looked = await upload(owner, 'title,start,end\nA,1.3.2026,2.3.2026\nB,3.3.2026,2.3.2026\nC,4.3.2026,1.3.2026\n')
  const plan = {
    into: { collection: 'trips' },
    columns: ['title', 'start', 'end'].map((field) => ({ field })),
  }
  expect((await check(looked, plan)).body).toMatchObject({
    rowsRejected: 2,
    issues: [{ at: 2, code: 'rule-broken', rowCount: 2, firstRow: 2, message: 'Ends before it starts.' }],
  })
})

test('a check requires the same permissions as the import', async () => {
  const looked = await upload(owner, 'a\n1\n')
  const other = await app.asOwner()
  expect((await other.post(`/api/imports/${looked.body.id}/check`, planOf(looked))).status).toBe(404)
  expect((await check(looked, { into: { collection: 'nowhere' }, columns: [{ skip: true }] })).status).toBe(404)
  const zone = { format: { timeZone: 'Nowhere/At all' } }
  expect((await check(looked, planOf(looked, { a: zone }))).status).toBe(400)
})
