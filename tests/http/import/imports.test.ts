import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asNew, importAsNew, importInto, outcome, upload, uploadInto } from '#tests/conformance/csv-import.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let owner: Caller

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
})
afterAll(() => app.close())

const lines = (...rows: readonly string[]) => `${rows.join('\n')}\n`

let count = 0
const newCollection = async (fields: readonly object[]): Promise<string> => {
  count += 1
  const made = await owner.post('/api/collections', { label: `Things ${count}`, fields })
  expect(made.status, made.text).toBe(201)
  return made.body.name
}
const recordsOf = async (collection: string, query = '') => {
  const listed = await owner.get(`/api/collections/${collection}/records?perPage=500&count=exact${query}`)
  expect(listed.status, listed.text).toBe(200)
  return listed.body
}
const valuesOf = async (collection: string) =>
  (await recordsOf(collection)).items.map((item: { values: object }) => item.values)
const collectionCount = async () => (await owner.get('/api/collections')).body.items.length

describe('previewing a CSV file', () => {
  test('detects its format and column types', async () => {
    const looked = await upload(
      owner,
      '\uFEFFname;born;share\r\nAda;1815-12-10;1.5\r\nGrace;1906-12-09;\r\n',
      'a/b.csv',
    )
    expect(looked.status, looked.text).toBe(201)
    expect(looked.body).toMatchObject({
      fileName: 'b.csv',
      state: 'ready',
      collection: null,
      preview: {
        separator: ';',
        hasHeader: true,
        rowsLookedAt: 2,
        isWhole: true,
        rows: [
          ['Ada', '1815-12-10', '1.5'],
          ['Grace', '1906-12-09', ''],
        ],
        columns: [
          { header: 'name', kind: 'text', emptyCount: 0 },
          { header: 'born', kind: 'date', samples: ['1815-12-10', '1906-12-09'] },
          { header: 'share', kind: 'number', emptyCount: 1 },
        ],
      },
    })
  })

  test.each([
    ['is empty', '', 'The file is empty.'],
    ['has only a header', 'name,year\n', 'The file has a header but no rows. Nothing was imported.'],
    ['has a quotation mark that is never closed', 'a,b\n1,"2\n3,4\n', 'A quoted cell on line'],
    ['has text text after a closing quotation mark', 'a,b\n1,"x" y\n3,4\n', 'text after a closing quotation mark'],
    ['is no text at all', Buffer.from([1, 2, 0, 3, 10, 0]), 'is not a CSV'],
    ['is a spreadsheet', Buffer.from('PK\u0003\u0004xl/workbook'), 'CSV UTF-8'],
  ])('rejects a file that %s', async (_, csv, words) => {
    const looked = await upload(owner, csv)
    expect(looked.status).toBe(400)
    expect(looked.body.code).toBe('invalid-csv')
    expect(looked.body.detail).toContain(words)
  })

  test.each([
    ['utf-8', 'certain', Buffer.from('\uFEFFname\nJosé\n')],
    ['utf-16le', 'certain', Buffer.from('\uFEFFname\nJosé\n', 'utf16le')],
    ['utf-16be', 'certain', Buffer.from('\uFEFFname\nJosé\n', 'utf16le').swap16()],
    ['windows-1252', 'guess', Buffer.from('name\nJosé\n', 'latin1')],
  ])('reads a file in %s with its confidence', async (encoding, confidence, csv) => {
    const looked = await upload(owner, csv)
    expect(looked.body.preview, looked.text).toMatchObject({ encoding, confidence, rows: [['José']] })
  })

  test('uses another encoding only on request', async () => {
    const csv = Buffer.from([0x6e, 0x0a, 0xd0, 0xe8, 0x0a])
    const collection = await newCollection([{ label: 'N', kind: 'text' }])
    const refused = await importInto(owner, collection, csv)
    expect(refused.body, refused.text).toMatchObject({
      code: 'invalid-csv',
      detail: expect.stringContaining('encoding='),
    })
    const done = await importInto(owner, collection, csv, '?encoding=windows-1251')
    expect(done.body, done.text).toMatchObject({ state: 'done' })
    expect(await valuesOf(collection)).toEqual([{ n: 'Ри' }])
    const wrong = await importInto(owner, collection, csv, '?encoding=utf-8')
    expect(wrong.body.detail).toContain(
      'The file isn’t encoded in UTF-8. Choose another encoding. Nothing was imported.',
    )
  })

  test('rejects 2,000 columns and reports the limit', async () => {
    const wide = Array.from({ length: 2000 }, (_, at) => `c${at}`).join(',')
    const looked = await upload(owner, lines(wide, wide))
    expect(looked.body.detail).toContain('2,000 columns')
    expect(looked.body.detail).toContain('500')
  })

  test('rejects form data, because its first line would be parsed as a header', async () => {
    const looked = await owner.request('POST', '/api/imports?name=x.csv', {
      raw: '--x\r\n\r\n--x--\r\n',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    })
    expect(looked.status).toBe(415)
  })

  test('requires the import permission, and is visible only to the user who uploaded the file', async () => {
    const looked = await upload(owner, lines('a', '1'))
    const [editor, other] = [await app.asEditor(), await app.asOwner()]
    expect((await upload(editor, lines('a', '1'))).status).toBe(403)
    expect((await other.get(`/api/imports/${looked.body.id}`)).status).toBe(404)
    expect((await other.delete(`/api/imports/${looked.body.id}`)).status).toBe(404)
  })
})

describe('an import into a new collection', () => {
  test('creates its fields and preserves the row order', async () => {
    const rows = Array.from(
      { length: 1234 },
      (_, at) => `Row ${at},${at % 3 === 0 ? 'open' : 'closed'},${at}.5,2024-01-01`,
    )
    const done = await importAsNew(owner, 'Many rows', lines('title,status,size,day', ...rows), { titleColumn: 0 })
    expect(done.body, done.text).toMatchObject({
      state: 'done',
      failure: null,
      progress: { rowsRead: 1234, rowsStored: 1234, rowsRefused: 0 },
    })
    const collection = (await owner.get('/api/collections/manyRows')).body
    expect(collection.fields.map((field: { label: string; kind: string }) => [field.label, field.kind])).toEqual([
      ['title', 'text'],
      ['status', 'select'],
      ['size', 'number'],
      ['day', 'date'],
      ['Notes', 'rich-text'],
      ['Files', 'files'],
    ])
    const page = await recordsOf('manyRows')
    expect(page.total).toBe(1234)
    expect(page.items.slice(0, 2).map((item: { values: object }) => item.values)).toMatchObject([
      { title: 'Row 0', status: 'open', size: 0.5, day: '2024-01-01' },
      { title: 'Row 1', status: 'closed', size: 1.5 },
    ])
    expect(page.items[0]).toMatchObject({ version: 1, createdBy: owner.userId })
    expect((await recordsOf('manyRows', '&search=row%201233')).total).toBe(1)
  })

  test('that fails removes the collection, lists every rejected row, and can be restarted', async () => {
    const before = await collectionCount()
    const looked = await upload(owner, lines('name,year', 'Ada,1815', 'Grace,1906', 'Edsger,long ago', 'Alan,"x\ny"'))
    const plan = asNew('Broken', looked)
    plan.columns[1] = { newField: { label: 'year', kind: 'number' } }
    await owner.post(`/api/imports/${looked.body.id}/start`, plan)
    const failed = await outcome(owner, looked.body.id)
    expect(failed.body).toMatchObject({
      state: 'failed',
      collection: null,
      failure: '2 of 4 rows have errors.',
      progress: { rowsRead: 4, rowsRefused: 2 },
      errors: [
        { row: 3, column: 'year', message: '“long ago” isn’t a number.' },
        { row: 4, column: 'year' },
      ],
    })
    expect(await collectionCount()).toBe(before)

    const errors = await owner.get(`/api/imports/${looked.body.id}/errors.csv`)
    expect(errors.text.split('\r\n')[0]).toBe('name,year,Row,Error')
    expect(errors.text).toContain('Edsger,long ago,3,year: “long ago” isn’t a number.')

    const again = await owner.post(`/api/imports/${looked.body.id}/start`, { ...plan, onBadRow: 'skip' })
    expect(again.status, again.text).toBe(202)
    const done = await outcome(owner, looked.body.id)
    expect(done.body).toMatchObject({ state: 'done', progress: { rowsStored: 2, rowsRefused: 2 } })
    expect((await valuesOf('broken')).map((values: { name: string }) => values.name)).toEqual(['Ada', 'Grace'])
    expect((await owner.post(`/api/imports/${looked.body.id}/start`, plan)).body.code).toBe('import-not-ready')
  })

  test('creates the options of a select field', async () => {
    const looked = await upload(owner, lines('name', 'red', 'green', ' red ', '', 'Blue'))
    const plan = { ...asNew('Colours', looked), columns: [{ newField: { label: 'Colour', kind: 'select' } }] }
    await owner.post(`/api/imports/${looked.body.id}/start`, plan)
    expect((await outcome(owner, looked.body.id)).body.state).toBe('done')
    const { options } = (await owner.get('/api/collections/colours')).body.fields[0]
    expect(options.choices.map((choice: { name: string }) => choice.name)).toEqual(['red', 'green', 'Blue'])
  })

  test('supports all line breaks and rows of different lengths', async () => {
    const done = await importAsNew(owner, 'Breaks', 'a,b,c\r\n1,2,3\r4\n"5","6"\n\n7,8,9,,\n', {})
    expect(done.body, done.text).toMatchObject({ state: 'done', progress: { rowsStored: 4 } })
    expect(await valuesOf('breaks')).toMatchObject([
      { a: 1, b: 2, c: 3 },
      { a: 4, b: null, c: null },
      { a: 5, b: 6, c: null },
      { a: 7, b: 8, c: 9 },
    ])
  })

  test('prefers the specified format over the detected one', async () => {
    const looked = await upload(owner, lines('a;b', '1;2'))
    expect(looked.status, looked.text).toBe(201)
    const started = await owner.post(`/api/imports/${looked.body.id}/start`, {
      into: { newCollection: { label: 'Told', name: 'toldSo' } },
      columns: [{ newField: { label: 'All', kind: 'text' } }],
      separator: ',',
      hasHeader: false,
    })
    expect(started.status, started.text).toBe(202)
    expect((await outcome(owner, looked.body.id)).body.state).toBe('done')
    expect(await valuesOf('toldSo')).toMatchObject([{ all: 'a;b' }, { all: '1;2' }])
  })

  test('requires a target for each column and at least one imported column', async () => {
    const looked = await upload(owner, lines('a,b', '1,2'))
    const start = (body: object) => owner.post(`/api/imports/${looked.body.id}/start`, body)
    const into = { newCollection: { label: 'Nothing' } }
    expect((await start({ into, columns: [{ skip: true }] })).body.detail).toContain('2 columns')
    expect((await start({ into, columns: [{ skip: true }, { skip: true }] })).body.detail).toContain(
      'All columns are skipped. Choose a field for at least one of them.',
    )
  })

  test('adds one change log entry in addition to the one for creating the collection', async () => {
    const done = await importAsNew(owner, 'Logged', lines('a', '1', '2'))
    const changes = await app.database.read
      .selectFrom('changes')
      .select(['kind', 'after', 'user_id'])
      .where('collection_id', '=', done.body.collection)
      .orderBy('id')
      .execute()
    expect(changes.map((change) => change.kind)).toEqual(['collection-created', 'records-imported'])
    expect(JSON.parse(changes[1]?.after ?? '')).toMatchObject({ count: 2, fileName: 'things.csv' })
    expect(changes[1]?.user_id).toBe(owner.userId)
  })
})

describe('an import into an existing collection', () => {
  test('maps columns by name or label, and rejects unknown ones', async () => {
    const name = await newCollection([
      { label: 'Title', kind: 'text', required: true },
      { label: 'Number of pages', kind: 'number', name: 'pages' },
    ])
    expect((await importInto(owner, name, lines('TITLE,pages', 'A,1', 'B,'))).body.state).toBe('done')
    expect((await importInto(owner, name, lines('title,Number of pages', 'C,3'))).body.state).toBe('done')
    expect(await valuesOf(name)).toMatchObject([
      { title: 'A', pages: 1 },
      { title: 'B', pages: null },
      { title: 'C', pages: 3 },
    ])

    const stranger = await uploadInto(owner, name, lines('title,shelf', 'D,4'))
    expect(stranger.body).toMatchObject({ code: 'invalid-csv' })
    expect(stranger.body.detail).toContain('“shelf”')
    const untitled = await uploadInto(owner, name, lines('pages', '4'))
    expect(untitled.body.detail).toContain('Title is required, but no column is mapped to it. Nothing was imported.')
    expect((await recordsOf(name)).total).toBe(3)
  })

  test('rejects values that are duplicates in the collection or in earlier rows', async () => {
    const name = await newCollection([{ label: 'Code', kind: 'text', unique: true }])
    expect((await importInto(owner, name, lines('code', 'a', 'b'))).body.state).toBe('done')
    const many = Array.from({ length: 700 }, (_, at) => `n${at}`)
    const failed = await importInto(owner, name, lines('code', 'b', 'c', 'c', ...many, 'n5', 'd'))
    expect(failed.body).toMatchObject({
      state: 'failed',
      errors: [
        { row: 1, column: 'Code' },
        { row: 3, column: 'Code' },
        { row: 704, column: 'Code' },
      ],
    })
    expect((await recordsOf(name)).total).toBe(2)
    const skipped = await importInto(owner, name, lines('code', 'b', 'c', 'c'), '?onBadRow=skip')
    expect(skipped.body.progress).toMatchObject({ rowsStored: 1, rowsRefused: 2 })
  })

  test('links records by title and reports missing or ambiguous ones', async () => {
    const people = await newCollection([{ label: 'Name', kind: 'text' }])
    await importInto(owner, people, lines('name', 'Ada', '"Hopper; Grace"', 'Alan', 'Twin', 'Twin'))
    const name = await newCollection([
      { label: 'Title', kind: 'text' },
      { label: 'Author', kind: 'relation', options: { collection: people } },
      { label: 'Readers', kind: 'relation', options: { collection: people, many: true } },
    ])
    const rows = ['A,Ada,"Alan; ""Hopper; Grace"""', 'B,,', 'C,Hopper; Grace,Ada']
    const done = await importInto(owner, name, lines('title,author,readers', ...rows.map(quoteSecond)))
    expect(done.body, done.text).toMatchObject({ state: 'done' })
    const listed = await recordsOf(name, '&expand=*')
    const titles = listed.items.map(({ values }: { values: Related }) => [
      values.author?.title ?? null,
      values.readers.map(({ title }) => title),
    ])
    expect(titles).toEqual([
      ['Ada', ['Alan', 'Hopper; Grace']],
      [null, []],
      ['Hopper; Grace', ['Ada']],
    ])
    const failed = await importInto(owner, name, lines('title,author', 'D,Nobody', 'E,Twin'))
    expect(failed.body.errors).toMatchObject([
      { row: 1, column: 'Author', message: expect.stringContaining('Record “Nobody” not found.') },
      { row: 2, column: 'Author', message: expect.stringContaining('More than one') },
    ])
    expect((await recordsOf(name)).total).toBe(3)
  })

  test('removes the fields it created if it fails', async () => {
    const name = await newCollection([{ label: 'Title', kind: 'text', unique: true }])
    const looked = await upload(owner, lines('title,size', 'A,1', 'A,2'))
    const columns = [{ field: 'title' }, { newField: { label: 'Size', kind: 'number' } }]
    const started = await owner.post(`/api/imports/${looked.body.id}/start`, { into: { collection: name }, columns })
    expect(started.status, started.text).toBe(202)
    expect((await outcome(owner, looked.body.id)).body.state).toBe('failed')
    const { fields } = (await owner.get(`/api/collections/${name}`)).body
    expect(fields.map((field: { name: string }) => field.name)).toEqual(['title'])
  })

  test("applies default values to fields that aren't in the file", async () => {
    const name = await newCollection([
      { label: 'Title', kind: 'text' },
      { label: 'Status', kind: 'select', default: 'open', options: { choices: [{ name: 'open' }, { name: 'shut' }] } },
      { label: 'Done', kind: 'checkbox' },
    ])
    await importInto(owner, name, lines('title', 'A'))
    expect(await valuesOf(name)).toEqual([{ title: 'A', status: 'open', done: false }])
  })
})

type Related = {
  readonly author: { readonly title: string } | null
  readonly readers: readonly { readonly title: string }[]
}

/** Quotes the second of the three cells in a row. */
const quoteSecond = (row: string) => row.replace(/^([^,]*),([^,]*),/, '$1,"$2",')

test('an interrupted CSV upload leaves no file behind', async () => {
  const url = await app.listen()
  const staged = () => readdirSync(join(app.config.dataFolder, 'imports')).toSorted()
  const before = staged()
  const sending = request(`${url}/api/imports?name=cut.csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'text/csv' },
  })
  sending.on('error', () => undefined)
  sending.write('a,b\n1,2\n')
  await expect.poll(() => staged().length).toBe(before.length + 1)
  sending.destroy()
  await expect.poll(staged).toEqual(before)
})

test('shutting down the server stops imports, and the next start removes their partial data', async () => {
  const short = await openTestApp()
  const someone = await short.asOwner()
  const rows = Array.from({ length: 30_000 }, (_, at) => `Row ${at},${at}`)
  const looked = await upload(someone, lines('title,size', ...rows))
  await someone.post(`/api/imports/${looked.body.id}/start`, asNew('Stopped', looked))
  await short.stop()
  const [left] = await short.database.read.selectFrom('imports').select(['state', 'failure']).execute()
  expect(left).toEqual({ state: 'undoing', failure: expect.stringContaining('The server was stopped') })
  await short.close()
})

describe('cancelling', () => {
  test('canceling a pending import prevents it from starting', async () => {
    const looked = await upload(owner, lines('a', '1'))
    expect((await owner.delete(`/api/imports/${looked.body.id}`)).status).toBe(204)
    expect((await owner.get(`/api/imports/${looked.body.id}`)).body.state).toBe('cancelled')
    expect((await owner.post(`/api/imports/${looked.body.id}/start`, asNew('X', looked))).status).toBe(409)
    expect((await owner.delete(`/api/imports/${looked.body.id}`)).status).toBe(409)
  })

  test('canceling a running import removes its rows, which were never visible', async () => {
    const rows = Array.from({ length: 30_000 }, (_, at) => `Row ${at},${at}`)
    const before = await collectionCount()
    const looked = await upload(owner, lines('title,size', ...rows))
    await owner.post(`/api/imports/${looked.body.id}/start`, asNew('Cancelled', looked))
    for (;;) {
      const { progress, state } = (await owner.get(`/api/imports/${looked.body.id}`)).body
      expect(state).toBe('running')
      if (progress.rowsStored > 1000) break
    }
    expect((await recordsOf('cancelled')).total).toBe(0)
    expect((await owner.delete(`/api/imports/${looked.body.id}`)).status).toBe(204)
    expect((await outcome(owner, looked.body.id)).body).toMatchObject({ state: 'cancelled', collection: null })
    expect(await collectionCount()).toBe(before)
    const left = await app.database.read.selectFrom('imports').select('id').where('state', '=', 'undoing').execute()
    expect(left).toEqual([])
  })
})

describe('an export', () => {
  test('contains the matching records in order with the requested fields', async () => {
    const name = await newCollection([
      { label: 'Title', kind: 'text' },
      { label: 'Size', kind: 'number' },
    ])
    await importInto(owner, name, lines('title,size', 'A,1', '"B, ""b""",2', 'C,3'))
    const answer = await owner.get(
      `/api/collections/${name}/export.csv?sort=-size&filter=size%20%3C%203&fields=size,title`,
    )
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(answer.headers['content-disposition']).toContain(`${name}.csv`)
    expect(answer.text).toBe('size,title\r\n2,"B, ""b"""\r\n1,A\r\n')
    expect((await owner.get(`/api/collections/${name}/export.csv?header=label`)).text).toContain('Title,Size\r\n')
  })

  test('escapes formulas by default, but not numbers', async () => {
    const name = await newCollection([
      { label: 'Title', kind: 'text' },
      { label: 'Size', kind: 'number' },
    ])
    await owner.post(`/api/collections/${name}/records`, { values: { title: '=HYPERLINK("x")', size: -5 } })
    const guarded = await owner.get(`/api/collections/${name}/export.csv`)
    expect(guarded.text).toBe('title,size\r\n"\'=HYPERLINK(""x"")",-5\r\n')
    const raw = await owner.get(`/api/collections/${name}/export.csv?escapeFormulas=no`)
    expect(raw.text).toContain('"=HYPERLINK(""x"")"')
    await importInto(owner, name, guarded.text)
    expect((await valuesOf(name)).map((values: object) => values)).toMatchObject([
      { title: '=HYPERLINK("x")', size: -5 },
      { title: '=HYPERLINK("x")', size: -5 },
    ])
  })

  test('escapes labels that look like formulas, and an import restores them', async () => {
    const name = await newCollection([{ name: 'sum', label: '=1+1', kind: 'text' }])
    await owner.post(`/api/collections/${name}/records`, { values: { sum: 'two' } })
    const { text } = await owner.get(`/api/collections/${name}/export.csv?header=label`)
    expect(text).toBe("'=1+1\r\ntwo\r\n")
    await importInto(owner, name, text)
    expect(await valuesOf(name)).toMatchObject([{ sum: 'two' }, { sum: 'two' }])
  })

  test('includes system fields on request and can be imported to update records', async () => {
    const name = await newCollection([{ label: 'Title', kind: 'text' }])
    const made = await owner.post(`/api/collections/${name}/records`, { values: { title: "'=1" } })
    const { id, createdAt } = made.body
    const exported = await owner.get(
      `/api/collections/${name}/export.csv?fields=id,title,createdAt,createdBy,updatedBy&mark=yes`,
    )
    const [header, line] = exported.text.split('\r\n')
    expect(header).toBe('\uFEFFid,title,createdAt,createdBy,updatedBy')
    expect(line).toMatch(new RegExp(`^${id},''=1,${createdAt},owner,owner`))
    const again = await importInto(owner, name, exported.text, '?key=id')
    expect(again.body, again.text).toMatchObject({ state: 'done', progress: { rowsUpdated: 1, rowsStored: 1 } })
    expect((await recordsOf(name)).items).toMatchObject([{ id, version: 1, values: { title: "'=1" } }])
  })

  test('contains every record once and in order despite concurrent writes', async () => {
    const name = await newCollection([{ label: 'Size', kind: 'number' }])
    await importInto(owner, name, lines('size', ...Array.from({ length: 3000 }, (_, at) => `${at}`)))
    const exporting = owner.get(`/api/collections/${name}/export.csv?sort=-size`)
    for (let at = 0; at < 20; at += 1)
      await owner.post(`/api/collections/${name}/records`, { values: { size: at + 0.5 } })
    const sizes = (await exporting).text.trim().split('\r\n').slice(1).map(Number)
    expect(sizes.filter(Number.isInteger)).toEqual(Array.from({ length: 3000 }, (_, at) => 2999 - at))
    expect(new Set(sizes).size).toBe(sizes.length)
  })

  test('reports query errors before sending the first byte', async () => {
    const name = await newCollection([{ label: 'Title', kind: 'text' }])
    expect((await owner.get(`/api/collections/${name}/export.csv?filter=nope`)).body.code).toBe('invalid-filter')
    expect((await owner.get(`/api/collections/${name}/export.csv?fields=nope`)).status).toBe(400)
    const viewer = await app.asViewer()
    expect((await viewer.get(`/api/collections/${name}/export.csv`)).status).toBe(403)
  })
})
