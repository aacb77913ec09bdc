import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import type { Permission } from '#domain/access/permission.ts'
import { tusSender } from '#tests/support/files/tus-sender.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import {
  createRecords,
  defineCollection,
  doctorFindings,
  recordsPath as at,
  type TestCollection,
} from '#tests/support/server/test-collections.ts'

/** Number of records above which a field type is set back by a job. */
const AT_ONCE = 20

const DAY_MS = 24 * 60 * 60 * 1000

let app: TestApp
let url: string
let owner: Caller
let cases: TestCollection

beforeAll(async () => {
  app = await openTestApp({ convertedAtOnce: AT_ONCE })
  url = await app.listen()
})
afterAll(async () => {
  expect(await doctorFindings(app)).toEqual([])
  await app.close()
})

beforeEach(async () => {
  owner = await app.asOwner()
  cases = await defineCollection(owner, 'Cases', [
    { label: 'Title', kind: 'text' },
    { label: 'Code', kind: 'text' },
    { label: 'Kind', kind: 'select', options: { choices: [{ name: 'Big' }, { name: 'Small' }] } },
    { label: 'Tags', kind: 'multi-select', options: { choices: [{ name: 'a' }, { name: 'b' }] } },
    { label: 'State', kind: 'state', options: { choices: [{ name: 'New' }, { name: 'Closed' }] } },
  ])
})

const path = (of = cases) => `/api/collections/${of.id}`
const definition = async (of = cases) => (await owner.get(path(of))).body
const field = async (name: string, of = cases) =>
  (await definition(of)).fields.find((one: { readonly name: string }) => one.name === name)
const names = async (of = cases) => (await definition(of)).fields.map((one: { readonly name: string }) => one.name)
const values = async (id: string) => (await owner.get(`${at(cases)}/${id}`)).body.values
const edit = async (id: string, changed: object) => {
  const { status, text } = await owner.patch(`${at(cases)}/${id}`, { values: changed })
  expect(status, text).toBe(200)
}

type Part = { readonly kind: string; readonly label: string; readonly changes?: readonly object[] }
type Entry = {
  readonly id: string
  readonly isUndone: boolean
  readonly undoes: string | null
  readonly parts: readonly Part[]
}

async function activity(who = owner, query = ''): Promise<readonly Entry[]> {
  const { status, body, text } = await who.get(`/api/activity${query}`)
  expect(status, text).toBe(200)
  return body.items
}

/** Makes a change of a definition and returns its change set. */
async function changed(method: 'post' | 'patch' | 'delete' | 'put', to: string, body?: object): Promise<string> {
  const { status, text, body: said } = await owner[method](to, body)
  expect(status, text).toBeLessThan(300)
  if (status === 202) {
    await ended(said.job)
    return said.job
  }
  return (await activity())[0]?.id ?? ''
}

const changedField = (name: string, body: object) =>
  changed('patch', `${path()}/fields/${cases.fields[name] ?? name}`, body)

async function ended(job: string) {
  for (;;) {
    const { body } = await owner.get(`/api/jobs/${job}`)
    if (body.state !== 'running') return body
  }
}

const undo = (changeSet: string, who = owner, query = '') => who.post(`/api/change-sets/${changeSet}/undo${query}`)

async function undone(changeSet: string, query = '') {
  const { status, body, text } = await undo(changeSet, owner, query)
  expect(status, text).toBe(200)
  return body
}

const previewed = (changeSet: string) => undone(changeSet, '?preview=true')

const grant = (permission: Permission, rest: Partial<Grant> = {}): Grant => ({
  permission,
  collection: cases.id,
  ...rest,
})

describe('undoing a change of a field type', () => {
  test('gives records their former values, and converts those that were edited since', async () => {
    const ids = await createRecords(owner, cases, { code: 'one' }, { code: '02' }, { code: '3' }, { code: '4' }, {})
    const [word = '', zero = '', three = '', four = '', empty = ''] = ids
    const before = await definition()
    const changeSet = await changedField('code', { kind: 'number', name: 'amount', label: 'Amount', acceptLoss: true })
    expect((await values(word)).amount).toBeNull()
    const trash: readonly { readonly collection: string }[] = (await owner.get('/api/trash/definitions')).body.items
    expect(trash.filter(({ collection }) => collection === before.label)).toEqual([])
    await edit(three, { amount: 33 })
    const [later = ''] = await createRecords(owner, cases, { amount: 5 })
    const expected = { restored: 0, changed: 3, deleted: 0, kept: [{ count: 2, records: [three, later] }] }
    const preview = await previewed(changeSet)
    expect(preview).toMatchObject(expected)
    expect(preview.changeSet).toBeUndefined()
    expect((await field('amount')).kind).toBe('number')

    expect(await undone(changeSet)).toMatchObject(expected)
    const codes = await Promise.all([...ids, later].map(async (id) => (await values(id)).code))
    expect(codes).toEqual(['one', '02', '33', '4', null, '5'])
    const after = await definition()
    expect(after.fields).toEqual(before.fields)
    expect((await owner.get(`${at(cases)}?search=one`)).body.items).toHaveLength(1)
    expect([zero, four, empty]).toHaveLength(3)
    expect(await doctorFindings(app)).toEqual([])
  })

  test('can be undone itself, with the values from before', async () => {
    const [id = '', other = ''] = await createRecords(owner, cases, { code: '7' }, { code: 'none' })
    const changeSet = await changedField('code', { kind: 'number', acceptLoss: true })
    await edit(other, { code: 9 })
    const first = await undone(changeSet)
    expect([(await values(id)).code, (await values(other)).code]).toEqual(['7', '9'])
    const second = await undone(first.changeSet)
    expect(second).toMatchObject({ changed: 2 })
    expect([(await values(id)).code, (await values(other)).code]).toEqual([7, 9])
    await undone(second.changeSet)
    expect([(await values(id)).code, (await values(other)).code]).toEqual(['7', '9'])
    expect(await doctorFindings(app)).toEqual([])
  })

  test('leaves values empty that can’t be converted back, and names them', async () => {
    const [id = '', other = ''] = await createRecords(owner, cases, { kind: 'Big' }, { kind: 'Small' })
    const changeSet = await changedField('kind', { kind: 'text' })
    await edit(id, { kind: 'Huge' })
    expect(await previewed(changeSet)).toMatchObject({ changed: 1, lost: [{ count: 1, records: [id] }] })
    const { changeSet: redo } = await undone(changeSet)
    expect([(await values(id)).kind, (await values(other)).kind]).toEqual([null, 'Small'])
    await undone(redo)
    expect((await values(id)).kind).toBe('Huge')
  })

  test.each([
    ['kind', { kind: 'multi-select' }, 'Big'],
    ['tags', { kind: 'text' }, ['a', 'b']],
    ['tags', { kind: 'select', acceptLoss: true }, ['a', 'b']],
    ['code', { kind: 'auto-number', acceptLoss: true }, 'text'],
    ['code', { kind: 'rich-text' }, 'text'],
    ['code', { kind: 'checkbox', acceptLoss: true }, 'perhaps'],
  ])('of %s to %j', async (name, change, value) => {
    const [id = '', empty = ''] = await createRecords(owner, cases, { [name]: value }, {})
    const before = [await values(id), await values(empty)]
    const changeSet = await changedField(name, change)
    const { changeSet: redo } = await undone(changeSet)
    expect([await values(id), await values(empty)]).toEqual(before)
    expect(await previewed(redo)).toMatchObject({ definitions: [{ changes: [{ what: 'field-type' }] }] })
    expect(await doctorFindings(app)).toEqual([])
  })

  test('brings back the primary field and the workflow', async () => {
    const [first, second] = (await field('state')).options.choices
    const workflow = { transitions: [{ name: 'Close', from: first.id, to: second.id }] }
    await owner.patch(path(), { workflow })
    const before = await definition()
    const status = await changedField('state', { kind: 'select' })
    const title = await changedField('title', { kind: 'checkbox' })
    expect((await definition()).workflow).toBeUndefined()
    await undone(title)
    await undone(status)
    const after = await definition()
    expect([after.titleField, after.workflow?.transitions]).toEqual([before.titleField, before.workflow.transitions])
  })

  test('restores values whose options were removed since', async () => {
    const [id = ''] = await createRecords(owner, cases, { code: 'red' })
    const changeSet = await changedField('code', { kind: 'select', options: { choices: [{ name: 'red' }] } })
    await changedField('code', { options: { choices: [] }, acceptLoss: true })
    await undone(changeSet)
    expect((await values(id)).code).toBe('red')
  })

  test('is refused if the type was changed again, and says when the values are gone', async () => {
    const [id = ''] = await createRecords(owner, cases, { code: '1' })
    const changeSet = await changedField('code', { kind: 'number' })
    const again = await changedField('code', { kind: 'checkbox' })
    const preview = await previewed(changeSet)
    expect(preview).toMatchObject({ changed: 0, definitions: [], kept: [{ message: 'Code was changed since.' }] })
    await undone(again)
    expect((await values(id)).code).toBe(1)
    app.clock.move(30 * DAY_MS + 1000)
    owner = await app.asOwner()
    expect((await previewed(changeSet)).refused[0].message).toContain('no longer kept')
    expect((await undo(changeSet)).body).toMatchObject({ code: 'gone' })
    await (await app.startAnother()).stop()
    expect((await owner.get('/api/trash/definitions')).body.items).toEqual([])
    expect(await doctorFindings(app)).toEqual([])
  })

  test('brings back files in documents, and links to records that still exist', async () => {
    const notes = await defineCollection(owner, 'Notes', [
      { label: 'Text', kind: 'rich-text' },
      { label: 'Case', kind: 'relation', options: { collection: cases.id } },
      { label: 'Cases', kind: 'relation', options: { collection: cases.id, many: true } },
    ])
    const [one = '', two = ''] = await createRecords(owner, cases, { title: 'one' }, { title: 'two' })
    const file = await tusSender(url, owner).send({ collection: notes.name, field: 'text' }, Buffer.from('x'), 'a.txt')
    const words = { type: 'paragraph', content: [{ type: 'text', text: 'Read this' }] }
    const text = { type: 'doc', content: [words, { type: 'file', attrs: { file } }] }
    const [id = ''] = await createRecords(owner, notes, { text, case: one, cases: [one, two] })
    const was = (await owner.get(`${at(notes)}/${id}`)).body.values
    const changes: string[] = []
    for (const name of ['text', 'case', 'cases'])
      changes.push(await changed('patch', `${path(notes)}/fields/${notes.fields[name]}`, { kind: 'long-text' }))
    expect((await owner.get(`/api/files/${file}`)).status).toBe(404)
    await owner.delete(`${at(cases)}/${one}`)
    expect(await doctorFindings(app)).toEqual([])
    for (const changeSet of changes) await undone(changeSet)
    expect((await owner.get(`${at(notes)}/${id}`)).body.values).toEqual({ ...was, case: null, cases: [two] })
    expect((await owner.get(`/api/files/${file}`)).status).toBe(200)
    expect(await doctorFindings(app)).toEqual([])
  })

  test('is possible for the last thirty changes of a type, until the field is deleted permanently', async () => {
    const first = await changedField('title', { kind: 'long-text' })
    const second = await changedField('code', { kind: 'long-text' })
    for (let count = 0; count < 29; count += 1)
      await owner.patch(`${path()}/fields/${cases.fields['tags']}`, { kind: count % 2 === 0 ? 'text' : 'long-text' })
    expect((await undo(first)).body).toMatchObject({ code: 'gone' })
    await undone(second)
    await owner.delete(`${path()}/fields/${cases.fields['code']}`)
    expect((await owner.delete(`/api/trash/definitions/${cases.fields['code']}`)).status).toBe(204)
    expect(await doctorFindings(app)).toEqual([])
  })

  test('of many records runs as a job, which can be undone as well', async () => {
    const codes = Array.from({ length: AT_ONCE + 5 }, (_, place) => ({ code: place === 0 ? 'none' : `0${place}` }))
    const ids = await createRecords(owner, cases, ...codes)
    const [first = '', second = ''] = ids
    const [opened, closed] = (await field('state')).options.choices
    await owner.patch(path(), { workflow: { transitions: [{ name: 'Close', from: opened.id, to: closed.id }] } })
    const changeSet = await changedField('code', { kind: 'number', acceptLoss: true })
    await edit(second, { code: 50 })
    expect(await previewed(changeSet)).toMatchObject({ changed: ids.length - 1, kept: [{ records: [second] }] })
    const { status, body } = await undo(changeSet)
    expect(status).toBe(202)
    expect(await ended(body.job)).toMatchObject({ state: 'done', done: ids.length, failure: null })
    expect([(await values(first)).code, (await values(second)).code]).toEqual(['none', '50'])
    const [entry] = await activity()
    expect(entry).toMatchObject({ id: body.job, undoes: changeSet })
    const redo = (await undo(body.job)).body
    expect(await ended(redo.job)).toMatchObject({ state: 'done', failure: null })
    expect([(await values(first)).code, (await values(second)).code]).toEqual([null, 50])

    const { titleField, workflow } = await definition()
    for (const name of ['title', 'state']) {
      const retyped = await changedField(name, { kind: name === 'title' ? 'checkbox' : 'select', acceptLoss: true })
      await ended((await undo(retyped)).body.job)
    }
    expect(await definition()).toMatchObject({ titleField, workflow })
    expect(await doctorFindings(app)).toEqual([])
  })

  test('keeps the history and earlier lists right', async () => {
    const [edited = '', open = ''] = await createRecords(owner, cases, { code: '1' }, { code: '2' })
    const time = app.clock.now().toISOString()
    app.clock.move(1000)
    const changeSet = await changedField('code', {
      kind: 'select',
      options: { choices: [{ name: '1' }, { name: '2' }] },
    })
    await edit(edited, { code: '2' })
    await undone(changeSet)
    app.clock.move(1000)
    const then = (await owner.get(`${at(cases)}?at=${time}`)).body.items
    const codeOf = (id: string) => then.find((one: { readonly id: string }) => one.id === id).values.code
    // A value whose type has changed since is the current one.
    expect([codeOf(edited), codeOf(open)]).toEqual(['2', '2'])
    const { items } = (await owner.get(`${at(cases)}/${edited}/history`)).body
    expect(items[0].changes).toEqual([{ field: 'code', before: '1', after: '2', isText: true }])
  })

  test('needs permission to manage the collection and to read all values', async () => {
    const [id = ''] = await createRecords(owner, cases, { code: '1' })
    const changeSet = await changedField('code', { kind: 'number' })
    const reader = await app.asGranted([grant('records:read'), grant('records:update')])
    expect((await undo(changeSet, reader)).status).toBe(404)
    expect((await activity(reader)).map((entry) => entry.id)).not.toContain(changeSet)
    expect((await reader.get('/api/activity?kind=collection-changed')).body.items).toEqual([])
    const blind = await app.asGranted([
      grant('collections:manage'),
      grant('records:read', { fields: { except: [cases.fields['code'] ?? ''] } }),
    ])
    expect((await undo(changeSet, blind)).status).toBe(403)
    const preview = (await undo(changeSet, blind, '?preview=true')).body
    expect(preview).toMatchObject({ changed: 0, refused: [{ count: 0 }] })
    expect(JSON.stringify(preview)).not.toContain(id)
    const manager = await app.asGranted([grant('collections:manage'), grant('records:read')])
    expect((await undo(changeSet, manager)).status).toBe(200)
  })
})

describe('undoing another change of a definition', () => {
  test('names fields, sets their settings back, and keeps what was changed since', async () => {
    const { label } = await definition()
    const renamed = await changedField('code', { label: 'Number', name: 'number', description: 'About it' })
    const [entry] = await activity()
    expect(entry?.parts).toEqual([
      expect.objectContaining({
        kind: 'collection-changed',
        label,
        changes: [
          { what: 'field-renamed', field: 'Number', before: 'Code', after: 'Number' },
          { what: 'field-settings', field: 'Number', before: null, after: null },
        ],
      }),
    ])
    await changedField('code', { description: 'Something else' })
    expect(await previewed(renamed)).toMatchObject({
      definitions: [{ label, changes: [{ what: 'field-renamed', before: 'Number', after: 'Code' }, {}] }],
      kept: [{ message: 'Number was changed since.', count: 0 }],
    })
    await undone(renamed)
    expect(await field('code')).toMatchObject({ label: 'Code', description: 'Something else' })
  })

  test('deletes added fields to the trash and restores deleted ones', async () => {
    const [id = ''] = await createRecords(owner, cases, { code: 'x' })
    const added = await changed('post', `${path()}/fields`, { label: 'Size', kind: 'number', position: 0 })
    await edit(id, { size: 4 })
    const deleted = await changed('delete', `${path()}/fields/${cases.fields['code']}`)
    const { changeSet } = await undone(added)
    await undone(deleted)
    expect(await names()).toEqual(['title', 'code', 'kind', 'tags', 'state'])
    expect(await values(id)).toMatchObject({ code: 'x' })
    await undone(changeSet)
    expect(await names()).toEqual(['size', 'title', 'code', 'kind', 'tags', 'state'])
    expect(await values(id)).toMatchObject({ size: 4 })
  })

  test('sets options and the order of fields back, except added options that are in use', async () => {
    const { options } = await field('kind')
    const [big, small] = options.choices
    const choices = [{ id: small.id, name: 'Little' }, { name: 'Huge' }, { name: 'Tiny' }, { id: big.id, name: 'Big' }]
    const changeSet = await changedField('kind', { options: { choices }, position: 0 })
    await createRecords(owner, cases, { kind: 'Huge' })
    const said = await undone(changeSet)
    expect(said.kept).toMatchObject([{ message: 'The option “Huge” is in use.' }])
    const after = await field('kind')
    expect(after.options.choices.map(({ name }: { name: string }) => name)).toEqual(['Big', 'Small', 'Huge'])
    expect(await names()).toEqual(['title', 'code', 'kind', 'tags', 'state'])
  })

  test('brings removed options back, with the values of records', async () => {
    const [one = '', two = '', three = ''] = await createRecords(
      owner,
      cases,
      { kind: 'Big', tags: ['b', 'a'] },
      { kind: 'Big', tags: ['a'] },
      { kind: 'Small', tags: ['b'] },
    )
    const [kind, tags] = [await field('kind'), await field('tags')]
    const removed = await changedField('kind', { options: { choices: [kind.options.choices[1]] }, acceptLoss: true })
    const untagged = await changedField('tags', { options: { choices: [tags.options.choices[1]] }, acceptLoss: true })
    await edit(two, { kind: 'Small' })
    expect((await values(one)).tags).toEqual(['b'])
    expect(await previewed(removed)).toMatchObject({ changed: 1, kept: [{ records: [two] }] })
    await undone(removed)
    await undone(untagged)
    expect(await values(one)).toMatchObject({ kind: 'Big', tags: ['b', 'a'] })
    expect(await values(two)).toMatchObject({ kind: 'Small', tags: ['a'] })
    expect(await values(three)).toMatchObject({ kind: 'Small', tags: ['b'] })
    expect((await field('kind')).options).toEqual(kind.options)
    expect(await doctorFindings(app)).toEqual([])
  })

  test('sets the settings of a collection back, with its rules and workflow', async () => {
    const before = await definition()
    const rules = [{ then: 'code is not empty', message: 'Enter a code' }]
    const [first, second] = (await field('state')).options.choices
    const workflow = { transitions: [{ name: 'Close', from: first.id, to: second.id }] }
    const settings = { label: 'Renamed', name: `${before.name}_new`, icon: 'book', description: 'New', rules, workflow }
    const changeSet = await changed('patch', path(), settings)
    const without = await changed('patch', path(), { rules: [] })
    await undone(without)
    expect((await definition()).rules).toMatchObject([{ message: 'Enter a code' }])
    const said = await undone(changeSet)
    expect(said.kept).toMatchObject([{ message: expect.stringContaining('settings') }])
    const { rules: kept, version: _, ...rest } = await definition()
    const { version: __, ...was } = before
    expect(rest).toEqual(was)
    expect(kept).toHaveLength(1)
  })

  test('sets the record layout back, without fields that were deleted since', async () => {
    const section = (title: string, ...fields: string[]) => ({ title, fieldsPerLine: 1, fields })
    const layout = (...sections: object[]) => ({ layout: { sections, hiddenWhenEmpty: ['tags'] } })
    const first = layout(section('Case', 'code', 'kind'), section('More', 'tags'))
    const added = await changed('patch', path(), first)
    const moved = await changed('patch', path(), layout(section('All', 'tags', 'code', 'kind')))
    expect((await activity())[0]?.parts).toMatchObject([{ changes: [{ what: 'record-layout', field: null }] }])
    await changed('delete', `${path()}/fields/kind`)
    await undone(moved)
    expect((await definition()).layout).toEqual(layout(section('Case', 'code'), section('More', 'tags')).layout)
    await changed('patch', path(), layout(section('', 'code')))
    const said = await undone(added)
    expect(said.kept).toMatchObject([{ message: expect.stringContaining('settings') }])
  })

  test('deletes a created collection with its records, and restores a deleted one', async () => {
    const created = (await activity())[0]
    expect(created?.parts).toMatchObject([{ kind: 'collection-created' }])
    const [id = ''] = await createRecords(owner, cases, { title: 'kept' })
    const { label } = await definition()
    expect(await previewed(created?.id ?? '')).toMatchObject({ definitions: [{ kind: 'collection-deleted', label }] })
    const { changeSet } = await undone(created?.id ?? '')
    expect((await owner.get(path())).status).toBe(404)
    expect((await activity())[0]?.parts).toMatchObject([{ kind: 'collection-deleted', label }])
    expect((await activity(owner, '?kind=collection-deleted'))[0]?.id).toBe(changeSet)
    const manager = await app.asGranted([grant('collections:manage'), grant('records:read')])
    expect(JSON.stringify(await activity(manager))).not.toContain(label)
    expect((await undo(changeSet, manager)).status).toBe(404)
    await undone(changeSet)
    expect((await values(id)).title).toBe('kept')
  })

  test('undoes the use of a template, and redoes it with its records', async () => {
    const { body, status, text } = await owner.post('/api/templates/projects/use', { withExamples: true })
    expect(status, text).toBe(201)
    const [entry] = await activity()
    const { changeSet } = await undone(entry?.id ?? '')
    const all = async () => (await owner.get('/api/collections')).body.items.map(({ id }: { id: string }) => id)
    const ids = body.collections.map(({ id }: { id: string }) => id)
    expect((await all()).some((id: string) => ids.includes(id))).toBe(false)
    await undone(changeSet)
    expect(await all()).toEqual(expect.arrayContaining(ids))
    await undone((await activity())[0]?.id ?? '')
  })

  test('names what is in the way', async () => {
    const renamed = await changedField('code', { name: 'number' })
    await changed('post', `${path()}/fields`, { label: 'Code', kind: 'text' })
    expect((await previewed(renamed)).refused[0].message).toContain('already exists')
    expect((await undo(renamed)).status).toBe(422)
    const deleted = await changed('delete', `${path()}/fields/${cases.fields['tags']}`)
    await owner.delete(`/api/trash/definitions/${cases.fields['tags']}`)
    expect((await undo(deleted)).body).toMatchObject({ code: 'gone' })
    const other = await changedField('kind', { label: 'Size' })
    await owner.delete(path())
    expect(await previewed(other)).toMatchObject({ kept: [{ message: expect.stringContaining('deleted since') }] })
  })
})

describe('undoing a change of a shared view', () => {
  const views = () => `${path()}/views`
  const listed = async (who = owner) => (await who.get(views())).body.items

  test('deletes, sets back and restores it', async () => {
    const created = await changed('post', views(), { name: 'Mine', isShared: true, query: { filter: 'code = "1"' } })
    expect((await activity())[0]?.parts).toMatchObject([{ kind: 'view-created', view: 'Mine' }])
    const [{ id }] = await listed()
    const edited = await changed('patch', `${views()}/${id}`, { name: 'Ours', query: { filter: 'code = "2"' } })
    await changed('patch', `${views()}/${id}`, { name: 'Theirs' })
    expect(await undone(edited)).toMatchObject({ kept: [{ message: expect.stringContaining('Theirs') }] })
    expect(await listed()).toMatchObject([{ name: 'Theirs', query: { filter: 'code = "1"' } }])
    const deleted = await changed('delete', `${views()}/${id}`)
    await undone(deleted)
    expect(await listed()).toMatchObject([{ id, name: 'Theirs', isShared: true }])
    const { changeSet, definitions } = await undone(created)
    expect(definitions).toMatchObject([{ kind: 'view-deleted', view: 'Theirs' }])
    expect(await listed()).toEqual([])
    await undone(changeSet)
    expect(await listed()).toMatchObject([{ id }])
  })

  test('that was private before makes it private again', async () => {
    await owner.post(views(), { name: 'Mine' })
    const [{ id }] = await listed()
    const shared = await changed('patch', `${views()}/${id}`, { isShared: true })
    const { changeSet } = await undone(shared)
    expect(await listed()).toMatchObject([{ id, isShared: false }])
    await undone(changeSet)
    expect(await listed()).toMatchObject([{ id, isShared: true }])
  })

  test('is possible for those who made it, and hidden from other readers', async () => {
    const sharer = await app.asGranted([grant('records:read'), grant('views:share')])
    await sharer.post(views(), { name: 'Shared', isShared: true })
    const [entry] = await activity(sharer)
    expect(entry?.parts).toMatchObject([{ kind: 'view-created', view: 'Shared' }])
    const reader = await app.asGranted([grant('records:read'), grant('views:share')])
    expect(JSON.stringify(await activity(reader))).not.toContain('Shared')
    expect((await undo(entry?.id ?? '', reader)).status).toBe(404)
    expect((await undo(entry?.id ?? '', sharer)).status).toBe(200)
    expect(await listed()).toEqual([])
  })
})
