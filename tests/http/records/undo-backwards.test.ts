import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import { perTier } from '#tests/support/test-tier.ts'
import {
  defineCollection,
  doctorFindings,
  recordsPath as at,
  type TestCollection,
} from '#tests/support/server/test-collections.ts'

let app: TestApp
let owner: Caller

beforeAll(async () => {
  app = await openTestApp()
  await app.listen()
  owner = await app.asOwner()
})
afterAll(() => app.close())

type Content = Readonly<Record<string, unknown>>

/** Positions stand for records that exist when the step is taken. */
type Step =
  | { readonly does: 'create'; readonly sizes: readonly number[]; readonly to: number }
  | { readonly does: 'update'; readonly at: readonly number[]; readonly size: number; readonly to: number | null }
  | { readonly does: 'delete'; readonly at: readonly number[] }

const place = fc.nat({ max: 20 })
const places = fc.array(place, { minLength: 1, maxLength: 3 })
const size = fc.integer({ min: 0, max: 3 })

const steps = fc.array(
  fc.oneof(
    {
      weight: 2,
      arbitrary: fc.record({
        does: fc.constant('create' as const),
        sizes: fc.array(size, { minLength: 1, maxLength: 3 }),
        to: place,
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ does: fc.constant('update' as const), at: places, size, to: fc.option(place) }),
    },
    { weight: 2, arbitrary: fc.record({ does: fc.constant('delete' as const), at: places }) },
  ),
  { minLength: 4, maxLength: 14 },
)

/** All values of all records, by ID, now or at a time. */
async function contentOf(collection: TestCollection, time?: string): Promise<Content> {
  const asOf = time === undefined ? '' : `&at=${time}`
  const { status, body, text } = await owner.get(`${at(collection)}?perPage=500${asOf}`)
  expect(status, text).toBe(200)
  const { items } = body
  return Object.fromEntries(items.map(({ id, values }: { id: string; values: unknown }) => [id, values]))
}

/** Makes a change and returns its change set; undefined if there was nothing to change. */
async function take(collection: TestCollection, step: Step): Promise<string | undefined> {
  const ids = Object.keys(await contentOf(collection)).toSorted()
  const idAt = (index: number) => ids[index % ids.length]
  const body = bodyOf(step, idAt)
  const { status, body: said, text } = await owner.post(`${at(collection)}/bulk`, body)
  expect(status, text).toBe(200)
  return said.changeSet
}

function bodyOf(step: Step, idAt: (index: number) => string | undefined): object {
  if (step.does === 'create') {
    const link = idAt(step.to) ?? null
    return {
      create: step.sizes.map((number) => ({ values: { size: number, parent: link, related: link ? [link] : [] } })),
    }
  }
  const chosen = [...new Set(step.at.flatMap((index) => idAt(index) ?? []))]
  if (step.does === 'delete') return { delete: chosen }
  const link = step.to === null ? null : (idAt(step.to) ?? null)
  const values = { size: step.size, parent: link, related: link ? [link] : [] }
  return { update: chosen.map((id) => ({ id, values })) }
}

test('every earlier content can be read as of its time, and undoing all changes backwards restores it', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const collection = await defineCollection(owner, 'Nodes', [{ label: 'Size', kind: 'number' }])
      for (const [label, many] of [
        ['Parent', false],
        ['Related', true],
      ] as const) {
        const options = { collection: collection.id, many }
        await owner.post(`/api/collections/${collection.name}/fields`, { label, kind: 'relation', options })
      }
      const done: { readonly changeSet: string; readonly before: Content; readonly time: string }[] = []
      for (const step of taken) {
        const [before, time] = [await contentOf(collection), app.clock.now().toISOString()]
        app.clock.move(1000)
        const changeSet = await take(collection, step)
        if (changeSet !== undefined) done.push({ changeSet, before, time })
      }
      for (const { changeSet, before, time } of done.toReversed()) {
        app.clock.move(1000)
        expect(await contentOf(collection, time)).toEqual(before)
        const { status, body, text } = await owner.post(`/api/change-sets/${changeSet}/undo`)
        expect(status, text).toBe(200)
        expect([body.kept, body.refused, body.lost]).toEqual([undefined, undefined, undefined])
        expect(await contentOf(collection)).toEqual(before)
      }
    }),
    { numRuns: perTier(15), endOnFailure: true },
  )
  expect(await doctorFindings(app)).toEqual([])
})

/** Values are drawn by position from those that fit the type that the field has when the step is taken. */
type DefinitionStep =
  | { readonly does: 'type' | 'options' | 'field'; readonly pick: number }
  | { readonly does: 'rename' | 'move'; readonly pick: number }
  | { readonly does: 'edit'; readonly at: number; readonly pick: number }

const pick = fc.nat({ max: 11 })
const definitionSteps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ does: fc.constant('type' as const), pick }) },
    { weight: 3, arbitrary: fc.record({ does: fc.constantFrom('options', 'field', 'rename', 'move'), pick }) },
    { weight: 4, arbitrary: fc.record({ does: fc.constant('edit' as const), at: place, pick }) },
  ),
  { minLength: 3, maxLength: 9 },
)

const OPTIONS = { choices: ['1', 'yes', 'red'].map((name) => ({ name })) }
const TYPES = [
  { kind: 'text' },
  { kind: 'number' },
  { kind: 'checkbox' },
  { kind: 'long-text' },
  { kind: 'select', options: OPTIONS },
  { kind: 'multi-select', options: OPTIONS },
]
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  number: [1, 2.5, null],
  checkbox: [true, false],
  select: ['1', 'red', null],
  'multi-select': [['red', '1'], ['yes'], []],
}

type FieldBody = {
  readonly id: string
  readonly name: string
  readonly kind: string
  readonly options: { choices?: unknown[] }
}

/** Makes a change of a definition or a value; whether it was accepted. */
async function takeInDefinition(
  collection: TestCollection,
  ids: readonly string[],
  step: DefinitionStep,
): Promise<boolean> {
  const home = `/api/collections/${collection.id}`
  const fields: readonly FieldBody[] = (await owner.get(home)).body.fields
  const field = fields.find(({ id }) => id === collection.fields['code'])
  if (!field) throw new Error('The field is missing')
  const change = (body: object) => owner.patch(`${home}/fields/${field.id}`, { ...body, acceptLoss: true })
  const answer = await (() => {
    switch (step.does) {
      case 'type':
        return change(TYPES[step.pick % TYPES.length] ?? {})
      case 'options': {
        const { choices = [] } = field.options
        return change({ options: { choices: choices.toSpliced(step.pick % (choices.length + 1), 1).toReversed() } })
      }
      case 'rename':
        return change({ label: `Label ${step.pick}`, description: `About ${step.pick % 2}` })
      case 'move':
        return change({ position: step.pick % fields.length })
      case 'field': {
        const last = fields.findLast(({ id }) => id !== field.id)
        return step.pick % 2 === 0 && last
          ? owner.delete(`${home}/fields/${last.id}`)
          : owner.post(`${home}/fields`, { label: 'Added', kind: 'number', position: 0 })
      }
      case 'edit': {
        const values = VALUES[field.kind] ?? ['1', '2.50', 'yes', 'red', 'none', null]
        const value = values[step.pick % values.length]
        return owner.patch(`${home}/records/${ids[step.at % ids.length]}`, { values: { [field.name]: value } })
      }
    }
  })()
  return answer.status < 300
}

test('undoing changes of definitions and values backwards restores every earlier definition and content', async () => {
  const lastChange = async ({ id }: TestCollection): Promise<string> =>
    (await owner.get(`/api/activity?collection=${id}&perPage=1`)).body.items[0].id
  const stateOf = async (collection: TestCollection) => {
    const { version: _, ...definition } = (await owner.get(`/api/collections/${collection.id}`)).body
    return { definition, content: await contentOf(collection) }
  }
  await fc.assert(
    fc.asyncProperty(definitionSteps, async (taken) => {
      const collection = await defineCollection(owner, 'Forms', [
        { label: 'Code', kind: 'text' },
        { label: 'Title', kind: 'text' },
      ])
      const create = ['1', '2.50', 'yes', 'red', 'none', null].map((code) => ({ values: { code, title: code } }))
      const ids: string[] = (await owner.post(`${at(collection)}/bulk`, { create })).body.created
      const done: { readonly changeSet: string; readonly before: Awaited<ReturnType<typeof stateOf>> }[] = []
      for (const step of taken) {
        const [before, last] = [await stateOf(collection), await lastChange(collection)]
        app.clock.move(1000)
        await takeInDefinition(collection, ids, step)
        const changeSet = await lastChange(collection)
        if (changeSet !== last) done.push({ changeSet, before })
      }
      for (const { changeSet, before } of done.toReversed()) {
        app.clock.move(1000)
        const { status, body, text } = await owner.post(`/api/change-sets/${changeSet}/undo`)
        expect(status, text).toBe(200)
        expect([body.kept, body.refused, body.lost]).toEqual([undefined, undefined, undefined])
        expect(await stateOf(collection)).toEqual(before)
      }
    }),
    { numRuns: perTier(15), endOnFailure: true },
  )
  expect(await doctorFindings(app)).toEqual([])
})
