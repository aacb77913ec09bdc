import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkDocument } from '#domain/rich-text/check-document.ts'
import type { RichMark, RichNode } from '#domain/rich-text/document-schema.ts'
import { printHtml } from '#domain/rich-text/print-html.ts'
import { printMarkdown } from '#domain/rich-text/print-markdown.ts'
import { readHtml } from './read-html.ts'
import { readMarkdown } from './read-markdown.ts'

const text = (words: string, ...marks: RichMark[]): RichNode => ({
  type: 'text',
  ...(marks.length > 0 && { marks }),
  text: words,
})
const paragraph = (...content: RichNode[]): RichNode => ({ type: 'paragraph', ...(content.length > 0 && { content }) })
const doc = (...content: RichNode[]): RichNode => ({ type: 'doc', content })

const BOLD = { type: 'bold' } as const
const ITALIC = { type: 'italic' } as const
const UNDERLINE = { type: 'underline' } as const
const LINK = { type: 'link', attrs: { href: 'https://example.org/a?b=1&c=(2)*_' } } as const

/** Signs that mean something in Markdown or HTML, beside words and spaces. */
const words = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'\\`*_{}[]()#+-.!|~<>&;:=/"\' \t1a'),
      fc.constantFrom('1.', '2)', '- ', '# ', '> ', '```', '---', '&amp;', '<b>', '<!--', '](', '  ', '~~', '==', '\n'),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.join('').replaceAll('\0', ''))
  .filter((each) => each !== '')

const inline = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.tuple(words, fc.subarray([BOLD, ITALIC, UNDERLINE, LINK])) },
    { weight: 1, arbitrary: fc.constant(undefined) },
  ),
  { maxLength: 5 },
)
const line = inline.map((parts): RichNode[] =>
  parts.map((part) => (part ? text(part[0], ...part[1]) : { type: 'hardBreak' })),
)
const indent = fc.integer({ min: 0, max: 8 })

const { block } = fc.letrec<{ block: RichNode; list: RichNode }>((tie) => ({
  block: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc
      .tuple(line, indent)
      .map(([content, level]): RichNode => ({ type: 'paragraph', attrs: { indent: level }, content })),
    fc
      .tuple(line, fc.integer({ min: 1, max: 3 }), indent)
      .map(([content, level, by]): RichNode => ({ type: 'heading', attrs: { level, indent: by }, content })),
    tie('list'),
  ),
  list: fc
    .tuple(
      fc.constantFrom('bulletList' as const, 'orderedList' as const),
      fc.integer({ min: 0, max: 12 }),
      fc.array(
        fc.tuple(
          line,
          fc.array(
            fc.oneof(
              { depthSize: 'small' },
              line.map((content): RichNode => ({ type: 'paragraph', content })),
              tie('list'),
            ),
            {
              maxLength: 2,
            },
          ),
        ),
        { minLength: 1, maxLength: 3 },
      ),
    )
    .map(
      ([type, start, items]): RichNode => ({
        type,
        ...(type === 'orderedList' && { attrs: { start } }),
        content: items.map(
          ([first, more]): RichNode => ({
            type: 'listItem',
            content: [{ type: 'paragraph', content: first }, ...more],
          }),
        ),
      }),
    ),
}))

const documents = fc.array(block, { minLength: 1, maxLength: 5 }).map((content): RichNode => {
  const checked = checkDocument({ type: 'doc', content })
  if (!checked.ok) throw new Error(checked.fault.message)
  return checked.value
})

/** What a document says: words by the marks on them, whatever kind of white space stands between and around them. */
function meaning(node: RichNode, withIndent: boolean): unknown {
  const { level, start = 1, indent: by = 0 } = node.attrs ?? {}
  const { type, content = [] } = node
  const isLine = type === 'paragraph' || type === 'heading'
  const inside = isLine ? lineMeaning(content) : content.map((child) => meaning(child, withIndent))
  return { type, level, start, ...(withIndent && { by }), inside }
}

/** Each visible character with its marks. */
function lineMeaning(content: readonly RichNode[]): readonly string[] {
  return content.flatMap(({ type, text: said = '', marks = [] }) => {
    if (type === 'hardBreak') return ['break']
    const set = marks
      .map((mark) => `${mark.type}${mark.attrs?.['href'] ?? ''}`)
      .toSorted()
      .join('+')
    return [...said.replace(/\s/gu, '')].map((sign) => `${sign} ${set}`)
  })
}

const checked = (draft: RichNode | undefined): RichNode => {
  const result = checkDocument(draft)
  if (!result.ok) throw new Error(result.fault.message)
  return result.value
}

describe('a document as HTML and as Markdown', () => {
  test('means the same when its HTML is read back', () => {
    fc.assert(
      fc.property(documents, (document) => {
        expect(meaning(checked(readHtml(printHtml(document))), true)).toEqual(meaning(document, true))
      }),
      { numRuns: 200 },
    )
  })

  test('means the same when its Markdown is read back, but for levels of indent', () => {
    fc.assert(
      fc.property(documents, (document) => {
        expect(meaning(checked(readMarkdown(printMarkdown(document))), false)).toEqual(meaning(document, false))
      }),
      { numRuns: 200 },
    )
  })

  test('keeps the signs at the end of a heading', () => {
    const heading: RichNode = { type: 'heading', attrs: { level: 1 }, content: [text('C# and ##')] }
    expect(printMarkdown(doc(heading))).toBe('# C# and \\##')
    expect(checked(readMarkdown('# C# and \\##'))).toEqual(doc(heading))
  })

  test('is printed as people would write it', () => {
    const document = doc(
      { type: 'heading', attrs: { level: 2 }, content: [text('Plan & place')] },
      paragraph(
        text('All '),
        text('bold', BOLD),
        text(', '),
        text('both', BOLD, ITALIC),
        text(', '),
        text('here', LINK),
      ),
      {
        type: 'orderedList',
        attrs: { start: 3 },
        content: [
          { type: 'listItem', content: [paragraph(text('1. three'))] },
          {
            type: 'listItem',
            content: [
              paragraph(text('four'), { type: 'hardBreak' }, text('below', UNDERLINE)),
              { type: 'bulletList', content: [{ type: 'listItem', content: [paragraph(text('deeper'))] }] },
            ],
          },
        ],
      },
      paragraph(),
    )
    expect(printMarkdown(document)).toBe(
      [
        '## Plan \\& place',
        '',
        'All **bold**, ***both***, [here](<https://example.org/a?b=1\\&c=(2)*_>)',
        '',
        '3. 1\\. three',
        '4. four\\',
        '   <u>below</u>',
        '',
        '   - deeper',
        '',
        '&nbsp;',
      ].join('\n'),
    )
    expect(printHtml(document)).toBe(
      '<h2>Plan &amp; place</h2>' +
        '<p>All <strong>bold</strong>, <strong><em>both</em></strong>, ' +
        '<a href="https://example.org/a?b=1&amp;c=(2)*_" rel="noopener noreferrer">here</a></p>' +
        '<ol start="3"><li><p>1. three</p></li>' +
        '<li><p>four<br><u>below</u></p><ul><li><p>deeper</p></li></ul></li></ol><p></p>',
    )
  })
})

describe('HTML from elsewhere', () => {
  test.each([
    [
      'scripts, styles and what is not shown',
      '<style>p{}</style><p>Safe<script>alert(1)</script></p><svg><text>no</text></svg>',
      [paragraph(text('Safe'))],
    ],
    [
      'handlers and addresses that run',
      '<a href="java&#10;script:alert(1)" onclick="x()">here</a>',
      [paragraph(text('here'))],
    ],
    [
      'bold that a program takes back at once',
      '<b style="font-weight:normal">plain <span style="font-weight:700">bold</span></b>',
      [paragraph(text('plain '), text('bold', BOLD))],
    ],
    [
      'words straight in the body, and blocks in blocks',
      'one<div>two<div><p>three</p></div>four</div>',
      ['one', 'two', 'three', 'four'].map((each) => paragraph(text(each))),
    ],
    ['headings deeper than ours', '<h5>Deep</h5>', [{ type: 'heading', attrs: { level: 3 }, content: [text('Deep')] }]],
    [
      'a list straight inside a list',
      '<ul><li>one</li><ul><li>below</li></ul></ul>',
      [
        {
          type: 'bulletList',
          content: [
            {
              type: 'listItem',
              content: [
                paragraph(text('one')),
                { type: 'bulletList', content: [{ type: 'listItem', content: [paragraph(text('below'))] }] },
              ],
            },
          ],
        },
      ],
    ],
    [
      'an item without a list',
      '<li>alone</li>',
      [{ type: 'bulletList', content: [{ type: 'listItem', content: [paragraph(text('alone'))] }] }],
    ],
    [
      'cells of a table, each on a line',
      '<table><tr><td>a</td><td>b</td></tr></table>',
      [paragraph(text('a')), paragraph(text('b'))],
    ],
    ['nothing at all', ' <!-- nothing --> ', [paragraph()]],
  ] satisfies [string, string, RichNode[]][])('%s', (_name, html, content) => {
    expect(checked(readHtml(html))).toEqual(doc(...content))
  })

  test('nested without end is not read', () => {
    expect(readHtml('<div>'.repeat(10_000))).toBeUndefined()
    expect(readMarkdown('> '.repeat(10_000))).toBeUndefined()
  })
})
