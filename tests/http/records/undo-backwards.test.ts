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
