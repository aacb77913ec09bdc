import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let owner: Caller

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
})
afterAll(() => app.close())

const RECORDS = '/api/collections/codes/records'

const field = (pattern: string) => ({ label: 'Code', kind: 'text', options: { pattern } })

test('values are checked against a catastrophic regular expression', async () => {
  const pattern = '(([a-z])+.)+[A-Z]([a-z])+|(a+)+'
  expect((await owner.post('/api/collections', { label: 'Codes', fields: [field(pattern)] })).status).toBe(201)
  const refused = await owner.post(RECORDS, { values: { code: `${'a'.repeat(1999)}!` } })
  expect([refused.status, refused.body.errors[0].code]).toEqual([422, 'pattern'])
  expect((await owner.post(RECORDS, { values: { code: 'aaaa' } })).status).toBe(201)
})

test.each(['(a)\\1', '(?<=a)b', '((a{50}){50}){50}', 'a)|(b', '('])(
  'the pattern %s is rejected by name',
  async (pattern) => {
    const { status, body } = await owner.post('/api/collections', { label: 'Refused', fields: [field(pattern)] })
    expect([status, body.errors[0].path, body.errors[0].code]).toEqual([422, 'fields.0.options.pattern', 'bad-pattern'])
  },
)

test('an invalid phone number with many spaces is rejected', async () => {
  const fields = [{ label: 'Phone', kind: 'phone' }]
  expect((await owner.post('/api/collections', { label: 'People', fields })).status).toBe(201)
  const values = { phone: `1${' '.repeat(500_000)}x` }
  expect((await owner.post('/api/collections/people/records', { values })).status).toBe(422)
})
