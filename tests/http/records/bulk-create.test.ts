import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Answer, type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import { type TusSender, tusSender } from '#tests/support/files/tus-sender.ts'

let app: TestApp
let owner: Caller
let mine: TusSender
let harbours: { readonly id: string; readonly ids: readonly string[] }

const boats = '/api/collections/boats/records'
const choices = ['sail', 'oars', 'steam'].map((name) => ({ name }))

/** More records than fit into one insert statement. */
const MANY = 450

beforeAll(async () => {
  app = await openTestApp()
  mine = tusSender(await app.listen(), (owner = await app.asOwner()))
  const { body } = await owner.post('/api/collections', {
    label: 'Harbours',
    fields: [{ label: 'Name', kind: 'text' }],
  })
  const create = ['Esbjerg', 'Sønderho'].map((name) => ({ values: { name } }))
  const made = await owner.post('/api/collections/harbours/records/bulk', { create })
  harbours = { id: body.id, ids: made.body.created }
  const boat = await owner.post('/api/collections', {
    label: 'Boats',
    fields: [
      { label: 'Name', kind: 'text', unique: true },
      { label: 'No', kind: 'auto-number' },
      { label: 'Length', kind: 'number' },
      { label: 'Afloat', kind: 'checkbox' },
      { label: 'Built', kind: 'date' },
      { label: 'Stage', kind: 'state', options: { choices: [{ name: 'wanted' }, { name: 'here' }] } },
      { label: 'Drive', kind: 'multi-select', options: { choices } },
      { label: 'Home', kind: 'relation', options: { collection: harbours.id, many: false } },
      { label: 'Ports', kind: 'relation', options: { collection: harbours.id, many: true } },
      { label: 'Notes', kind: 'rich-text' },
      { label: 'Facts', kind: 'json' },
      { label: 'Papers', kind: 'files' },
    ],
  })
  expect(boat.status, boat.text).toBe(201)
})
afterAll(() => app.close())

const note = (text: string) => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
})

/** Every third record has all values; the others have only a name. */
const valuesOf = (at: number, name: string): object =>
  at % 3 > 0
    ? { name }
    : {
        name,
        length: at / 2,
        afloat: at % 2 === 0,
        built: '1901-02-03',
        stage: 'here',
        drive: at % 2 === 0 ? ['steam', 'sail'] : [],
        home: harbours.ids[at % 2],
        ports: at % 2 === 0 ? [...harbours.ids].toReversed() : [],
        notes: note(`Tarred in “${name}”`),
        facts: { crew: at, "o'clock": ['{', '"', '\\', null] },
      }

const many = (name: string) =>
  Array.from({ length: MANY }, (_, at) => ({ values: valuesOf(at, `${name} ${at}, "quoted" \\ {braced}`) }))

const bulk = (create: readonly { readonly values: object }[]): Promise<Answer> =>
  owner.post(`${boats}/bulk`, { create })

async function countOf(filter: string): Promise<number> {
  const answer = await owner.get(`${boats}?${new URLSearchParams({ filter, count: 'exact', perPage: '1' })}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.total
}

describe('records created in one request', () => {
  test('are numbered, returned in order, indexed and logged like records created individually', async () => {
    const papers = await mine.send({ collection: 'boats', field: 'papers' }, Buffer.from('deed'), 'deed.txt')
    const create = many('First')
    const last = { values: { ...valuesOf(0, 'Last of all'), papers: [papers] } }
    const { status, text, body } = await bulk([...create, last])
    expect(status, text).toBe(200)
    expect(body.created).toHaveLength(MANY + 1)

    const alone = await owner.post(boats, { values: valuesOf(0, 'Alone') })
    expect(alone.status, alone.text).toBe(201)
    const one = async (at: number) => (await owner.get(`${boats}/${body.created[at]}`)).body
    expect((await one(0)).values).toEqual({ ...alone.body.values, ...create[0]?.values, no: 1 })
    expect((await one(MANY - 1)).values).toMatchObject({ ...create.at(-1)?.values, no: MANY })
    expect((await one(MANY)).values).toMatchObject({ ...last.values, no: MANY + 1 })
    const { values, ...rest } = await one(201)
    expect(values).toMatchObject({ ...create[201]?.values, no: 202 })
    expect(Object.keys(rest)).toEqual(Object.keys(alone.body).filter((name) => name !== 'values'))
    expect(rest).toMatchObject({ version: 1, createdBy: alone.body.createdBy, updatedBy: alone.body.updatedBy })

    const place = await owner.get(`/api/files/${papers}/place`)
    expect(place.body.record).toBe(body.created[MANY])
    const found = await owner.get(`${boats}?${new URLSearchParams({ search: 'Tarred in Last' })}`)
    expect(found.body.items.map((item: { id: string }) => item.id)).toEqual([body.created[MANY]])
    expect(await countOf('stage = "wanted"')).toBe(create.filter((_, at) => at % 3 > 0).length)
    const inSteam = create.filter((_, at) => at % 6 === 0).length
    expect(await countOf('drive = "steam"')).toBe(inSteam + 2)
  })

  test('are all rejected if the last one is invalid, without gaps in auto numbers', async () => {
    const before = await owner.post(boats, { values: { name: 'Before' } })
    const wrong: readonly (readonly [object, string, string])[] = [
      [{ name: 'Before' }, 'name', 'not-unique'],
      [{ name: 'Lost', home: '01jd0000000000000000000000' }, 'home', 'unknown-record'],
      [{ name: 'Lost', papers: ['01jd0000000000000000000000'] }, 'papers', 'unknown-file'],
      [{ name: 'Lost', length: 'long' }, 'length', 'not-number'],
    ]
    for (const [values, path, code] of wrong) {
      const { status, body } = await bulk([...many('Wrong'), { values }])
      expect([status, body.errors?.[0]], code).toMatchObject([422, { path, code }])
    }
    expect(await countOf('name ~ "Wrong"')).toBe(0)
    const after = await owner.post(boats, { values: { name: 'After' } })
    expect(after.body.values.no).toBe(before.body.values.no + 1)
  })

  test('cannot share a file', async () => {
    const papers = await mine.send({ collection: 'boats', field: 'papers' }, Buffer.from('deed'), 'deed.txt')
    const create = ['One', 'Other'].map((name) => ({ values: { name, papers: [papers] } }))
    const { status, body } = await bulk(create)
    expect([status, body.errors?.[0]]).toMatchObject([422, { path: 'papers', code: 'unknown-file' }])
    expect(await countOf('name = "One"')).toBe(0)
  })
})
