import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importAsNew, importInto } from '#tests/conformance/csv-import.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let owner: Caller

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
})
afterAll(() => app.close())

let count = 0
const make = async (label: string, fields: readonly object[]): Promise<string> => {
  count += 1
  const made = await owner.post('/api/collections', { label: `${label} ${count}`, fields })
  expect(made.status, made.text).toBe(201)
  return made.body.name
}

/** Ordinary and unusual strings. A string that contains only spaces counts as empty. */
const text = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.stringMatching(/^[='+@,;" a-]{0,8}$/),
    fc.constantFrom("'=1", '"', '""', "'", 'NULL', '0123', '1e5', 'ÄÖ', '\uFEFFx', '=1+1'),
  )
  .filter((value) => value.trim() !== '' && !/[\r\n\0]/.test(value))
const key = text.filter((name) => name !== '__proto__')
const filled = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null, freq: 6 })
const instant = fc.date({ min: new Date('0001-01-02'), max: new Date('9999-12-30'), noInvalidDate: true })
const people = ['Ada', 'Hopper; Grace', '"Alan"', '=Edsger', 'Ünal']

const row = fc.record({
  title: filled(text),
  story: filled(fc.array(text, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('\n'))),
  size: filled(
    fc.oneof(
      fc.integer({ min: -1e9, max: 1e9 }),
      fc.integer({ min: -1e6, max: 1e6 }).map((n) => n / 1000),
    ),
  ),
  done: fc.boolean(),
  day: filled(instant.map((date) => date.toISOString().slice(0, 10))),
  at: filled(instant.map((date) => date.toISOString())),
  colour: filled(fc.constantFrom('red', '-green', 'blue, dark')),
  author: filled(fc.constantFrom(...people)),
  readers: fc.uniqueArray(fc.constantFrom(...people), { maxLength: 3 }),
  shades: fc.uniqueArray(fc.constantFrom('red', '-green', 'blue; "dark"', ' padded '.trim()), { maxLength: 4 }),
  stage: fc.constantFrom('first', '=second'),
  mail: filled(fc.constantFrom('ada@example.org', 'ünal+x@example.org')),
  site: filled(fc.webUrl().filter((url) => url.length < 200)),
  call: filled(fc.constantFrom('+49 30 123456', '(030) 123456', '0301234567')),
  extra: filled(
    fc.oneof(text, fc.integer(), fc.dictionary(key, fc.array(fc.oneof(text, fc.boolean(), fc.constant(null))))),
  ),
})

const FIELDS = (target: string) => [
  { label: 'Title', kind: 'text' },
  { label: 'Story', kind: 'long-text' },
  { label: 'Size', kind: 'number' },
  { label: 'Done', kind: 'checkbox' },
  { label: 'Day', kind: 'date' },
  { label: 'At', kind: 'date-time' },
  {
    label: 'Colour',
    kind: 'select',
    options: { choices: ['red', '-green', 'blue, dark'].map((name) => ({ name })) },
  },
  { label: 'Author', kind: 'relation', options: { collection: target } },
  {
    label: 'Shades',
    kind: 'multi-select',
    options: { choices: ['red', '-green', 'blue; "dark"', 'padded'].map((name) => ({ name })) },
  },
  { label: 'Stage', kind: 'state', options: { choices: ['first', '=second'].map((name) => ({ name })) } },
  { label: 'Mail', kind: 'email' },
  { label: 'Site', kind: 'url' },
  { label: 'Call', kind: 'phone' },
  { label: 'Extra', kind: 'json' },
  { label: 'Number', kind: 'auto-number' },
  { label: 'Readers', kind: 'relation', options: { collection: target, many: true } },
]

const valuesOf = async (collection: string) => {
  const { body } = await owner.get(`/api/collections/${collection}/records?perPage=500`)
  return body.items.map((item: { values: object }) => item.values)
}

test.each(['no', 'yes'])(
  'exporting and importing records again preserves them (escapeFormulas=%s)',
  async (escapeFormulas) => {
    const target = await make('People', [{ label: 'Name', kind: 'text' }])
    const ids = new Map<string, string>()
    for (const name of people) {
      ids.set(name, (await owner.post(`/api/collections/${target}/records`, { values: { name } })).body.id)
    }
    const idOf = (name: string | null) => (name === null ? null : ids.get(name))

    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
        const [from, to] = [await make('From', FIELDS(target)), await make('To', FIELDS(target))]
        const create = rows.map((each) => ({
          values: { ...each, author: idOf(each.author), readers: each.readers.map(idOf) },
        }))
        const made = await owner.post(`/api/collections/${from}/records/bulk`, { create })
        expect(made.status, made.text).toBe(200)
        const exported = await owner.get(
          `/api/collections/${from}/export.csv?header=label&escapeFormulas=${escapeFormulas}`,
        )
        const imported = await importInto(owner, to, exported.text)
        expect(imported.body, imported.text).toMatchObject({ state: 'done', progress: { rowsStored: rows.length } })
        expect(await valuesOf(to)).toEqual(await valuesOf(from))
        expect(
          (await owner.get(`/api/collections/${to}/export.csv?header=label&escapeFormulas=${escapeFormulas}`)).text,
        ).toBe(exported.text)
      }),
      { numRuns: 6, endOnFailure: true },
    )
  },
  120_000,
)

test('text, numbers and dates survive a CSV round trip with any delimiter and line break', async () => {
  const cells = fc.record({
    name: text.map((value) => `n ${value.trimEnd()}`),
    size: fc.integer(),
    day: instant.map((date) => date.toISOString().slice(0, 10)),
  })
  const separators = fc.constantFrom(',', ';', '\t', '|')
  const breaks = fc.constantFrom('\n', '\r\n', '\r')
  await fc.assert(
    fc.asyncProperty(fc.array(cells, { minLength: 1, maxLength: 12 }), separators, breaks, async (rows, sign, end) => {
      count += 1
      const quoted = rows.map((each) => [`"${each.name.replaceAll('"', '""')}"`, each.size, each.day].join(sign))
      const csv = `\uFEFF${['name', 'size', 'day'].join(sign)}${end}${quoted.join(end)}${end}`
      const imported = await importAsNew(owner, `Table ${count}`, csv)
      expect(imported.body, imported.text).toMatchObject({ state: 'done' })
      expect(await valuesOf(`table${count}`)).toMatchObject(rows)
    }),
    { numRuns: 6, endOnFailure: true },
  )
}, 120_000)
