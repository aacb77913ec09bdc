import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Grant } from '#domain/access/grant.ts'
import type { Permission } from '#domain/access/permission.ts'
import { UNDO_TRANSITION_MS } from '#domain/workflow/evaluate-transition.ts'
import { importInto } from '#tests/conformance/csv-import.ts'
import { type Answer, type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let owner: Caller
let editor: Caller

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
  editor = await app.asEditor()
})
afterAll(() => app.close())

type Papers = {
  readonly id: string
  readonly at: string
  readonly field: Readonly<Record<string, string>>
  readonly state: Readonly<Record<string, string>>
}
let papers: Papers
let made = 0

/**
 * Draft → In review (requires reviewer) → Final (chiefs only, with a comment), and back from review if the amount is
 * large.
 */
beforeEach(async () => {
  const { body } = await owner.post('/api/collections', {
    label: `Papers ${(made += 1)}`,
    fields: [
      { label: 'Title', kind: 'text', required: true },
      { label: 'Reviewer', kind: 'text' },
      { label: 'Pages', kind: 'number' },
      { label: 'Files', kind: 'files' },
      {
        label: 'State',
        kind: 'state',
        options: { choices: ['Draft', 'In review', 'Final'].map((name) => ({ name })) },
      },
    ],
  })
  const byName = (items: readonly { name: string; id: string }[]) =>
    Object.fromEntries(items.map((one) => [one.name, one.id]))
  const state = body.fields.find(({ kind }: { kind: string }) => kind === 'state')
  papers = {
    id: body.id,
    at: `/api/collections/${body.name}`,
    field: byName(body.fields),
    state: byName(state.options.choices),
  }
  expect((await define(workflow())).status).toBe(200)
})

const of = (ids: Readonly<Record<string, string>>, name: string): string => ids[name] ?? ''

const workflow = () => ({
  transitions: [
    { name: 'Submit', from: of(papers.state, 'Draft'), to: of(papers.state, 'In review') },
    {
      name: 'Publish',
      from: of(papers.state, 'In review'),
      to: of(papers.state, 'Final'),
      roles: ['owner'],
      note: 'required',
    },
    { name: 'Send back', from: of(papers.state, 'In review'), to: of(papers.state, 'Draft'), when: 'pages > 10' },
  ],
  states: {
    [of(papers.state, 'Draft')]: { requiredToLeave: [of(papers.field, 'reviewer')] },
    [of(papers.state, 'In review')]: { frozen: [of(papers.field, 'pages')] },
    [of(papers.state, 'Final')]: { frozen: 'all' },
  },
})

const define = (wanted: unknown): Promise<Answer> => owner.patch(papers.at, { workflow: wanted })

async function paper(values: object = {}, state = 'Draft'): Promise<string> {
  const { body, status, text } = await owner.post(`${papers.at}/records`, {
    values: { title: 'On otters', reviewer: 'Ben', state, ...values },
  })
  expect(status, text).toBe(201)
  return body.id
}

const move = (who: Caller, record: string, body: unknown): Promise<Answer> =>
  who.post(`${papers.at}/records/${record}/transitions`, body)
const moves = async (who: Caller, record: string) =>
  (await who.get(`${papers.at}/records/${record}/transitions`)).body.items
const read = async (record: string) => (await owner.get(`${papers.at}/records/${record}`)).body

function grants(...all: readonly (Permission | Omit<Grant, 'collection'>)[]): Grant[] {
  return all.map((one) =>
    typeof one === 'string' ? { permission: one, collection: papers.id } : { ...one, collection: papers.id },
  )
}

describe('a transition', () => {
  test('a transition moves a record by status name or ID', async () => {
    const record = await paper()
    const answer = await move(editor, record, { to: 'In review' })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body).toMatchObject({ id: record, version: 2, values: { state: 'In review' } })
    expect((await move(owner, record, { to: papers.state['Final'], note: 'Good' })).body.values.state).toBe('Final')
  })

  test('a transition is logged with its note', async () => {
    const record = await paper({}, 'In review')
    await move(owner, record, { to: 'Final', note: '  Good work ' })
    const entries = await app.database.read
      .selectFrom('changes')
      .select(['kind', 'note', 'after'])
      .where('record_id', '=', record)
      .orderBy('id')
      .execute()
    expect(entries.at(-1)).toMatchObject({ kind: 'record-moved', note: 'Good work' })
    expect(JSON.parse(entries.at(-1)?.after ?? '')).toEqual({ [of(papers.field, 'state')]: papers.state['Final'] })
  })

  test.each([
    ['to where no transition leads', 'Draft', { to: 'Final', note: 'x' }, 'no-transition'],
    ['to where the record is', 'Draft', { to: 'Draft' }, 'already-there'],
    ['without the note it needs', 'In review', { to: 'Final', note: ' ' }, 'note-missing'],
    ['to a state that is not there', 'Draft', { to: 'Nowhere' }, 'unknown-state'],
    ['that is not open for this record', 'In review', { to: 'Draft' }, 'condition'],
  ])('a transition is rejected %s', async (_, from, body, code) => {
    const record = await paper({ pages: 3 }, from)
    const answer = await move(owner, record, body)
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ code: 'transition-refused', errors: [{ code }] })
    expect(await read(record)).toMatchObject({ version: 1, values: { state: from } })
  })

  test('a transition is available only while its condition is met', async () => {
    const record = await paper({ pages: 30 }, 'In review')
    expect((await move(editor, record, { to: 'Draft' })).status).toBe(200)
  })

  test("a transition requires the target status's required fields and names the missing ones", async () => {
    const record = await paper({ reviewer: null })
    const answer = await move(editor, record, { to: 'In review' })
    expect(answer.body).toMatchObject({
      code: 'transition-refused',
      detail: 'Status not changed: fill in Reviewer first.',
      errors: [{ path: 'reviewer', code: 'required' }],
    })
  })

  test('a transition reveals no names of hidden fields', async () => {
    const record = await paper({ reviewer: null })
    const who = await app.asGranted(
      grants({ permission: 'records:read', fields: { except: [of(papers.field, 'reviewer')] } }, 'records:transition'),
    )
    const answer = await move(who, record, { to: 'In review' })
    expect(answer.status).toBe(422)
    expect(answer.text).not.toMatch(/reviewer/i)
    expect((await who.get(papers.at)).text).not.toMatch(/reviewer/i)
    expect(JSON.stringify(await moves(who, record))).not.toMatch(/reviewer/i)
  })

  test("a rejected transition doesn't reveal the status to users who can't read it", async () => {
    const who = await app.asGranted(
      grants({ permission: 'records:read', fields: { except: [of(papers.field, 'state')] } }, 'records:transition'),
    )
    const reported = async (from: string, body: { readonly to: string; readonly note?: string }) => {
      const { status, body: problem } = await move(who, await paper({ pages: 3 }, from), body)
      return { status, detail: problem.detail, errors: problem.errors }
    }
    const nowhere = await reported('Draft', { to: 'Draft' })
    expect(nowhere).toMatchObject({ status: 422, errors: [{ code: 'no-transition' }] })
    expect(await reported('Draft', { to: 'Final', note: 'x' })).toEqual(nowhere)
    expect(await reported('In review', { to: 'Final', note: 'For others.' })).toEqual(nowhere)
    expect(await reported('In review', { to: 'Draft' })).toEqual(nowhere)
  })

  test('a transition is available only to its roles', async () => {
    const record = await paper({}, 'In review')
    const answer = await move(editor, record, { to: 'Final', note: 'Mine' })
    expect(answer.status).toBe(403)
    expect(answer.body.code).toBe('forbidden')
    expect((await read(record)).values.state).toBe('In review')
  })

  test('a transition requires permission for the record', async () => {
    const record = await paper()
    const reader = await app.asGranted(grants('records:read', 'records:update'))
    expect((await move(reader, record, { to: 'In review' })).status).toBe(403)
    const where = { field: 'title', op: '=', value: 'Another' } as const
    const some = await app.asGranted(grants('records:read', { permission: 'records:transition', where }))
    expect((await move(some, record, { to: 'In review' })).status).toBe(404)
    expect(await moves(some, record)).toEqual([])
  })

  test('a transition with a stale version is rejected', async () => {
    const record = await paper()
    await owner.patch(`${papers.at}/records/${record}`, { values: { title: 'Changed' } })
    const stale = await move(owner, record, { to: 'In review', version: 1 })
    expect(stale.status).toBe(409)
    expect(stale.body).toMatchObject({ code: 'version-conflict', current: { id: record, version: 2 } })
    expect((await move(owner, record, { to: 'In review', version: 2 })).status).toBe(200)
  })

  test('concurrent identical transitions are applied once', async () => {
    const record = await paper()
    const answers = await Promise.all([
      move(owner, record, { to: 'In review' }),
      move(editor, record, { to: 'In review' }),
    ])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 422]))
    expect((await read(record)).version).toBe(2)
  })
})

type Changes = { readonly changes: readonly { readonly field: string }[] }

const statusIn = ({ changes }: Changes) => changes.find(({ field }) => field === 'state')

describe('undoing a transition', () => {
  const undo = (who: Caller, record: string, version: number): Promise<Answer> =>
    who.post(`${papers.at}/records/${record}/transitions/undo`, { version })

  test('restores the status even without a reverse transition, and is logged like a transition', async () => {
    const record = await paper()
    const moved = await move(editor, record, { to: 'In review' })
    const answer = await undo(editor, record, moved.body.version)
    expect([answer.status, answer.body.values.state]).toEqual([200, 'Draft'])
    const { items } = (await owner.get(`${papers.at}/records/${record}/history?field=state`)).body
    expect(items.map(statusIn)).toEqual([
      { field: 'state', before: 'In review', after: 'Draft' },
      { field: 'state', before: 'Draft', after: 'In review' },
      { field: 'state', before: null, after: 'Draft' },
    ])
    // A second undo would repeat the transition without checking its guards.
    expect((await undo(editor, record, answer.body.version)).body.code).toBe('transition-refused')
  })

  test('unlocks fields that the status locked', async () => {
    const record = await paper({}, 'In review')
    const moved = await move(owner, record, { to: 'Final', note: 'Good' })
    expect((await undo(owner, record, moved.body.version)).body.values.state).toBe('In review')
  })

  test('is rejected for other users, after another edit, and after ten minutes', async () => {
    const record = await paper()
    const { body } = await move(editor, record, { to: 'In review' })
    expect((await undo(owner, record, body.version)).body.code).toBe('transition-refused')
    expect((await undo(await app.asViewer(), record, body.version)).status).toBe(403)

    await owner.patch(`${papers.at}/records/${record}`, { values: { title: 'On owls' } })
    expect((await undo(editor, record, body.version)).body.code).toBe('version-conflict')
    expect((await undo(editor, record, body.version + 1)).body.code).toBe('transition-refused')

    const other = await paper()
    const again = await move(editor, other, { to: 'In review' })
    app.clock.move(UNDO_TRANSITION_MS + 1)
    expect((await undo(editor, other, again.body.version)).body.code).toBe('transition-refused')
    expect((await read(other)).values.state).toBe('In review')
  })

  test("can't change records outside the user's permissions", async () => {
    const where = { field: papers.field['state'] ?? '', op: '=', value: papers.state['Draft'] ?? '' } as const
    const drafter = await app.asGranted(grants('records:read', { permission: 'records:transition', where }))
    const record = await paper()
    const moved = await move(drafter, record, { to: 'In review' })
    expect(moved.status, moved.text).toBe(200)
    expect((await undo(drafter, record, moved.body.version)).status).toBe(404)
  })
})

describe('an import', () => {
  const nameOfPapers = (): string => papers.at.split('/').at(-1) ?? ''
  const anImporter = () => app.asGranted(grants('records:read', 'records:update', 'records:import'))

  test('can set any status only for collection managers', async () => {
    const csv = 'title,state\nOn newts,Final\n'
    const refused = await importInto(await anImporter(), nameOfPapers(), csv)
    expect(refused.status, refused.text).toBe(422)
    expect(refused.body).toMatchObject({ code: 'use-transition', errors: [{ path: 'state' }] })
    expect((await importInto(owner, nameOfPapers(), csv)).body.state).toBe('done')
    const { items } = (await owner.get(`${papers.at}/records?filter=title = "On newts"`)).body
    expect(items.map(({ values }: { values: { state: string } }) => values.state)).toEqual(['Final'])
  })

  test("doesn't change locked fields", async () => {
    const record = await paper({ pages: 3 }, 'In review')
    const importer = await anImporter()
    const bring = (csv: string, query: string) => importInto(importer, nameOfPapers(), csv, `?key=id${query}`)
    const failed = await bring(`id,title,pages\n${record},On newts,99\n`, '')
    expect(failed.body).toMatchObject({ state: 'failed', errors: [{ row: 1, column: 'Pages' }] })
    const skipped = await bring(`id,title,pages\n${record},On newts,99\n`, '&onBadRow=skip')
    expect(skipped.body.progress).toMatchObject({ rowsRefused: 1 })
    expect((await read(record)).values).toMatchObject({ title: 'On otters', pages: 3 })
    expect((await bring(`id,title,pages\n${record},On newts,3\n`, '')).body.state).toBe('done')
    expect((await read(record)).values).toMatchObject({ title: 'On newts', pages: 3 })
  })
})

describe('available transitions', () => {
  test('are listed with missing requirements', async () => {
    const record = await paper({ reviewer: null })
    expect(await moves(editor, record)).toEqual([
      { id: expect.any(String), name: 'Submit', to: 'In review', note: 'none', missing: ['reviewer'] },
    ])
    const big = await paper({ pages: 99 }, 'In review')
    expect((await moves(editor, big)).map(({ name }: { name: string }) => name)).toEqual(['Send back'])
    expect((await moves(owner, big)).map(({ name }: { name: string }) => name)).toEqual(['Publish', 'Send back'])
  })

  test('are hidden if the record is hidden', async () => {
    const record = await paper()
    const who = await app.asGranted(
      grants(
        { permission: 'records:read', where: { field: 'title', op: '=', value: 'Another' } },
        'records:transition',
      ),
    )
    expect((await who.get(`${papers.at}/records/${record}/transitions`)).status).toBe(404)
  })
})

describe('the status of a record', () => {
  test("can't be written like other values", async () => {
    const record = await paper()
    const values = { state: 'Final' }
    const creator = await app.asEditor()
    const answers = await Promise.all([
      owner.patch(`${papers.at}/records/${record}`, { values }),
      creator.post(`${papers.at}/records`, { values: { title: 'New', state: 'Draft' } }),
      owner.post(`${papers.at}/records/bulk`, { update: [{ id: record, values }] }),
      owner.post(`${papers.at}/records/bulk`, { where: {}, update: { values } }),
      creator.post(`${papers.at}/records/bulk`, { create: [{ values: { title: 'New', ...values } }] }),
    ])
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(answers.map(() => [422, 'use-transition']))
    expect((await read(record)).version).toBe(1)
  })

  test('can be set by managers for new records, and otherwise has the default value', async () => {
    expect((await read(await paper({}, 'Final'))).values.state).toBe('Final')
    const { body } = await editor.post(`${papers.at}/records`, { values: { title: 'New' } })
    expect(body.values.state).toBe('Draft')
  })

  test('can be written like any other value if there is no workflow', async () => {
    const record = await paper()
    await define(null)
    expect((await owner.get(papers.at)).body.workflow).toBeUndefined()
    expect((await owner.patch(`${papers.at}/records/${record}`, { values: { state: 'Final' } })).status).toBe(200)
    expect((await move(owner, record, { to: 'Draft' })).body.code).toBe('transition-refused')
  })
})

describe('the history of a status', () => {
  const historyAt = (record: string) => `${papers.at}/records/${record}/history?field=state`

  type Entry = Changes & { kind: string; user: { name: string }; note: string | null }
  const shortOf = (entry: Entry) => [entry.kind, entry.user.name, entry.note, statusIn(entry)]

  test('contains transitions with their comments', async () => {
    const record = await paper()
    await move(editor, record, { to: 'In review' })
    await move(owner, record, { to: 'Final', note: ' Good ' })
    const { items } = (await editor.get(historyAt(record))).body
    expect(items.map(shortOf)).toEqual([
      ['moved', 'owner', 'Good', { field: 'state', before: 'In review', after: 'Final' }],
      ['moved', 'editor', null, { field: 'state', before: 'Draft', after: 'In review' }],
      ['created', 'owner', null, { field: 'state', before: null, after: 'Draft' }],
    ])
  })

  test('includes bulk transitions, and is paged', async () => {
    const record = await paper({ pages: 30 })
    const where = { filter: `id = "${record}"` }
    for (let round = 0; round < 11; round += 1) {
      for (const to of ['In review', 'Draft'])
        await owner.post(`${papers.at}/records/bulk`, { where, transition: { to, note: `${round}` } })
    }
    const first = (await owner.get(historyAt(record))).body
    const second = (await owner.get(`${historyAt(record)}&before=${first.next}`)).body
    const notes = [...first.items, ...second.items].map(({ note }: { note: string }) => note)
    expect([first.items.length, second.items.length, second.next]).toEqual([20, 3, null])
    expect(notes).toEqual([...Array.from({ length: 22 }, (_, at) => `${10 - Math.floor(at / 2)}`), null])
  })

  test('shows current status names, and the former name of a deleted status', async () => {
    const record = await paper()
    await move(owner, record, { to: 'In review' })
    const choices = [
      { id: papers.state['In review'], name: 'Reviewing' },
      { id: papers.state['Final'], name: 'Final' },
    ]
    expect((await owner.patch(`${papers.at}/fields/state`, { options: { choices }, acceptLoss: true })).status).toBe(
      200,
    )
    const [entry] = (await owner.get(historyAt(record))).body.items
    expect(entry.changes).toEqual([{ field: 'state', before: 'Draft', after: 'In review', isText: true }])
  })

  test('shows the names of disabled users', async () => {
    const leaving = await app.asEditor()
    const record = await paper()
    await move(leaving, record, { to: 'In review' })
    expect((await owner.patch(`/api/users/${leaving.userId}`, { isDisabled: true })).status).toBe(200)
    const [entry] = (await owner.get(historyAt(record))).body.items
    expect(entry.user).toEqual({ id: leaving.userId, name: 'editor' })
  })
})

describe('a locked field', () => {
  const change = (record: string, values: object) => owner.patch(`${papers.at}/records/${record}`, { values })

  test("can't be changed by any user while the record has that status", async () => {
    const record = await paper({ pages: 3 }, 'In review')
    const answer = await change(record, { pages: 4 })
    expect(answer.status).toBe(422)
    expect(answer.body).toMatchObject({ code: 'field-frozen', errors: [{ path: 'pages', code: 'field-frozen' }] })
    expect((await change(record, { title: 'Still open' })).status).toBe(200)
    expect((await change(record, { pages: 3 })).status).toBe(200)
  })

  test('includes all fields if the status locks the whole record', async () => {
    const record = await paper({}, 'Final')
    expect((await change(record, { title: 'New' })).body.code).toBe('field-frozen')
  })

  test('rejects the whole bulk change if it is locked in any record', async () => {
    const [open, frozen] = [await paper({ pages: 1 }), await paper({ pages: 1 }, 'In review')]
    const values = { pages: 2 }
    const update = [open, frozen].map((id) => ({ id, values }))
    const answers = [
      await owner.post(`${papers.at}/records/bulk`, { update }),
      await owner.post(`${papers.at}/records/bulk`, { where: {}, update: { values } }),
    ]
    expect(answers.map(({ body }) => body.code)).toEqual(['field-frozen', 'field-frozen'])
    expect((await read(open)).values.pages).toBe(1)
  })
})

describe('a transition of records matched by a query', () => {
  const bulk = (who: Caller, transition: object, where: object = {}) =>
    who.post(`${papers.at}/records/bulk`, { where, transition })

  test('moves only records for which the transition is allowed', async () => {
    const ids = [await paper(), await paper(), await paper({}, 'Final')]
    const answer = await bulk(editor, { to: 'In review' })
    expect(answer.body).toMatchObject({ created: [], updated: 2, deleted: 0 })
    const states = await Promise.all(ids.map(async (id) => (await read(id)).values.state))
    expect(states).toEqual(['In review', 'In review', 'Final'])
  })

  test('is atomic', async () => {
    const ids = [await paper(), await paper({ reviewer: null })]
    const answer = await bulk(editor, { to: 'In review' })
    expect(answer.body.code).toBe('transition-refused')
    expect(await Promise.all(ids.map(async (id) => (await read(id)).version))).toEqual([1, 1])
  })

  test('respects roles and conditions', async () => {
    await paper({}, 'In review')
    expect((await bulk(editor, { to: 'Final', note: 'Mine' })).body.updated).toBe(0)
    expect((await bulk(owner, { to: 'Draft' })).body.updated).toBe(0)
    expect((await bulk(owner, { to: 'Final', note: 'Good' })).body.updated).toBe(1)
  })
})

describe('a workflow', () => {
  test('an invalid workflow is rejected with the position of the error', async () => {
    const [submit] = workflow().transitions
    const answer = await define({ transitions: [{ ...submit, when: 'pagse > 1', roles: ['nobody'] }] })
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toMatchObject([
      { path: 'workflow.transitions.0.roles', code: 'unknown-role' },
      { path: 'workflow.transitions.0.when', code: 'invalid-filter', message: expect.stringContaining('pages') },
    ])
  })

  test('conditions of a workflow are stored by ID and survive renaming', async () => {
    await owner.patch(`${papers.at}/fields/pages`, { name: 'length', label: 'Length' })
    expect((await owner.get(papers.at)).body.workflow.transitions[2].when.field).toBe('length')
    const record = await paper({ length: 30 }, 'In review')
    expect((await move(editor, record, { to: 'Draft' })).status).toBe(200)
  })

  test('a workflow drops references to a deleted status or field without allowing more transitions', async () => {
    await owner.delete(`${papers.at}/fields/reviewer`)
    const state = {
      choices: [
        { id: papers.state['Draft'], name: 'Draft' },
        { id: papers.state['In review'], name: 'In review' },
      ],
    }
    const answer = await owner.patch(`${papers.at}/fields/state`, { options: state, acceptLoss: true })
    expect(answer.status, answer.text).toBe(200)
    const { workflow: left } = (await owner.get(papers.at)).body
    expect(left.transitions.map(({ name }: { name: string }) => name)).toEqual(['Submit', 'Send back'])
    expect(Object.keys(left.states)).not.toContain(papers.state['Final'])
    expect(left.states[of(papers.state, 'Draft')].requiredToLeave).toEqual([])
  })

  test('a workflow is deleted with its status field', async () => {
    await owner.delete(`${papers.at}/fields/state`)
    expect((await owner.get(papers.at)).body.workflow).toBeUndefined()
  })

  test('the roles and conditions of a workflow are shown only to managers', async () => {
    const seen = (await editor.get(papers.at)).body.workflow
    expect(seen.transitions.map(({ name }: { name: string }) => name)).toEqual(['Submit', 'Publish', 'Send back'])
    expect(seen.transitions.some((one: object) => 'roles' in one || 'when' in one)).toBe(false)
  })
})
