import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import { defineCollection } from '#tests/support/server/test-collections.ts'

let app: TestApp
let owner: Caller

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
})
afterAll(() => app.close())

const FIELDS = [
  { label: 'Title', kind: 'text' },
  { label: 'Stage', kind: 'select', options: { choices: [{ name: 'open' }, { name: 'done' }] } },
  { label: 'Amount', kind: 'number' },
  { label: 'Photos', kind: 'files' },
  { label: 'Due', kind: 'date' },
  { label: 'Done on', kind: 'date' },
  { label: 'Seen at', kind: 'date-time' },
]

/** Options that use fields, by type, with what remains of them without those fields. */
const WITH_FIELDS = [
  [
    'cards',
    { fieldCount: 6, cover: 'photos', fit: 'fit', size: 'large' },
    { fieldCount: 6, cover: null, fit: 'fit', size: 'large' },
  ],
  ['board', { by: 'stage', fieldCount: 2, cover: 'photos' }, { by: null, fieldCount: 2, cover: null }],
] as const

async function tasks() {
  const { name, fields } = await defineCollection(owner, 'Tasks', FIELDS)
  const path = `/api/collections/${name}`
  return { path, views: `${path}/views`, idOf: (field: string) => fields[field] ?? '' }
}

const save = async (views: string, display: object, isShared = false) => {
  const made = await owner.post(views, { name: 'A view', isShared, display })
  expect(made.status, made.text).toBe(201)
  return made.body
}

describe('the type of a view', () => {
  test('rejects options that do not match its type or collection, with their path', async () => {
    const { views } = await tasks()
    const refusal = async (display: object) => {
      const answer = await owner.post(views, { name: 'A view', display })
      return [answer.status, answer.body.code, answer.body.errors.map(({ path }: { path: string }) => path)]
    }
    const invalid = (path: string) => [400, 'invalid-request', [path]]
    const unfit = (path: string) => [422, 'definition-invalid', [path]]
    expect(await refusal({ kind: 'mural' })).toEqual(invalid('display.kind'))
    expect(await refusal({ kind: 'grid', options: { cover: 'photos' } })).toEqual(invalid('display.options.cover'))
    expect(await refusal({ kind: 'cards', options: { fieldCount: 5 } })).toEqual(invalid('display.options.fieldCount'))
    expect(await refusal({ kind: 'cards', options: { cover: 'title' } })).toEqual(unfit('display.options.cover'))
    expect(await refusal({ kind: 'list', options: { cover: 'photos' } })).toEqual(invalid('display.options.cover'))
    expect(await refusal({ kind: 'board', options: { cover: 'title' } })).toEqual(unfit('display.options.cover'))
    for (const by of ['title', 'amount', 'photos'])
      expect(await refusal({ kind: 'board', options: { by } })).toEqual(unfit('display.options.by'))
    expect(await refusal({ kind: 'calendar', options: { start: 'title' } })).toEqual(unfit('display.options.start'))
    expect(await refusal({ kind: 'timeline', options: { zoom: 'hour' } })).toEqual(invalid('display.options.zoom'))
    expect(await refusal({ kind: 'timeline', options: { start: 'due', end: 'seenAt' } })).toEqual(
      unfit('display.options.end'),
    )
  })

  test('has defaults for options that are not given', async () => {
    const { views } = await tasks()
    const defaults = async (kind: string) => (await save(views, { kind })).display.options
    expect(await defaults('grid')).toEqual({})
    expect(await defaults('cards')).toEqual({ fieldCount: 4, cover: null, fit: 'crop', size: 'row' })
    expect(await defaults('list')).toEqual({ fieldCount: 2 })
    expect(await defaults('board')).toEqual({ by: null, fieldCount: 4, cover: null })
    expect(await defaults('calendar')).toEqual({ start: null, end: null, period: 'month' })
    expect(await defaults('timeline')).toEqual({ start: null, end: null, zoom: 'month' })
    expect(await defaults('chart')).toMatchObject({ type: 'bar', by: null, aggregate: 'count', interval: 'month' })
  })

  test.each(WITH_FIELDS)(
    '%s: keeps its fields when they are renamed, and drops deleted ones',
    async (kind, options, cut) => {
      const { path, views } = await tasks()
      const { id } = await save(views, { kind, options })
      const shown = async () =>
        (await owner.get(views)).body.items.find((view: { readonly id: string }) => view.id === id)
      await owner.patch(`${path}/fields/photos`, { name: 'pictures' })
      expect((await shown()).display).toEqual({ kind, options: { ...options, cover: 'pictures' } })
      await owner.delete(`${path}/fields/pictures`)
      await owner.delete(`${path}/fields/stage`)
      expect(await shown()).toMatchObject({ display: { kind, options: cut }, isUsable: true, fellAway: ['display'] })
    },
  )

  test.each(WITH_FIELDS)('%s: hides fields from users who can’t read them', async (kind, options, cut) => {
    const { views, idOf } = await tasks()
    const { id } = await save(views, { kind, options }, true)
    const hidden = [idOf('stage'), idOf('photos')]
    const reader = await app.asGranted([
      { permission: 'records:read', collection: null, fields: { except: hidden } },
      { permission: 'views:share', collection: null },
    ])
    const answer = await reader.get(views)
    expect(answer.body.items).toMatchObject([{ display: { kind, options: cut }, fellAway: [], mayChange: false }])
    expect(answer.text).not.toMatch(/stage|photos/i)
    expect((await reader.patch(`${views}/${id}`, { display: { kind: 'grid' } })).status).toBe(403)
    for (const name of Object.keys(options).filter((option) => option !== 'fieldCount')) {
      const ask = async (field: string) => {
        const refused = await reader.post(views, { name: 'A view', display: { kind, options: { [name]: field } } })
        const { requestId: _, ...body } = refused.body
        return JSON.stringify([refused.status, body]).replaceAll(field, '…')
      }
      expect(await ask('stage')).toBe(await ask('zzzzzz'))
      expect(await ask(idOf('photos'))).toBe(await ask('z'.repeat(26)))
    }
  })

  test.each([
    ['calendar', { period: 'week' }],
    ['timeline', { zoom: 'year' }],
  ])('%s: keeps its date fields when they are renamed, and drops deleted and hidden ones', async (kind, options) => {
    const { path, views, idOf } = await tasks()
    await save(views, { kind, options: { start: 'due', end: 'doneOn', ...options } }, true)
    await owner.patch(`${path}/fields/due`, { name: 'dueOn' })
    const reader = await app.asGranted([
      { permission: 'records:read', collection: null, fields: { except: [idOf('doneOn')] } },
      { permission: 'views:share', collection: null },
    ])
    const seen = await reader.get(views)
    const display = { kind, options: { start: 'dueOn', end: null, ...options } }
    expect(seen.body.items).toMatchObject([{ display, fellAway: [], mayChange: false }])
    expect(seen.text).not.toMatch(/done/i)
    const ask = async (end: string) => {
      const refused = await reader.post(views, { name: 'A view', display: { kind, options: { end } } })
      const { requestId: _, ...body } = refused.body
      return JSON.stringify([refused.status, body]).replaceAll(end, '…')
    }
    expect(await ask('doneOn')).toBe(await ask('zzzzzz'))
    await owner.delete(`${path}/fields/doneOn`)
    expect((await owner.get(views)).body.items).toMatchObject([{ display, fellAway: ['display'], isUsable: true }])
  })
})
