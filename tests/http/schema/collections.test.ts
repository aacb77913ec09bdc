import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let owner: Caller
let count = 0

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
})
afterAll(() => app.close())

async function aCollection(body: object = {}) {
  count += 1
  const answer = await owner.post('/api/collections', { label: `Things ${count}`, ...body })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

const text = (label: string, more: object = {}) => ({ label, kind: 'text', ...more })

describe('a new collection', () => {
  test('starts with the fields Title, Notes and Files', async () => {
    const collection = await aCollection()
    expect(collection.fields.map((field: { label: string; kind: string }) => [field.label, field.kind])).toEqual([
      ['Title', 'text'],
      ['Notes', 'rich-text'],
      ['Files', 'files'],
    ])
    expect(collection.titleField).toBe('title')
    expect(collection.version).toBe(1)
  })

  test('derives a unique name from its label', async () => {
    const first = await owner.post('/api/collections', { label: 'Crème brûlée recipes' })
    const second = await owner.post('/api/collections', { label: 'Creme Brulee Recipes' })
    expect([first.body.name, second.body.name]).toEqual(['cremeBruleeRecipes', 'cremeBruleeRecipes2'])
  })

  test('is rejected with an error on its name if the name is in use', async () => {
    const { name } = await aCollection()
    const answer = await owner.post('/api/collections', { label: 'Other', name })
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({ code: 'name-taken', errors: [{ path: 'name' }] })
  })

  test('is rejected as a whole if it has an invalid field', async () => {
    const answer = await owner.post('/api/collections', {
      label: 'Half done',
      fields: [text('Fine'), { label: 'Bad', kind: 'number', options: { choices: [] } }],
    })
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toEqual([
      expect.objectContaining({ path: 'fields.1.options.choices', code: 'unknown-option' }),
    ])
    const { body } = await owner.get('/api/collections')
    expect(body.items.map((each: { label: string }) => each.label)).not.toContain('Half done')
  })

  test('can have a relation to itself', async () => {
    const collection = await aCollection({
      name: 'people',
      fields: [text('Name'), { label: 'Boss', kind: 'relation', options: { collection: 'people' } }],
    })
    expect(collection.fields[1].options).toEqual({ collection: collection.id, many: false })
  })

  test("is visible to a viewer, who can't change it", async () => {
    const collection = await aCollection()
    const viewer = await app.asViewer()
    const answer = await viewer.get(`/api/collections/${collection.name}`)
    expect(answer.body.can).toEqual(['records:read'])
    expect((await viewer.patch(`/api/collections/${collection.name}`, { label: 'Mine' })).status).toBe(403)
  })
})

describe('renaming', () => {
  test('renaming a collection keeps values, IDs and access by ID', async () => {
    const collection = await aCollection({ fields: [text('Name')] })
    const made = await owner.post(`/api/collections/${collection.name}/records`, { values: { name: 'Ada' } })
    const renamed = await owner.patch(`/api/collections/${collection.name}`, {
      name: 'renamedThings',
      label: 'Renamed',
    })
    expect(renamed.body).toMatchObject({ id: collection.id, name: 'renamedThings', label: 'Renamed', version: 2 })
    const field = collection.fields[0].id
    await owner.patch(`/api/collections/renamedThings/fields/${field}`, { name: 'fullName', label: 'Full name' })
    const read = await owner.get(`/api/collections/${collection.id}/records/${made.body.id}`)
    expect(read.body.values).toEqual({ fullName: 'Ada' })
  })

  test('moves a field to a position', async () => {
    const collection = await aCollection({ fields: [text('A'), text('B'), text('C')] })
    const answer = await owner.patch(`/api/collections/${collection.id}/fields/c`, { position: 0 })
    expect(answer.body.fields.map((field: { name: string }) => field.name)).toEqual(['c', 'a', 'b'])
  })
})

test('adds a field at a given position, or otherwise at the end', async () => {
  const { id } = await aCollection({ fields: [text('A'), text('B')] })
  const names = ({ body }: { readonly body: { readonly fields: readonly { readonly name: string }[] } }) =>
    body.fields.map(({ name }) => name)
  expect(names(await owner.post(`/api/collections/${id}/fields`, { ...text('C'), position: 1 }))).toEqual([
    'a',
    'c',
    'b',
  ])
  expect(names(await owner.post(`/api/collections/${id}/fields`, text('D')))).toEqual(['a', 'c', 'b', 'd'])
  expect(names(await owner.post(`/api/collections/${id}/fields`, { ...text('E'), position: 99 })).at(-1)).toBe('e')
})

describe('descriptions', () => {
  test('are trimmed, unaffected by other changes, and removed by null or an empty string', async () => {
    const { id } = await aCollection({
      description: ' What we lend.\nAnd to whom. ',
      fields: [text('Name', { description: 'As on the cover' }), text('Note')],
    })
    const place = `/api/collections/${id}`
    await owner.patch(place, { label: 'Loans' })
    await owner.patch(`${place}/fields/name`, { label: 'Full name', kind: 'long-text' })
    const { body } = await owner.get(place)
    expect(body).toMatchObject({ label: 'Loans', description: 'What we lend.\nAnd to whom.' })
    expect(body.fields[0]).toMatchObject({ label: 'Full name', kind: 'long-text', description: 'As on the cover' })
    expect(body.fields[1]).not.toHaveProperty('description')

    await owner.patch(`${place}/fields/note`, { description: ' Only what matters ' })
    await owner.patch(`${place}/fields/name`, { description: null })
    const cleared = (await owner.patch(place, { description: '' })).body
    expect(cleared).not.toHaveProperty('description')
    expect(cleared.fields[0]).not.toHaveProperty('description')
    expect(cleared.fields[1].description).toBe('Only what matters')
  })

  test('have at most 1,000 characters for collections and 500 for fields', async () => {
    const { id } = await aCollection({ fields: [text('Name', { description: 'x'.repeat(500) })] })
    const place = `/api/collections/${id}`
    const long = await owner.patch(place, { description: 'x'.repeat(1001) })
    expect([long.status, long.body.errors[0].path]).toEqual([400, 'description'])
    for (const answer of [
      await owner.patch(`${place}/fields/name`, { description: 'x'.repeat(501) }),
      await owner.post(`${place}/fields`, text('More', { description: 'x'.repeat(501) })),
    ])
      expect([answer.status, answer.body.errors[0].path]).toEqual([400, 'description'])
    expect((await owner.patch(place, { description: 'x'.repeat(1000) })).status).toBe(200)
  })

  test('appear in the audit log', async () => {
    const { id } = await aCollection({ fields: [text('Name')] })
    await owner.patch(`/api/collections/${id}/fields/name`, { description: 'As on the cover' })
    const { body } = await owner.get(`/api/audit?collection=${id}`)
    expect(body.items[0].changes).toEqual([
      { property: 'fieldDescription', of: 'Name', before: null, after: 'As on the cover' },
    ])
  })
})

describe('a record layout', () => {
  const section = (title: string, fields: readonly string[], fieldsPerLine = 1) => ({ title, fieldsPerLine, fields })

  test('arranges the fields of records, and is unaffected by new, renamed and deleted fields', async () => {
    const { id, fields } = await aCollection({ fields: [text('Name'), text('Phone'), text('Email'), text('Note')] })
    const place = `/api/collections/${id}`
    const sections = [section('Contact', ['email', fields[1].id], 2), section(' More ', ['note']), section('None', [])]
    const { body } = await owner.patch(place, { layout: { sections, hiddenWhenEmpty: ['phone'] } })
    expect(body.layout).toEqual({
      sections: [section('Contact', ['email', 'phone'], 2), section('More', ['note'])],
      hiddenWhenEmpty: ['phone'],
    })
    await owner.post(`${place}/fields`, text('Address'))
    await owner.patch(`${place}/fields/phone`, { name: 'mobile' })
    await owner.delete(`${place}/fields/note`)
    expect((await owner.get(place)).body.layout).toEqual({
      sections: [section('Contact', ['email', 'mobile'], 2)],
      hiddenWhenEmpty: ['mobile'],
    })
    await owner.patch(place, { layout: { sections: [section('', ['mobile']), section('Later', ['email'])] } })
    await owner.post(`/api/trash/definitions/${fields[3].id}/restore`)
    expect((await owner.get(place)).body.layout.sections).toEqual([
      section('', ['mobile', 'note']),
      section('Later', ['email']),
    ])
    expect((await owner.patch(place, { layout: null })).body).not.toHaveProperty('layout')
    const audit = await owner.get(`/api/audit?collection=${id}`)
    expect(audit.body.items[0].changes).toEqual([{ property: 'recordLayout', of: '', before: null, after: null }])
  })

  test('doesn’t show hidden fields, or sections that contain only those', async () => {
    const { id, fields } = await aCollection({ fields: [text('Name'), text('Salary'), text('Bonus')] })
    const place = `/api/collections/${id}`
    const sections = [section('Person', ['name', 'bonus']), section('Payroll secrets', ['salary'])]
    await owner.patch(place, { layout: { sections, hiddenWhenEmpty: ['salary', 'name'] } })
    const only = { except: [fields[1].id, fields[2].id] }
    const reader = await app.asGranted([{ permission: 'records:read', collection: id, fields: only }])
    const { body, text: said } = await reader.get(place)
    expect(body.layout).toEqual({ sections: [section('Person', ['name'])], hiddenWhenEmpty: ['name'] })
    expect(said).not.toMatch(/Payroll|salary|bonus/i)
  })

  test('can be changed only by those who can manage the collection', async () => {
    const { id } = await aCollection({ fields: [text('Name')] })
    const place = `/api/collections/${id}`
    const layout = { sections: [section('Person', ['name'])] }
    const editor = await app.asEditor()
    expect((await editor.patch(place, { layout })).status).toBe(403)
    const manager = await app.asGranted([
      { permission: 'records:read', collection: id },
      { permission: 'collections:manage', collection: id },
    ])
    expect((await manager.patch(place, { layout })).status).toBe(200)
  })

  test('is rejected with unknown fields or a field in two places', async () => {
    const { id } = await aCollection({ fields: [text('Name')] })
    const place = `/api/collections/${id}`
    const layout = { sections: [section('', ['name', 'size']), section('', ['name'])], hiddenWhenEmpty: ['size'] }
    const { status, body } = await owner.patch(place, { layout })
    expect([status, body.code]).toEqual([422, 'definition-invalid'])
    expect(body.errors).toMatchObject([
      { path: 'layout.sections.0.fields', code: 'unknown-field' },
      { path: 'layout.sections.1.fields', code: 'duplicate-field' },
      { path: 'layout.hiddenWhenEmpty', code: 'unknown-field' },
    ])
    const many = { sections: Array.from({ length: 51 }, () => section('', [])) }
    expect((await owner.patch(place, { layout: many })).status).toBe(400)
    expect((await owner.get(place)).body).not.toHaveProperty('layout')
  })
})

describe('changing a field type', () => {
  test('first reports which values would be lost, without changing anything', async () => {
    const { id } = await aCollection({ fields: [text('Amount')] })
    for (const amount of ['12.5', 'about ten', '7']) {
      await owner.post(`/api/collections/${id}/records`, { values: { amount } })
    }
    const refused = await owner.patch(`/api/collections/${id}/fields/amount`, { kind: 'number' })
    expect(refused.status).toBe(422)
    expect(refused.body).toMatchObject({ lost: { count: 1, examples: ['about ten'] } })
    const before = await owner.get(`/api/collections/${id}/records`)
    expect(before.body.items.map((item: { values: unknown }) => item.values)).toEqual([
      { amount: '12.5' },
      { amount: 'about ten' },
      { amount: '7' },
    ])

    const accepted = await owner.patch(`/api/collections/${id}/fields/amount`, { kind: 'number', acceptLoss: true })
    expect(accepted.status, accepted.text).toBe(200)
    const after = await owner.get(`/api/collections/${id}/records?sort=amount`)
    expect(after.body.items.map((item: { values: unknown }) => item.values)).toEqual([
      { amount: 7 },
      { amount: 12.5 },
      { amount: null },
    ])
  })

  test('converts values to options when changing text to select', async () => {
    const { id } = await aCollection({ fields: [text('Status')] })
    for (const status of ['open', 'done', 'open'])
      await owner.post(`/api/collections/${id}/records`, { values: { status } })
    const changed = await owner.patch(`/api/collections/${id}/fields/status`, { kind: 'select' })
    expect(changed.body.fields[0].options.choices.map((choice: { name: string }) => choice.name)).toEqual([
      'open',
      'done',
    ])
    const found = await owner.get(`/api/collections/${id}/records?filter=${encodeURIComponent('status = "open"')}`)
    expect(found.body.total).toBe(2)
  })

  test('reports options in use before they are removed', async () => {
    const choices = [{ name: 'red' }, { name: 'blue' }]
    const collection = await aCollection({ fields: [{ label: 'Hue', kind: 'select', options: { choices } }] })
    await owner.post(`/api/collections/${collection.id}/records`, { values: { hue: 'red' } })
    const [, blue] = collection.fields[0].options.choices
    const options = { choices: [blue] }
    const refused = await owner.patch(`/api/collections/${collection.id}/fields/hue`, { options })
    expect(refused.body).toMatchObject({ lost: { count: 1, examples: ['red'] } })
    await owner.patch(`/api/collections/${collection.id}/fields/hue`, { options, acceptLoss: true })
    const { body } = await owner.get(`/api/collections/${collection.id}/records`)
    expect(body.items[0].values).toEqual({ hue: null })
  })
})

describe('a unique field', () => {
  test("can't be made unique while there are duplicates, and rejects duplicates afterward", async () => {
    const { id } = await aCollection({ fields: [text('Code')] })
    const path = `/api/collections/${id}/records`
    const first = await owner.post(path, { values: { code: 'X1' } })
    await owner.post(path, { values: { code: 'X1' } })
    const refused = await owner.patch(`/api/collections/${id}/fields/code`, { unique: true })
    expect(refused.body.detail).toContain('“X1”')

    await owner.patch(`${path}/${first.body.id}`, { values: { code: 'X2' } })
    expect((await owner.patch(`/api/collections/${id}/fields/code`, { unique: true })).status).toBe(200)
    const twice = await owner.post(path, { values: { code: 'X2' } })
    expect(twice.status).toBe(422)
    expect(twice.body.errors).toEqual([expect.objectContaining({ path: 'code', code: 'not-unique' })])
    const changed = await owner.patch(`${path}/${first.body.id}`, { values: { code: 'X1' } })
    expect(changed.body).toMatchObject({ code: 'values-invalid', errors: [{ path: 'code', code: 'not-unique' }] })
  })
})

describe('removing', () => {
  test('deleting a field deletes the values of that field only', async () => {
    const { id } = await aCollection({ fields: [text('A'), text('B')] })
    await owner.post(`/api/collections/${id}/records`, { values: { a: '1', b: '2' } })
    const answer = await owner.delete(`/api/collections/${id}/fields/a`)
    expect(answer.body).toMatchObject({ titleField: 'b' })
    const { body } = await owner.get(`/api/collections/${id}/records`)
    expect(body.items[0].values).toEqual({ b: '2' })
  })

  test('a collection that another one links to cannot be deleted', async () => {
    const target = await aCollection()
    const other = await aCollection({
      fields: [text('T'), { label: 'Rel', kind: 'relation', options: { collection: target.id, many: true } }],
    })
    expect((await owner.delete(`/api/collections/${target.id}`)).status).toBe(422)
    expect((await owner.delete(`/api/collections/${other.id}`)).status).toBe(204)
    expect((await owner.delete(`/api/collections/${target.id}`)).status).toBe(204)
    expect((await owner.get(`/api/collections/${target.id}`)).status).toBe(404)
  })
})
