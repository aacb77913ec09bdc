import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import { importInto } from '#tests/conformance/csv-import.ts'
import { type Answer, type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

// Write access must not reveal values that the user can't read.

type Ids = { readonly [name: string]: string }

let app: TestApp
let owner: Caller
/** A user who can read only records in the north but can update and transition all records. */
let northerner: Caller
let people: { readonly id: string; readonly at: string; readonly field: Ids; readonly state: Ids }
let made = 0

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
})
afterAll(() => app.close())

const idsOf = (items: readonly { readonly id: string; readonly name: string }[]): Ids =>
  Object.fromEntries(items.map(({ id, name }) => [name, id]))

const idIn = (ids: Ids, name: string): string => ids[name] ?? ''

beforeEach(async () => {
  const { body, status, text } = await owner.post('/api/collections', {
    label: `People ${(made += 1)}`,
    fields: [
      { label: 'Region', kind: 'text' },
      { label: 'Salary', kind: 'number' },
      { label: 'State', kind: 'state', options: { choices: [{ name: 'Open' }, { name: 'Asked' }, { name: 'Done' }] } },
    ],
  })
  expect(status, text).toBe(201)
  const state = body.fields.find(({ kind }: { readonly kind: string }) => kind === 'state')
  people = {
    id: body.id,
    at: `/api/collections/${body.name}/records`,
    field: idsOf(body.fields),
    state: idsOf(state.options.choices),
  }
  northerner = await app.asGranted([
    { permission: 'records:read', collection: people.id, where: { field: 'region', op: '=', value: 'North' } },
    { permission: 'records:update', collection: people.id },
    { permission: 'records:transition', collection: people.id },
  ])
})

async function define(part: object): Promise<void> {
  const { status, text } = await owner.patch(`/api/collections/${people.id}`, part)
  expect(status, text).toBe(200)
}

/** Open → Asked (requires salary) → Done, which locks all fields. */
const aWay = (): Promise<void> =>
  define({
    workflow: {
      transitions: [
        { name: 'Ask', from: idIn(people.state, 'Open'), to: idIn(people.state, 'Asked') },
        { name: 'Close', from: idIn(people.state, 'Asked'), to: idIn(people.state, 'Done'), roles: ['owner'] },
      ],
      states: {
        [idIn(people.state, 'Open')]: { requiredToLeave: [idIn(people.field, 'salary')] },
        [idIn(people.state, 'Done')]: { frozen: 'all' },
      },
    },
  })

async function person(values: object): Promise<string> {
  const { body, status, text } = await owner.post(people.at, { values: { region: 'South', ...values } })
  expect(status, text).toBe(201)
  return body.id
}

const change = (who: Caller, id: string, values: object): Promise<Answer> => who.patch(`${people.at}/${id}`, { values })
const bulk = (who: Caller, update: readonly object[]): Promise<Answer> => who.post(`${people.at}/bulk`, { update })
const move = (who: Caller, id: string, to: string): Promise<Answer> =>
  who.post(`${people.at}/${id}/transitions`, { to })
const reported = ({ status, body }: Answer): unknown => [status, { ...body, requestId: '' }]

describe("a record that its writer can't read", () => {
  test('reveals neither its status nor its locked values when an update is rejected', async () => {
    await aWay()
    const [south, other] = [await person({ salary: 5, state: 'Done' }), await person({ salary: 6, state: 'Done' })]
    const guesses = [4, 5].flatMap((salary) => [
      change(northerner, south, { salary }),
      bulk(northerner, [{ id: south, values: { salary } }]),
      bulk(
        northerner,
        [south, other].map((id) => ({ id, values: { salary } })),
      ),
    ])
    const answers = await Promise.all(guesses)
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [422, 'field-frozen']))
    for (const { text } of answers) expect(text).not.toContain('Done')
    expect(answers.slice(0, 3).map(reported)).toEqual(answers.slice(3).map(reported))
  })

  test("doesn't reveal its status when a transition is rejected", async () => {
    await aWay()
    const ids = [await person({ salary: 5, state: 'Done' }), await person({ salary: 5 })]
    const requested = async (to: string) => Promise.all(ids.map(async (id) => reported(await move(northerner, id, to))))
    const answers = (await Promise.all(['Open', 'Done', 'Nowhere'].map(requested))).flat()
    for (const answer of answers) expect(answer).toEqual(answers[0])
    const asking = await person({ state: 'Asked' })
    expect(reported(await move(northerner, asking, 'Done'))).toEqual(answers[0])
    const empty = await move(northerner, await person({}), 'Asked')
    expect([empty.status, empty.text.includes('alary')]).toEqual([422, false])
  })

  test('reveals as much as any other readable record if its writer can read it', async () => {
    await aWay()
    const north = await person({ region: 'North', salary: 5, state: 'Done' })
    expect((await change(northerner, north, { salary: 5 })).status).toBe(200)
    expect((await change(northerner, north, { salary: 4 })).body.detail).toContain('“Done”')
    expect((await move(northerner, north, 'Asked')).body.detail).toContain('from Done to Asked')
    const empty = await move(northerner, await person({ region: 'North' }), 'Asked')
    expect(empty.body.detail).toContain('Salary')
  })
})

describe("a value that its writer can't read", () => {
  const read = (): Grant => ({
    permission: 'records:read',
    collection: people.id,
    fields: { except: [idIn(people.field, 'salary')] },
  })
  const update = (): Grant => ({ permission: 'records:update', collection: people.id })
  /** Users who can write salaries that they can't read: one for all records, one for records outside the north. */
  const writers = async (): Promise<readonly Caller[]> => [await app.asGranted([read(), update()]), northerner]
  const versionOf = async (id: string): Promise<number> => (await owner.get(`${people.at}/${id}`)).body.version

  test('is not revealed by the record version', async () => {
    for (const writer of await writers()) {
      const ids = [await person({ salary: 4 }), await person({ salary: 5 })]
      const guess = { salary: 5 }
      for (const id of ids) {
        const asking = (version: number) =>
          bulk(writer, [
            { id, values: guess },
            { id, version, values: {} },
          ])
        expect([(await asking(1)).status, (await asking(2)).status]).toEqual([409, 200])
      }
      await bulk(
        writer,
        ids.map((id) => ({ id, values: guess })),
      )
      expect(await Promise.all(ids.map(versionOf))).toEqual([3, 3])
      for (const [at, id] of ids.entries()) {
        expect((await change(writer, id, { salary: 5 - at })).body.version).toBe(4)
      }
    }
  })

  test('is logged as a change, even if the written value is the same', async () => {
    const [writer] = await writers()
    const id = await person({ salary: 5 })
    if (writer) await change(writer, id, { salary: 5, region: 'South' })
    const log = app.database.read.selectFrom('changes').select(['before', 'after', 'user_id'])
    const [, given] = await log.where('record_id', '=', id).orderBy('id').execute()
    const salary = JSON.stringify({ [idIn(people.field, 'salary')]: 5 })
    expect(given).toEqual({ before: salary, after: salary, user_id: writer?.userId })
  })

  test('is not revealed by the undo data of a bulk change', async () => {
    const [writer] = await writers()
    const ids = [await person({ salary: 4 }), await person({ salary: 5 })]
    const answer = await writer?.post(`${people.at}/bulk`, {
      where: {},
      update: { values: { salary: 5, region: 'South' } },
      remember: true,
    })
    expect(answer?.body.before).toEqual(ids.map((id) => ({ id, version: 2, values: {} })))
  })

  test('is not revealed by a validation rule that the record already violates', async () => {
    const [four, five] = [await person({ salary: 4 }), await person({ salary: 5 })]
    await define({ rules: [{ then: 'salary > 10', message: 'That is too little.' }] })
    for (const writer of await writers()) {
      for (const id of [four, five]) {
        const answers = [
          await change(writer, id, { salary: 5 }),
          await bulk(writer, [
            { id, values: { salary: 5 } },
            { id: four, values: { region: 'West' } },
          ]),
          await bulk(writer, [
            { id, values: { salary: 50 } },
            { id, values: { salary: 5 } },
          ]),
        ]
        expect(answers.map(({ body }) => body.code)).toEqual(answers.map(() => 'rule-broken'))
      }
      const found = await writer.post(`${people.at}/bulk`, { where: {}, update: { values: { salary: 5 } } })
      expect(found.body.code).toBe(writer === northerner ? undefined : 'rule-broken')
      const untouched = await change(writer, five, { region: 'South' })
      expect(untouched.status, untouched.text).toBe(200)
    }
  })

  test('is not revealed by the record version after an import', async () => {
    const ids = [await person({ region: 'East', salary: 4 }), await person({ region: 'West', salary: 5 })]
    const writer = await app.asGranted([
      read(),
      { permission: 'records:read', collection: people.id, where: { field: 'region', op: '=', value: 'nowhere' } },
      update(),
      { permission: 'records:import', collection: people.id },
    ])
    const { body, text } = await importInto(writer, people.id, 'Region,Salary\nEast,5\nWest,5\n', '?key=region')
    expect(body.state, text).toBe('done')
    expect(await Promise.all(ids.map(versionOf))).toEqual([2, 2])
  })

  test('is unchanged if omitted', async () => {
    const id = await person({ salary: 5 })
    for (const writer of await writers()) await change(writer, id, {})
    await change(owner, id, { salary: 5 })
    expect(await versionOf(id)).toBe(1)
  })
})
