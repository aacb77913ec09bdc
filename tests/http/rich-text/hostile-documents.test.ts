import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkDocument, MAX_NODES } from '#domain/rich-text/check-document.ts'
import { card, doc, line, mention } from '#tests/support/documents/documents.ts'
import { HOSTILE_DOCUMENTS, type HostileDocument } from '#tests/support/attacks/hostile-documents.ts'
import { type Caller, openTestApp, type TestApp } from '#tests/support/server/test-app.ts'
import { DocumentView } from '#web/ui/document/document-view.tsx'

let app: TestApp
let owner: Caller

const NOTES = '/api/collections/letters/records'

beforeAll(async () => {
  app = await openTestApp()
  owner = await app.asOwner()
  const fields = [{ label: 'Body', kind: 'rich-text' }]
  expect((await owner.post('/api/collections', { label: 'Letters', fields })).status).toBe(201)
})
afterAll(() => app.close())

/** Elements that documents are made of, and nothing else may be in what is printed or drawn. */
const ELEMENTS =
  /^(?:a|blockquote|br|code|div|em|h[1-3]|hr|img|input|label|li|ol|p|pre|s|span|strong|table|tbody|td|th|tr|u|ul)$/
const ATTRIBUTES =
  /^(?:alt|checked|class|colspan|data-[a-z]+|dir|disabled|href|loading|rel|role|rowspan|scope|src|start|style|tabindex|target|type|width|aria-[a-z]+)$/
const ADDRESS = /^(?:https?:\/\/[^/\s]|mailto:|tel:|sms:|\/api\/files\/[0-9a-z]{26}$)/
const STYLE = /^margin-inline-start:\d+em$/

type Node = DefaultTreeAdapterTypes.ChildNode

/** What could do harm in HTML, by name. */
function harmIn(html: string): readonly string[] {
  const harms: string[] = []
  const look = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      if (!('tagName' in node)) continue
      if (!ELEMENTS.test(node.tagName) || !node.namespaceURI.endsWith('xhtml')) harms.push(`<${node.tagName}>`)
      for (const { name, value } of node.attrs) {
        const isAddress = name === 'href' || name === 'src'
        const isFine =
          ATTRIBUTES.test(name) && (!isAddress || ADDRESS.test(value)) && (name !== 'style' || STYLE.test(value))
        if (!isFine) harms.push(`${name}=${value}`)
      }
      look(node.childNodes)
    }
  }
  look(parseFragment(html).childNodes)
  return harms
}

const short = (shown: string): string =>
  shown.length > 190 ? `${shown.slice(0, 180)}… (${shown.length} letters)` : shown
const cell = (shown: string): string =>
  short(JSON.stringify(shown).slice(1, -1)).replaceAll('|', '\\|').replaceAll('<', '\\<')

/** Sends one document, reads what was kept of it, and draws it; a line of the table. */
async function tried(hostile: HostileDocument): Promise<string> {
  const raw = `{"values":{"body":${'json' in hostile ? hostile.json : JSON.stringify(hostile.body)}}}`
  const { total } = (await owner.get(NOTES)).body
  const headers = { 'content-type': 'application/json' }
  const answer = await owner.request('POST', NOTES, { raw, headers })
  if (answer.status !== 201) {
    expect([413, 422, 400], `${hostile.what}: ${answer.text.slice(0, 300)}`).toContain(answer.status)
    expect((await owner.get(NOTES)).body.total, hostile.what).toBe(total)
    const { code, errors } = answer.body
    return `| ${hostile.what} | refused: ${answer.status} ${code} | ${cell(errors?.[0]?.message ?? answer.body.detail ?? '')} |`
  }
  const { id, values } = answer.body
  expect(checkDocument(values.body), hostile.what).toEqual({ ok: true, value: values.body })
  const printed = async (form: string) => (await owner.get(`${NOTES}/${id}?richText=${form}`)).body.values.body
  const html = await printed('html')
  expect(harmIn(html), hostile.what).toEqual([])
  expect(harmIn(renderToStaticMarkup(createElement(DocumentView, { document: values.body }))), hostile.what).toEqual([])
  const again = await owner.post(NOTES, { values: { body: { markdown: await printed('markdown') } } })
  expect(again.status, hostile.what).toBe(201)
  const round = await owner.get(`${NOTES}/${again.body.id}?richText=html`)
  expect(harmIn(round.body.values.body), hostile.what).toEqual([])
  return `| ${hostile.what} | kept | ${cell(html)} |`
}

test('whatever a document is made to be, it is refused by name or kept without what could do harm', async () => {
  const lines: string[] = []
  for (const hostile of HOSTILE_DOCUMENTS) lines.push(await tried(hostile))
  expect(Object.prototype).not.toHaveProperty('isAdmin')
  const table = `# What hostile documents get

Written by \`tests/http/rich-text/hostile-documents.test.ts\`, which fails when it is not so any more. Everything is sent to the API itself, as the value of a
rich-text field. What is kept is read back, printed as HTML and as Markdown, and drawn: nothing in it runs, loads or leads anywhere but where
it says. HTML and Markdown are read in a thread of their own, with 256 MB and five seconds; what takes more is refused as too large.

| what is sent | answer | why, or what is kept, as HTML |
|---|---|---|
${lines.join('\n')}
`
  await expect(table).toMatchFileSnapshot('../../../docs/hostile-documents.md')
})

test('a document that names as many things as it can hold is refused by name', async () => {
  const id = (at: number) => String(at).padStart(26, '0')
  const collection = (await owner.get('/api/collections/letters')).body.id
  const count = MAX_NODES - 10
  const named = Array.from({ length: count }, (_, at) => id(at))
  const documents = [
    doc(...named.map(card)),
    doc(line(...named.map((of) => mention({ kind: 'user', id: of })))),
    doc(line(...named.map((of) => mention({ kind: 'record', id: of, collection })))),
    doc(line(...named.map((of) => mention({ kind: 'record', id: id(7), collection: of })))),
  ]
  for (const [at, body] of documents.entries()) {
    const { status } = await owner.post(NOTES, { values: { body } })
    expect([at, status]).toEqual([at, 422])
  }
})
