import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let owner: Caller

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
})
afterAll(() => app.close())

type Preview = {
  readonly id: string
  readonly collections: readonly { readonly label: string; readonly examples: number }[]
}

/** The properties of a rule that are sent back to the API. */
type Rule = { readonly [Part in 'when' | 'then' | 'message' | 'field']: unknown }

const TEMPLATE_IDS = [
  'inspections',
  'crm',
  'applicants',
  'assets',
  'cases',
  'editorial',
  'research-samples',
  'contracts',
  'events',
  'projects',
]

const templates = async (language = 'en'): Promise<readonly Preview[]> =>
  (await owner.get(`/api/templates?language=${language}`)).body.items

const recordsOf = async (collection: string) =>
  (await owner.get(`/api/collections/${collection}/records?count=exact&perPage=50&expand=*`)).body

const isThere = async (id: string): Promise<boolean> => (await owner.get(`/api/collections/${id}`)).status === 200

test.each(['en', 'de'])(
  'each template in “%s” creates what its preview shows, with valid example records',
  async (language) => {
    const all = await templates(language)
    expect(all.map(({ id }) => id)).toEqual(TEMPLATE_IDS)
    for (const { id, collections } of all) {
      const used = await owner.post(`/api/templates/${id}/use`, { withExamples: true, language })
      expect(used.status, used.text).toBe(201)
      expect(used.body.collections).toMatchObject(collections.map(({ label }) => ({ label })))
      for (const [at, made] of used.body.collections.entries()) {
        expect((await recordsOf(made.id)).total).toBe(collections[at]?.examples)
        const { body } = await owner.get(`/api/collections/${made.id}`)
        const rules = (body.rules ?? []).map(({ when, then, message, field }: Rule) => ({ when, then, message, field }))
        // Saving rules checks them against existing records and returns the number of violations.
        await owner.patch(`/api/collections/${made.id}`, { rules: [] })
        const again = await owner.patch(`/api/collections/${made.id}`, { rules })
        expect(again.status, again.text).toBe(200)
        for (const broken of again.body.broken ?? []) expect(broken).toMatchObject({ count: 0 })
      }
    }
  },
)

test('a template creates a workflow, views and relations, and opens its first view', async () => {
  const { body } = await owner.post('/api/templates/cases/use', { withExamples: true })
  const cases = body.collections[1]
  // The default names were already taken.
  expect(cases).toMatchObject({ name: 'cases2', label: 'Cases' })
  const { items: views } = (await owner.get(`/api/collections/${cases.id}/views`)).body
  expect(views.map(({ name, isDefault }: { name: string; isDefault: boolean }) => [name, isDefault])).toEqual([
    ['By status', true],
    ['Board', false],
    ['Mine', false],
    ['Overdue', false],
  ])
  expect(views[0]).toMatchObject({ isShared: true, query: { group: 'status' }, fellAway: [] })
  expect(views[1]).toMatchObject({ display: { kind: 'board', options: { by: 'status' } } })
  const { items } = await recordsOf(cases.id)
  const urgent = items.find(({ values }: { values: { priority: string } }) => values.priority === 'Urgent')
  expect(urgent.values).toMatchObject({ status: 'In work', contact: { title: 'Ines Moreau' }, number: 1 })
  const moves = await owner.get(`/api/collections/${cases.id}/records/${urgent.id}/transitions`)
  expect(moves.body.items.map(({ name }: { name: string }) => name)).toEqual(['Wait for an answer', 'Resolve'])
})

test('creating from a template can be undone as a whole until something is changed', async () => {
  const first = (await owner.post('/api/templates/editorial/use', { withExamples: true })).body.collections
  const ids = first.map(({ id }: { id: string }) => id)
  const half = await owner.post('/api/templates/undo', { collections: [ids[0], 'nowhere'] })
  expect(half.body.code).toBe('in-use')
  const undone = await owner.post('/api/templates/undo', { collections: ids })
  expect(undone.status, undone.text).toBe(204)
  expect(await Promise.all(ids.map(isThere))).toEqual([false, false])

  const second = (await owner.post('/api/templates/editorial/use', {})).body.collections
  const [, articles] = second
  app.clock.move(1)
  await owner.post(`/api/collections/${articles.id}/records`, { values: { title: 'Mine' } })
  const refused = await owner.post('/api/templates/undo', { collections: second.map(({ id }: { id: string }) => id) })
  expect(refused.body.code).toBe('in-use')
  expect(await isThere(articles.id)).toBe(true)
})

test("creating from a template can't be undone by another user", async () => {
  const made = (await owner.post('/api/templates/assets/use', {})).body.collections
  const other = await app.asOwner()
  const refused = await other.post('/api/templates/undo', { collections: made.map(({ id }: { id: string }) => id) })
  expect(refused.body.code).toBe('in-use')
})

test("users who can't create collections see no templates", async () => {
  const editor = await app.asEditor()
  expect((await editor.get('/api/templates')).status).toBe(403)
  expect((await editor.post('/api/templates/cases/use', {})).status).toBe(403)
  expect((await owner.post('/api/templates/nonsense/use', {})).status).toBe(404)
})
