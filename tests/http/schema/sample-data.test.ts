import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let owner: Caller

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
})
afterAll(() => app.close())

async function builtSample(owner: Caller) {
  for (;;) {
    const { body } = await owner.get('/api/sample')
    if (body.state !== 'running') return body
  }
}

const totalOf = async (collection: string) =>
  (await owner.get(`/api/collections/${collection}/records?count=exact&perPage=1`)).body.total

test('the sample workspace is loaded with records, relations, notes and images', async () => {
  expect((await owner.get('/api/sample')).body.state).toBe('none')
  const begun = await owner.post('/api/sample')
  expect(begun.status, begun.text).toBe(202)
  expect((await owner.post('/api/sample')).body.code).toBe('sample-not-empty')
  expect(await builtSample(owner)).toEqual({
    state: 'done',
    recordsStored: 14_226,
    recordsInAll: 14_226,
    failure: null,
  })

  const names = ['states', 'airports', 'routes', 'operators', 'species', 'strikes']
  expect(await Promise.all(names.map(totalOf))).toEqual([56, 3376, 3746, 46, 37, 6965])

  const filter = encodeURIComponent('title = "Alaska"')
  const { body } = await owner.get(`/api/collections/states/records?filter=${filter}&expand=*`)
  const [alaska] = body.items
  expect(alaska.values).toMatchObject({
    title: 'Alaska',
    notes: { type: 'doc' },
    pictures: [{ name: 'Airports of Alaska.webp', type: 'image/webp' }],
  })
  const picture = await owner.get(alaska.values.pictures[0].url)
  expect(picture.status).toBe(200)

  const far = encodeURIComponent('state.title = "Alaska"')
  expect((await owner.get(`/api/collections/airports/records?filter=${far}`)).body.total).toBe(263)
  expect((await owner.post('/api/sample')).body.code).toBe('sample-not-empty')
})

test('sample data is created in the language of the user who loads it, with the same API names', async () => {
  const german = await openTestApp()
  const reader = await german.asOwner()
  expect((await reader.post('/api/sample?language=xx')).status).toBe(400)
  expect((await reader.post('/api/sample?language=de')).status).toBe(202)
  expect(await builtSample(reader)).toMatchObject({ state: 'done', recordsStored: 14_226 })

  const { body: definitions } = await reader.get('/api/collections')
  expect(definitions.items.map(({ name, label }: { name: string; label: string }) => [name, label])).toContainEqual([
    'strikes',
    'Wildunfälle',
  ])

  const filter = encodeURIComponent(
    'title = "1998-0060 Unbekannter Vogel - groß" && size = "Groß" && animal.group = "Nicht bestimmt"',
  )
  const { body } = await reader.get(`/api/collections/strikes/records?filter=${filter}&expand=*`)
  const [strike] = body.items
  expect(strike.values).toMatchObject({
    animal: { title: 'Unbekannter Vogel - groß' },
    pictures: [{ name: 'Wo es geschah: Austin-Bergstrom International (AUS).webp' }],
  })
  expect(JSON.stringify(strike.values.notes)).toContain('Der teuerste Unfall in diesem Arbeitsbereich')
  await german.close()
})
