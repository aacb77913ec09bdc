import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import { importInto } from '#tests/conformance/csv-import.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import {
  createRecords,
  defineCollection,
  doctorFindings,
  recordsPath as at,
  type TestCollection,
} from '#tests/support/server/test-collections.ts'

let app: TestApp
let owner: Caller
/** People, and passports that each belong to one person. */
let people: TestCollection
let passports: TestCollection
let ada = ''
let bob = ''
let first = ''

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(async () => {
  expect(await doctorFindings(app)).toEqual([])
  await app.close()
})

beforeEach(async () => {
  owner = await app.asOwner()
  people = await defineCollection(owner, 'People', [{ label: 'Name', kind: 'text' }])
  passports = await defineCollection(owner, 'Passports', [
    { label: 'Number', kind: 'text' },
    { label: 'Person', kind: 'relation', options: { collection: people.id }, unique: true },
  ])
  ;[ada = '', bob = ''] = await createRecords(owner, people, { name: 'Ada' }, { name: 'Bob' })
  ;[first = ''] = await createRecords(owner, passports, { number: 'P1', person: ada })
})

const personOf = async (id: string): Promise<unknown> => (await owner.get(`${at(passports)}/${id}`)).body.values.person

const bulk = (body: object) => owner.post(`${at(passports)}/bulk`, body)

const ANOTHER = 'Another record already links to this one, and Person can link to each record only once.'

const refusal = (message: string) => ({
  status: 422,
  body: { code: 'values-invalid', errors: [{ path: 'person', code: 'not-unique', message }] },
})

describe('a record that can be linked only once', () => {
  test('is not linked again, and the error names the record that links to it', async () => {
    const named = refusal('“P1” already links to this record, and Person can link to each record only once.')
    expect(await owner.post(at(passports), { values: { number: 'P2', person: ada } })).toMatchObject(named)
    const [second] = await createRecords(owner, passports, { number: 'P2', person: bob })
    expect(await owner.patch(`${at(passports)}/${second}`, { values: { person: ada } })).toMatchObject(named)
    expect(await personOf(second ?? '')).toBe(bob)
  })

  test('can be linked again after it is unlinked, and empty links are never equal', async () => {
    const [second = ''] = await createRecords(owner, passports, { number: 'P2' }, { number: 'P3' })
    expect((await owner.patch(`${at(passports)}/${first}`, { values: { person: null } })).status).toBe(200)
    expect((await owner.patch(`${at(passports)}/${second}`, { values: { person: ada } })).status).toBe(200)
  })

  test('is not linked again by a bulk change', async () => {
    const twice = { create: ['P2', 'P3'].map((number) => ({ values: { number, person: bob } })) }
    expect(await bulk(twice)).toMatchObject(refusal(ANOTHER))
    const [second = ''] = await createRecords(owner, passports, { number: 'P2' })
    expect(await bulk({ update: [{ id: second, values: { person: ada } }] })).toMatchObject(refusal(ANOTHER))
    expect((await bulk({ where: { only: [first, second] }, update: { values: { person: bob } } })).status).toBe(422)
    const moved = [
      { id: first, values: { person: null } },
      { id: second, values: { person: ada } },
    ]
    expect((await bulk({ update: moved })).status).toBe(200)
  })

  test('is not linked again by an import', async () => {
    const csv = `Number,Person\nP2,${ada}\nP3,${bob}\nP4,${bob}\n`
    const { body, text } = await importInto(owner, passports.name, csv, '?onBadRow=skip')
    expect(body.progress, text).toMatchObject({ rowsStored: 1, rowsRefused: 2 })
    expect(text).toContain('Another record already links to this one, and each record can be linked only once.')
  })

  test('is not linked again when a change is undone', async () => {
    const { changeSet } = (await bulk({ update: [{ id: first, values: { person: bob } }] })).body
    const [taker = ''] = await createRecords(owner, passports, { number: 'P2', person: ada })
    const undone = await owner.post(`/api/change-sets/${changeSet}/undo`)
    expect(undone.body.refused, undone.text).toEqual([{ message: ANOTHER, count: 1, records: [first] }])
    expect([await personOf(first), await personOf(taker)]).toEqual([bob, ada])
  })

  test('is not linked again when a record is restored', async () => {
    const { changeSet } = (await bulk({ delete: [first] })).body
    const [taker = ''] = await createRecords(owner, passports, { number: 'P2', person: ada })
    const undo = () => owner.post(`/api/change-sets/${changeSet}/undo`)
    expect((await undo()).body.refused).toEqual([{ message: ANOTHER, count: 1, records: [first] }])
    await owner.patch(`${at(passports)}/${taker}`, { values: { person: null } })
    expect((await undo()).body).toMatchObject({ restored: 1 })
    expect(await personOf(first)).toBe(ada)
  })

  test('is not named in an error if the actor can’t read the record that links to it', async () => {
    const write = (more: Partial<Grant>): Grant[] =>
      (['records:read', 'records:create'] as const).map((permission) => ({
        permission,
        collection: passports.id,
        ...(permission === 'records:read' && more),
      }))
    const readsPeople: Grant = { permission: 'records:read', collection: people.id }
    const where: Grant['where'] = { field: 'number', op: '!=', value: 'P1' }
    const except = { fields: { except: [passports.fields['person'] ?? ''] } }
    for (const grants of [write({ where }), write(except)]) {
      const caller = await app.asGranted([...grants, readsPeople])
      const { status, text } = await caller.post(at(passports), { values: { number: 'P2', person: ada } })
      expect(status, text).toBe(422)
      expect(text).not.toContain('P1')
    }
  })
})

describe('linking only once', () => {
  const field = (name: string) => `/api/collections/${passports.name}/fields/${name}`

  test('can’t be turned on while a record is linked more than once', async () => {
    expect((await owner.patch(field('person'), { unique: false })).status).toBe(200)
    const [second] = await createRecords(owner, passports, { number: 'P2', person: ada })
    const message = 'Some records are already linked more than once.'
    expect(await owner.patch(field('person'), { unique: true })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'unique', code: 'duplicates', message }] },
    })
    await owner.patch(`${at(passports)}/${second}`, { values: { person: bob } })
    expect((await owner.patch(field('person'), { unique: true })).status).toBe(200)
    expect((await owner.post(at(passports), { values: { person: ada } })).status).toBe(422)
  })

  test('is possible only for a single linked record', async () => {
    const many = { options: { collection: people.id, many: true } }
    const failure = { status: 422, body: { errors: [{ path: 'unique', code: 'cannot-be-unique' }] } }
    expect(await owner.patch(field('person'), many)).toMatchObject(failure)
    const added = { label: 'Readers', kind: 'relation', unique: true, ...many }
    expect(await owner.post(`/api/collections/${passports.name}/fields`, added)).toMatchObject(failure)
    expect((await owner.patch(field('person'), { ...many, unique: false })).status).toBe(200)
  })

  test('lets the other side look up a value with its type', async () => {
    const options = { collection: passports.name, relation: 'person' }
    const reverse = { label: 'Passport', kind: 'reverse', options }
    expect((await owner.post(`/api/collections/${people.name}/fields`, reverse)).status).toBe(201)
    const valid = { label: 'Valid', kind: 'date' }
    expect((await owner.post(`/api/collections/${passports.name}/fields`, valid)).status).toBe(201)
    await owner.patch(`${at(passports)}/${first}`, { values: { valid: '2030-05-01' } })
    const lookup = { label: 'Valid until', kind: 'lookup', options: { path: ['passport'], field: 'valid' } }
    const { body, status, text } = await owner.post(`/api/collections/${people.name}/fields`, lookup)
    expect(status, text).toBe(201)
    expect(body.fields.at(-1).options).toMatchObject({ function: 'first', result: 'date' })
    await expect
      .poll(async () => (await owner.get(`${at(people)}/${ada}`)).body.values)
      .toMatchObject({ validUntil: '2030-05-01' })
  })

  test('works for links within a collection, in both directions', async () => {
    const partner = {
      label: 'Partner',
      kind: 'relation',
      options: { collection: people.id },
      unique: true,
      reverse: {},
    }
    const added = await owner.post(`/api/collections/${people.name}/fields`, partner)
    expect(added.status, added.text).toBe(201)
    const reverse = added.body.fields.find(({ kind }: { readonly kind: string }) => kind === 'reverse').name
    expect((await owner.patch(`${at(people)}/${ada}`, { values: { partner: ada } })).status).toBe(200)
    expect((await owner.patch(`${at(people)}/${bob}`, { values: { partner: ada } })).status).toBe(422)
    expect((await owner.patch(`${at(people)}/${ada}`, { values: { partner: bob } })).status).toBe(200)
    expect((await owner.patch(`${at(people)}/${bob}`, { values: { partner: ada } })).status).toBe(200)
    const { values } = (await owner.get(`${at(people)}/${ada}`)).body
    expect(values).toMatchObject({ partner: bob, [reverse]: { count: 1, records: [bob] } })
  })
})
