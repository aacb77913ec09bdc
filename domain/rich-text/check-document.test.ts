import { describe, expect, test } from 'vitest'
import { checkDocument } from './check-document.ts'

const ID = '01k9x0000000000000000000aa'
const OTHER = '01k9x0000000000000000000bb'

const doc = (...content: unknown[]) => ({ type: 'doc', content })
const words = (text: string, ...types: string[]) => ({
  type: 'text',
  ...(types.length > 0 && { marks: types.map((type) => ({ type })) }),
  text,
})
const paragraph = (...content: unknown[]) => ({ type: 'paragraph', ...(content.length > 0 && { content }) })
const node = (type: string, ...content: unknown[]) => ({ type, ...(content.length > 0 && { content }) })
const cells = (...texts: string[]) =>
  node('tableRow', ...texts.map((text) => node('tableCell', paragraph(words(text)))))
const mention = (attrs: object) => paragraph({ type: 'mention', attrs })

describe('a document', () => {
  test.each([
    ['every mark', doc(paragraph(words('all', 'bold', 'italic', 'underline', 'strike', 'code')))],
    [
      'tasks, done and open',
      doc(
        node(
          'taskList',
          { type: 'taskItem', attrs: { checked: true }, content: [paragraph(words('done'))] },
          node('taskItem', paragraph(words('open')), node('taskList', node('taskItem', paragraph()))),
        ),
      ),
    ],
    [
      'quotes in quotes, with what may stand in them',
      doc(node('blockquote', { type: 'heading', attrs: { level: 2 } }, node('blockquote', paragraph()))),
    ],
    ['code in a language', doc({ type: 'codeBlock', attrs: { language: 'c++' }, content: [words('a;\n\n  b;')] })],
    ['a line across', doc(node('horizontalRule'))],
    ['a table', doc(node('table', cells('a', 'b'), cells('c', 'd')))],
    ['a picture', doc({ type: 'image', attrs: { file: ID, alt: 'A gull', width: 50 } })],
    [
      'a file in an item',
      doc(node('bulletList', node('listItem', paragraph(), { type: 'file', attrs: { file: ID } }))),
    ],
    [
      'somebody who is mentioned, in bold',
      doc(paragraph({ type: 'mention', attrs: { kind: 'user', id: ID }, marks: [{ type: 'bold' }] })),
    ],
    ['a record that is mentioned', doc(mention({ kind: 'record', id: ID, collection: OTHER }))],
  ])('with %s is kept unchanged', (_what, document) => {
    expect(checkDocument(document)).toEqual({ ok: true, value: document })
  })

  test('is stored without unknown attributes or default values', () => {
    const given = doc(
      {
        type: 'taskList',
        attrs: { id: 'x' },
        content: [{ type: 'taskItem', attrs: { checked: false, indent: 0 }, content: [paragraph()] }],
      },
      { type: 'codeBlock', attrs: { language: null }, content: [words('a\r\nb\rc')] },
      { type: 'image', attrs: { file: ID, alt: '', width: 100, src: 'https://example.org/' } },
      node(
        'table',
        node('tableRow', { type: 'tableCell', attrs: { colspan: 2, colwidth: [3] }, content: [paragraph()] }),
      ),
    )
    expect(checkDocument(given)).toEqual({
      ok: true,
      value: doc(
        node('taskList', node('taskItem', paragraph())),
        node('codeBlock', words('a\nb\nc')),
        { type: 'image', attrs: { file: ID } },
        node('table', node('tableRow', node('tableCell', paragraph()))),
      ),
    })
  })

  test('is normalized: marks are sorted and adjacent text with equal marks is merged', () => {
    const given = doc(paragraph(words('a', 'italic', 'bold'), words('b', 'bold', 'italic'), words('c'), words('d')))
    expect(checkDocument(given)).toEqual({
      ok: true,
      value: doc(paragraph(words('ab', 'bold', 'italic'), words('cd'))),
    })
  })

  test('contains no lone surrogates in text or alt text', () => {
    const given = doc(paragraph(words('a\ud800')), { type: 'image', attrs: { file: ID, alt: '\udc00' } })
    expect(checkDocument(given)).toEqual({
      ok: true,
      value: doc(paragraph(words('a\ufffd')), { type: 'image', attrs: { file: ID, alt: '\ufffd' } }),
    })
  })

  test.each([
    [
      'an item that begins with a list',
      doc(node('bulletList', node('listItem', node('bulletList', node('listItem', paragraph()))))),
      'begin with a paragraph',
    ],
    [
      'a task among plain items',
      doc(node('bulletList', node('taskItem', paragraph()))),
      'Invalid document at document › doc 1 › bulletList 1: a taskItem isn’t allowed in a bulletList.',
    ],
    [
      'a table in a quote',
      doc(node('blockquote', node('table', cells('a')))),
      'Invalid document at document › doc 1 › blockquote 1: a table isn’t allowed in a blockquote.',
    ],
    [
      'a list in a cell',
      doc(node('table', node('tableRow', node('tableCell', node('bulletList', node('listItem', paragraph())))))),
      'Invalid document at document › doc 1 › table 1 › tableRow 1 › tableCell 1: a bulletList isn’t allowed in a tableCell.',
    ],
    ['rows that differ in length', doc(node('table', cells('a', 'b'), cells('c'))), 'must have the same length'],
    [
      'rows that are too long',
      doc(node('table', cells(...Array.from({ length: 51 }, () => 'x')))),
      'more than 50 columns',
    ],
    ['too many rows', doc(node('table', ...Array.from({ length: 1001 }, () => cells('x')))), 'more than 1000 rows'],
    [
      'set words in code',
      doc(node('codeBlock', words('a', 'bold'))),
      'Invalid document at document › doc 1 › codeBlock 1: content of a codeBlock can’t have marks.',
    ],
    [
      'breaks in code',
      doc(node('codeBlock', node('hardBreak'))),
      'Invalid document at document › doc 1 › codeBlock 1: a hardBreak isn’t allowed in a codeBlock.',
    ],
    ['a language that is more than a name', doc({ type: 'codeBlock', attrs: { language: 'a" onload=' } }), 'language'],
    [
      'a box neither ticked nor not',
      doc(node('taskList', { type: 'taskItem', attrs: { checked: 'true' }, content: [paragraph()] })),
      'checked',
    ],
    ['a picture that is no file of ours', doc({ type: 'image', attrs: { src: 'https://example.org/a.png' } }), 'file'],
    ['a picture as wide as it likes', doc({ type: 'image', attrs: { file: ID, width: 33 } }), 'width'],
    ['a picture with too many words', doc({ type: 'image', attrs: { file: ID, alt: 'x'.repeat(1001) } }), 'alt'],
    [
      'a picture in a line',
      doc(paragraph({ type: 'image', attrs: { file: ID } })),
      'Invalid document at document › doc 1 › paragraph 1: a image isn’t allowed in a paragraph.',
    ],
    ['a file with a path for an id', doc({ type: 'file', attrs: { file: '../../etc/passwd' } }), 'file'],
    ['a mention of something else', doc(mention({ kind: 'role', id: ID })), 'kind'],
    [
      'a record without its collection',
      doc(mention({ kind: 'record', id: ID })),
      'Invalid document at document › doc 1 › paragraph 1: a record mention must specify its collection, and other mentions must not.',
    ],
    [
      'somebody in a collection',
      doc(mention({ kind: 'user', id: ID, collection: OTHER })),
      'Invalid document at document › doc 1 › paragraph 1: a record mention must specify its collection, and other mentions must not.',
    ],
    ['a mention of nobody', doc(mention({ kind: 'user', id: 'anna' })), 'id'],
    ['a list of numbers for an indent', doc({ type: 'paragraph', attrs: { indent: [3] } }), 'indent'],
  ])('with %s is rejected', (_what, document, reason) => {
    const checked = checkDocument(document)
    expect(checked).toMatchObject({ ok: false, fault: { code: 'bad-document' } })
    expect(!checked.ok && checked.fault.message).toContain(reason)
  })
})
