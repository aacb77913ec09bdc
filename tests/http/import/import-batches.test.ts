import { afterAll, beforeAll, expect, test } from 'vitest'
import { importInto } from '#tests/conformance/csv-import.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let owner: Caller

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
})
afterAll(() => app.close())

const make = async (label: string, fields: readonly object[]): Promise<string> => {
  const made = await owner.post('/api/collections', { label, fields })
  expect(made.status, made.text).toBe(201)
  return made.body.name
}

const ROWS = 6000
const NAMES = Array.from({ length: 40 }, (_, at) => `Name ${at}`)
const COLOURS = ['red', 'green', 'blue']

const isRefused = (at: number): boolean => at % 700 === 650
const coloursOf = (at: number): string[] => COLOURS.slice(0, at % 4)

type Shown = {
  readonly no: number
  readonly title: string
  readonly owner: { readonly title: string }
  readonly readers: readonly { readonly title: string }[]
  readonly colours: readonly string[]
}

test('rows of each import batch remain correct, regardless of rejected rows in between', async () => {
  const people = await make('People', [{ label: 'Name', kind: 'text' }])
  await importInto(owner, people, `name\n${NAMES.join('\n')}\n`)
  const things = await make('Things', [
    { label: 'Title', kind: 'text' },
    { label: 'No', kind: 'auto-number' },
    { label: 'Owner', kind: 'relation', options: { collection: people } },
    { label: 'Readers', kind: 'relation', options: { collection: people, many: true } },
    { label: 'Colours', kind: 'multi-select', options: { choices: COLOURS.map((name) => ({ name })) } },
  ])
  const rows = Array.from({ length: ROWS }, (_, at) => {
    const named = isRefused(at) ? 'Nobody' : NAMES[at % NAMES.length]
    return `Thing ${at},${named},${NAMES[at % 7]}; ${NAMES[at % 5]},${coloursOf(at).join('; ')}`
  })
  const csv = `title,owner,readers,colours\n${rows.join('\n')}\n`
  const done = await importInto(owner, things, csv, '?onBadRow=skip')
  const refused = rows.filter((_, at) => isRefused(at)).length
  expect(done.body, done.text).toMatchObject({
    state: 'done',
    progress: { rowsStored: ROWS - refused, rowsRefused: refused },
  })

  const kept = rows.flatMap((_, at) => (isRefused(at) ? [] : [at]))
  const shown: Shown[] = []
  for (let page = 1; shown.length < kept.length; page += 1) {
    const listed = await owner.get(`/api/collections/${things}/records?sort=no&perPage=500&page=${page}&expand=*`)
    expect(listed.status, listed.text).toBe(200)
    shown.push(...listed.body.items.map(({ values }: { readonly values: Shown }) => values))
    if (listed.body.items.length === 0) break
  }
  expect(
    shown.map(({ no, title, owner: { title: named }, readers, colours }) => [
      no,
      title,
      named,
      readers.map((reader) => reader.title),
      colours,
    ]),
  ).toEqual(
    kept.map((at, place) => [
      place + 1,
      `Thing ${at}`,
      NAMES[at % NAMES.length],
      [...new Set([NAMES[at % 7], NAMES[at % 5]])],
      coloursOf(at),
    ]),
  )
})
