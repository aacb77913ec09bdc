import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RecordChange } from '#api/changes.ts'
import { entriesAfter, LOG_START } from '#server/records/changes/commit-order-store.ts'
import { importInto } from '#tests/conformance/csv-import.ts'
import { logSettled } from '#tests/support/database/settled-log.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import { defineCollection, recordsPath as at, type TestCollection } from '#tests/support/server/test-collections.ts'
import { perTier } from '#tests/support/test-tier.ts'

let app: TestApp
let owner: Caller

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
})
afterAll(() => app.close())

/** Positions stand for records, deleted records or change sets that exist when the step is taken. */
type Step =
  | { readonly does: 'create'; readonly sizes: readonly number[]; readonly to: number }
  | { readonly does: 'edit'; readonly at: number; readonly size: number; readonly to: number }
  | { readonly does: 'change-all'; readonly below: number; readonly size: number }
  | { readonly does: 'delete'; readonly at: readonly number[] }
  | { readonly does: 'restore'; readonly at: readonly number[] }
  | { readonly does: 'import'; readonly sizes: readonly number[] }
  | { readonly does: 'undo'; readonly at: number }

const place = fc.nat({ max: 20 })
const places = fc.array(place, { minLength: 1, maxLength: 3 })
const size = fc.integer({ min: 0, max: 3 })
const sizes = fc.array(size, { minLength: 1, maxLength: 3 })

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: fc.constant('create' as const), sizes, to: place }),
  fc.record({ does: fc.constant('edit' as const), at: place, size, to: place }),
  fc.record({ does: fc.constant('change-all' as const), below: size, size }),
  fc.record({ does: fc.constant('delete' as const), at: places }),
  fc.record({ does: fc.constant('restore' as const), at: places }),
  fc.record({ does: fc.constant('import' as const), sizes }),
  fc.record({ does: fc.constant('undo' as const), at: place }),
)

/** The filled values of all records, by ID. */
type Content = ReadonlyMap<string, object>

const filled = (values: object): object =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)),
  )

async function ask(method: string, path: string, body?: object) {
  const answer = await owner.request(method, path, body === undefined ? {} : { body })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer.body
}

async function contentOf(collection: TestCollection): Promise<Content> {
  const { items } = await ask('GET', `${at(collection)}?perPage=500&count=none`)
  return new Map(items.map(({ id, values }: { id: string; values: object }) => [id, filled(values)]))
}

/** What a step made: its change set, and the records that it imported. */
type Made = { readonly changeSet?: string; readonly imported?: Content }

async function take(collection: TestCollection, taken: Step, sets: readonly string[]): Promise<Made> {
  const content = await contentOf(collection)
  const ids = [...content.keys()].toSorted()
  const chosen = (indexes: readonly number[], among: readonly string[]) => [
    ...new Set(indexes.flatMap((index) => among[index % among.length] ?? [])),
  ]
  const links = (index: number) => ({
    parent: chosen([index], ids)[0] ?? null,
    related: chosen([index, index + 2], ids),
  })
  const bulk = (body: object): Promise<Made> => ask('POST', `${at(collection)}/bulk`, body)
  switch (taken.does) {
    case 'create':
      return bulk({ create: taken.sizes.map((number) => ({ values: { size: number, ...links(taken.to) } })) })
    case 'edit':
      return bulk({
        update: chosen([taken.at], ids).map((id) => ({ id, values: { size: taken.size, ...links(taken.to) } })),
      })
    case 'change-all':
      return bulk({ where: { filter: `size < ${taken.below}` }, update: { values: { size: taken.size } } })
    case 'delete':
      return bulk({ delete: chosen(taken.at, ids) })
    case 'restore': {
      const { items } = await ask('GET', `/api/trash?collection=${collection.id}`)
      const deleted = items.map(({ record }: { record: { id: string } }) => record.id)
      await ask('POST', '/api/trash/restore', { records: chosen(taken.at, deleted) })
      return {}
    }
    case 'import': {
      const { body } = await importInto(owner, collection.name, `size\n${taken.sizes.join('\n')}\n`)
      expect(body).toMatchObject({ state: 'done' })
      const after = await contentOf(collection)
      return { changeSet: body.id, imported: new Map([...after].filter(([id]) => !content.has(id))) }
    }
    case 'undo': {
      const [changeSet] = chosen([taken.at], sets)
      if (changeSet !== undefined) await undo(changeSet)
      return {}
    }
  }
}

async function undo(changeSet: string): Promise<void> {
  const { job } = await ask('POST', `/api/change-sets/${changeSet}/undo`)
  if (job !== undefined) await expect.poll(async () => (await ask('GET', `/api/jobs/${job}`)).state).toBe('done')
}

type Values = Readonly<Record<string, unknown>>

/** Applies all entries of the log about a collection, in commit order, to an empty workspace. */
async function replay({ id: collection }: TestCollection, imports: ReadonlyMap<string, Content>): Promise<Content> {
  const { database } = app
  const rows = await database.read.selectFrom('changes').select(['id', 'before', 'after']).execute()
  const stored = new Map(
    rows.map(({ id, before, after }) => [id, [before, after].map((text) => JSON.parse(text ?? 'null'))]),
  )
  const records = new Map<string, Values>()
  for (const entry of await entriesAfter(database, LOG_START, rows.length)) {
    if (entry.collection !== collection) continue
    const [before, after] = stored.get(entry.id) ?? []
    const known = records.get(entry.record ?? '')
    switch (entry.kind) {
      case 'record-created':
      case 'record-restored':
        expect(known).toBeUndefined()
        records.set(entry.record ?? '', after)
        break
      case 'record-changed':
        expect(filled(before)).toEqual(
          filled(Object.fromEntries(Object.keys(before).map((field) => [field, known?.[field] ?? null]))),
        )
        records.set(entry.record ?? '', { ...known, ...after })
        break
      case 'record-deleted':
        expect(filled(before)).toEqual(filled(known ?? {}))
        records.delete(entry.record ?? '')
        break
      case 'records-imported':
        for (const [id, values] of imports.get(entry.changeSet ?? '') ?? []) records.set(id, values as Values)
        break
      default:
        expect(entry.kind).toMatch(/^collection-/)
    }
  }
  return new Map([...records].map(([id, values]) => [id, filled(values)]))
}

/** A program that follows the changes and reads the records that they name. */
function synchronizing(collection: TestCollection) {
  const records = new Map<string, object>()
  let next: string | undefined
  const apply = async ({ kind, record }: RecordChange): Promise<void> => {
    if (record === null) {
      for (const [id, values] of await contentOf(collection)) records.set(id, values)
      return
    }
    const answer = kind === 'deleted' ? undefined : await owner.get(`${at(collection)}/${record}`)
    if (answer?.status === 200) records.set(record, filled(answer.body.values))
    else records.delete(record)
  }
  return {
    records,
    follow: async (): Promise<void> => {
      await logSettled(app.database)
      for (let isComplete = false; !isComplete; ) {
        const after = next === undefined ? {} : { after: next }
        const page = await ask(
          'GET',
          `/api/changes?${new URLSearchParams({ collection: collection.id, limit: '5', ...after })}`,
        )
        for (const item of page.items) await apply(item)
        next = page.next
        isComplete = page.isComplete
      }
    },
  }
}

test('the change log replayed from the start, and a program that follows it, give the same records as the tables', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ taken: step, follows: fc.boolean() }), { minLength: 6, maxLength: 16 }),
      async (all) => {
        const collection = await defineCollection(owner, 'Nodes', [{ label: 'Size', kind: 'number' }])
        const fieldIds = new Map(Object.entries(collection.fields))
        for (const [label, many] of [
          ['Parent', false],
          ['Related', true],
        ] as const) {
          const options = { collection: collection.id, many }
          const { fields } = await ask('POST', `/api/collections/${collection.name}/fields`, {
            label,
            kind: 'relation',
            options,
          })
          for (const { id, name } of fields) fieldIds.set(name, id)
        }
        const byId = (content: Content): Content =>
          new Map(
            [...content].map(([id, values]) => [
              id,
              Object.fromEntries(Object.entries(values).map(([name, value]) => [fieldIds.get(name), value])),
            ]),
          )
        const imports = new Map<string, Content>()
        const sets: string[] = []
        const program = synchronizing(collection)
        for (const { taken, follows } of all) {
          app.clock.move(1000)
          const { changeSet, imported } = await take(collection, taken, sets)
          if (changeSet !== undefined) sets.push(changeSet)
          if (changeSet !== undefined && imported) imports.set(changeSet, byId(imported))
          if (follows) await program.follow()
        }
        await program.follow()
        const content = await contentOf(collection)
        expect(new Map(program.records)).toEqual(content)
        expect(await replay(collection, imports)).toEqual(byId(content))
      },
    ),
    { numRuns: perTier(8), endOnFailure: true },
  )
}, 180_000)
