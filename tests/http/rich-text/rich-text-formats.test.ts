import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'

let app: TestApp
let owner: Caller

const NOTES = '/api/collections/letters/records'

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
  const fields = [
    { label: 'Title', kind: 'text' },
    { label: 'Body', kind: 'rich-text' },
    { label: 'Data', kind: 'json' },
  ]
  expect((await owner.post('/api/collections', { label: 'Letters', fields })).status).toBe(201)
})
afterAll(() => app.close())

const make = async (values: object) => {
  const answer = await owner.post(NOTES, { values })
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}

const text = (words: string, ...marks: object[]) => ({
  type: 'text',
  ...(marks.length > 0 && { marks }),
  text: words,
})
const HELLO = {
  type: 'doc',
  content: [
    { type: 'heading', attrs: { level: 1 }, content: [text('Hello')] },
    { type: 'paragraph', content: [text('It is '), text('bold', { type: 'bold' }), text(' & short.')] },
  ],
}

describe('reading rich text', () => {
  test('returns a document, plain text, HTML or Markdown for lists and single records', async () => {
    const { id } = await make({ body: HELLO })
    const forms = {
      document: HELLO,
      text: 'Hello\nIt is bold & short.',
      html: '<h1>Hello</h1><p>It is <strong>bold</strong> &amp; short.</p>',
      markdown: '# Hello\n\nIt is **bold** \\& short.',
    }
    for (const [form, body] of Object.entries(forms)) {
      expect((await owner.get(`${NOTES}/${id}?richText=${form}`)).body.values.body).toEqual(body)
      expect((await owner.get(`${NOTES}?richText=${form}&perPage=1`)).body.items[0].values.body).toEqual(body)
    }
    expect((await owner.get(`${NOTES}/${id}?richText=pdf`)).status).toBe(400)
  })
})

describe('writing rich text', () => {
  test('accepts HTML and Markdown in single, bulk and query updates', async () => {
    const { id } = await make({ title: 'made', body: { markdown: '# Hello\n\nIt is **bold** & short.' } })
    const body = async (of = id) => (await owner.get(`${NOTES}/${of}`)).body.values.body
    expect(await body()).toEqual(HELLO)

    await owner.patch(`${NOTES}/${id}`, {
      values: { body: { html: '<p onclick="x()">Changed<script>1</script></p>' } },
    })
    expect(await body()).toEqual({ type: 'doc', content: [{ type: 'paragraph', content: [text('Changed')] }] })

    const bulk = await owner.post(`${NOTES}/bulk`, {
      create: [{ values: { title: 'one of many', body: { markdown: '# Hello' } } }],
      update: [{ id, values: { body: { html: '<h1>Hello</h1>' } } }],
    })
    expect(bulk.status, bulk.text).toBe(200)
    const hello = { type: 'doc', content: HELLO.content.slice(0, 1) }
    expect(await body()).toEqual(hello)
    expect(await body(bulk.body.created[0])).toEqual(hello)

    const found = await owner.post(`${NOTES}/bulk`, {
      where: { filter: 'title = "one of many"' },
      update: { values: { body: { markdown: '- found' } } },
    })
    expect(found.status, found.text).toBe(200)
    expect((await owner.get(`${NOTES}/${bulk.body.created[0]}?richText=text`)).body.values.body).toBe('found')
  })

  test('leaves other field types unconverted', async () => {
    const { values } = await make({ data: { html: '<p>as it is</p>' } })
    expect(values.data).toEqual({ html: '<p>as it is</p>' })
    expect((await owner.post(NOTES, { values: { title: { html: 'no' } } })).status).toBe(422)
  })

  test.each([
    ['nested without end', { html: '<div>'.repeat(20_000) }],
    ['quoted without end', { markdown: '> '.repeat(20_000) }],
    ['in a list without end', { html: '<ul><li>'.repeat(100) }],
    ['of neither form', { docx: 'x' }],
    ['of both forms', { html: 'x', markdown: 'x' }],
    ['no text at all', { html: ['x'] }],
  ])('rejects %s by name and stores nothing', async (_name, body) => {
    const before = (await owner.get(NOTES)).body.total
    const answer = await owner.post(NOTES, { values: { body } })
    expect(answer.status).toBe(422)
    expect(answer.body.errors[0]).toMatchObject({ path: 'body', code: 'bad-document' })
    expect((await owner.get(NOTES)).body.total).toBe(before)
  })

  test("doesn't block other requests while parsing", async () => {
    const slow = owner.post(NOTES, { values: { body: { markdown: '*a_'.repeat(100_000) } } })
    const quick = owner.get(`${NOTES}?perPage=1`)
    await expect(Promise.race([quick.then(() => 'quick'), slow.then(() => 'slow')])).resolves.toBe('quick')
    expect([201, 422]).toContain((await slow).status)
  })
})
