import { afterAll, beforeAll, expect, test } from 'vitest'
import { outcome, uploadInto } from '#tests/conformance/csv-import.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let owner: Caller

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
})
afterAll(() => app.close())

const FORMATS = [
  { label: 'Title', kind: 'text' },
  { label: 'Price', kind: 'number', options: { format: 'currency', currency: 'EUR' } },
  { label: 'Share', kind: 'number', options: { format: 'percent' } },
  { label: 'Weight', kind: 'number', options: { format: 'unit', unit: 'kg', decimals: 1 } },
  { label: 'Time', kind: 'number', options: { format: 'duration' } },
  { label: 'Stars', kind: 'number', options: { format: 'rating', max: 3 } },
]

async function aCollection(label: string): Promise<string> {
  const made = await owner.post('/api/collections', { label, fields: FORMATS })
  expect(made.status, made.text).toBe(201)
  return `/api/collections/${made.body.name}`
}

test('number formats are preserved by an export and import', async () => {
  const path = await aCollection('Works')
  const values = { title: 'Roof', price: 1234.5, share: 7.5, weight: 12.5, time: 5400, stars: 3 }
  expect((await owner.post(`${path}/records`, { values })).status).toBe(201)
  const csv = (await owner.get(`${path}/export.csv`)).text
  expect(csv.split(/\r?\n/)[1]).toBe('Roof,1234.5,7.5%,12.5,1:30:00,3')

  const other = await aCollection('Other works')
  const started = await uploadInto(
    owner,
    other.replace('/api/collections/', ''),
    `${csv}Wall,"€ 1,500.00",10 %,2 kg,45m,★★☆\n`,
  )
  expect((await outcome(owner, started.body.id)).body).toMatchObject({ state: 'done' })
  const { body } = await owner.get(`${other}/records`)
  expect(body.items.map((item: { values: object }) => item.values)).toEqual([
    values,
    { title: 'Wall', price: 1500, share: 10, weight: 2, time: 2700, stars: 2 },
  ])
})

test('an invalid number format is reported by option, and a rating is limited to its number of stars', async () => {
  const path = await aCollection('Ratings')
  expect((await owner.post(`${path}/records`, { values: { stars: 4 } })).status).toBe(422)
  const refused = await owner.post(`${path}/fields`, { label: 'Cost', kind: 'number', options: { format: 'currency' } })
  expect(refused.status).toBe(422)
  expect(refused.body.errors).toMatchObject([{ path: 'options.currency' }])
})
