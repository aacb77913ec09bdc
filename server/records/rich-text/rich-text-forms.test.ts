import { describe, expect, test } from 'vitest'
import { checkDocument } from '#domain/rich-text/check-document.ts'
import type { RichMark, RichNode } from '#domain/rich-text/document-schema.ts'
import { printHtml } from '#domain/rich-text/print-html.ts'
import { printMarkdown } from '#domain/rich-text/print-markdown.ts'
import { readHtml } from './html/read-html.ts'
import { readMarkdown } from './rich-text-worker.ts'

const text = (words: string, ...marks: RichMark[]): RichNode => ({
  type: 'text',
  ...(marks.length > 0 && { marks }),
  text: words,
})
const paragraph = (...content: RichNode[]): RichNode => ({ type: 'paragraph', ...(content.length > 0 && { content }) })
const row = (...cells: RichNode[]): RichNode => ({ type: 'tableRow', content: cells })
const cell = (type: 'tableHeader' | 'tableCell', ...content: RichNode[]): RichNode => ({
  type,
  content: [paragraph(...content)],
})
const list = (type: 'bulletList' | 'taskList', ...items: RichNode[]): RichNode => ({ type, content: items })
const item = (type: 'listItem' | 'taskItem', isChecked: boolean, words: RichNode, more: RichNode[] = []): RichNode => ({
  type,
  ...(isChecked && { attrs: { checked: true } }),
  content: [paragraph(words), ...more],
})
const doc = (...content: RichNode[]): RichNode => ({ type: 'doc', content })

const BOLD = { type: 'bold' } as const
const ITALIC = { type: 'italic' } as const
const BREAK = { type: 'hardBreak' } as const
const ID = '01k9x0000000000000000000aa'
const UNDERLINE = { type: 'underline' } as const
const link = (href: string): RichMark => ({ type: 'link', attrs: { href } })
const LINK = link('https://example.org/a?b=1&c=(2)*_')

const checked = (draft: RichNode | undefined): RichNode => {
  const result = checkDocument(draft)
  if (!result.ok) throw new Error(result.fault.message)
  return result.value
}

describe('a document as HTML and as Markdown', () => {
  test('keeps special characters at the end of headings', () => {
    const heading: RichNode = { type: 'heading', attrs: { level: 1 }, content: [text('C# and ##')] }
    expect(printMarkdown(doc(heading))).toBe('# C# and \\##')
    expect(checked(readMarkdown('# C# and \\##'))).toEqual(doc(heading))
  })

  test('is printed with all of its content', () => {
    const table: RichNode = {
      type: 'table',
      content: [
        row(cell('tableHeader', text('a|b')), cell('tableHeader')),
        row(
          { type: 'tableCell', content: [paragraph(text('c')), paragraph(text('d'))] },
          cell('tableCell', text('e', { type: 'code' })),
        ),
      ],
    }
    const document = doc(
      list('taskList', item('taskItem', true, text('done')), item('taskItem', false, text('open'))),
      { type: 'blockquote', content: [paragraph(text('said')), paragraph(text('gone', { type: 'strike' }))] },
      { type: 'codeBlock', attrs: { language: 'ts' }, content: [text('let a\n\nlet b')] },
      { type: 'horizontalRule' },
      table,
      { type: 'image', attrs: { file: ID, alt: 'A gull' } },
      { type: 'file', attrs: { file: ID } },
      paragraph({ type: 'mention', attrs: { kind: 'user', id: ID } }),
    )
    expect(printMarkdown(document, () => 'Anna')).toBe(
      [
        '- [x] done',
        '- [ ] open',
        '',
        '> said',
        '>',
        '> ~~gone~~',
        '',
        '```ts',
        'let a',
        '',
        'let b',
        '```',
        '',
        '---',
        '',
        '| a\\|b |  |',
        '| --- | --- |',
        '| c<br>d | `e` |',
        '',
        `![A gull](/api/files/${ID})`,
        '',
        `[file](/api/files/${ID})`,
        '',
        `[@Anna](/api/users/${ID})`,
      ].join('\n'),
    )
    expect(printHtml(document)).toBe(
      '<ul data-type="taskList"><li data-type="taskItem" data-checked="true"><input type="checkbox" disabled checked><p>done</p></li>' +
        '<li data-type="taskItem" data-checked="false"><input type="checkbox" disabled><p>open</p></li></ul>' +
        '<blockquote><p>said</p><p><s>gone</s></p></blockquote>' +
        '<pre><code class="language-ts">let a\n\nlet b</code></pre><hr>' +
        '<table><tbody><tr><th><p>a|b</p></th><th><p></p></th></tr>' +
        '<tr><td><p>c</p><p>d</p></td><td><p><code>e</code></p></td></tr></tbody></table>' +
        `<img data-file="${ID}" src="/api/files/${ID}" alt="A gull">` +
        `<p><a data-file="${ID}" href="/api/files/${ID}">file</a></p>` +
        `<p><span data-mention="user" data-id="${ID}">@user</span></p>`,
    )
  })

  test('is printed in conventional Markdown style', () => {
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

describe('Markdown from other tools', () => {
  test.each([
    [
      'tasks, and what only looks like one',
      '- [x] done\n- [ ] open\n\n      code\n- \\[ ] words\n- [y] no box',
      [
        list(
          'taskList',
          item('taskItem', true, text('done')),
          item('taskItem', false, text('open'), [{ type: 'codeBlock', content: [text('code')] }]),
        ),
        list('bulletList', item('listItem', false, text('[ ] words')), item('listItem', false, text('[y] no box'))),
      ],
    ],
    [
      'a table',
      '| a | b |\n|:--|--:|\n| `c\\|d` | ~~e~~ |\n| f |',
      [
        {
          type: 'table',
          content: [
            row(cell('tableHeader', text('a')), cell('tableHeader', text('b'))),
            row(cell('tableCell', text('c|d', { type: 'code' })), cell('tableCell', text('e', { type: 'strike' }))),
            row(cell('tableCell', text('f')), cell('tableCell')),
          ],
        },
      ],
    ],
    [
      'code between fences',
      '~~~ Python extra\n<b>\n\n~~~',
      [{ type: 'codeBlock', attrs: { language: 'python' }, content: [text('<b>\n')] }],
    ],
    [
      'an address with letters of its own',
      '[a](https://example.org/ä)',
      [paragraph(text('a', link('https://example.org/ä')))],
    ],
  ] satisfies [string, string, RichNode[]][])('%s', (_name, markdown, content) => {
    expect(checked(readMarkdown(markdown))).toEqual(doc(...content))
  })
})

describe('HTML from other tools', () => {
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
      'a table with merged cells, and rows that end early',
      '<table><caption>Sightings</caption><tr><th colspan="2">a</th><td rowspan="2">b<br>c</td></tr><tr><td><ul><li>d</li></ul></td></tr><tr><td colspan="100">e</td></tr></table>',
      [
        paragraph(text('Sightings')),
        {
          type: 'table',
          content: [
            row(cell('tableHeader', text('a')), cell('tableHeader'), cell('tableCell', text('b'), BREAK, text('c'))),
            row(cell('tableCell', text('d')), cell('tableCell'), cell('tableCell')),
            row(cell('tableCell', text('e')), cell('tableCell'), cell('tableCell')),
          ],
        },
      ],
    ],
    [
      'a table where there can be none, each cell on a line',
      '<ul><li><table><tr><td>a</td><td>b</td></tr></table></li></ul>',
      [list('bulletList', item('listItem', false, text('a'), [paragraph(text('b'))]))],
    ],
    [
      'tasks as GitHub, Google Docs and Tiptap write them, and items among them',
      '<ul><li class="task-list-item"><input type="checkbox" checked> a</li><li><p><input type="checkbox"> b</p></li><li>c</li>' +
        '<li role="checkbox" aria-checked="true">d</li><li data-checked="false"><label><input type="checkbox"></label><div><p>e</p></div></li></ul>',
      [
        list('taskList', item('taskItem', true, text('a')), item('taskItem', false, text('b'))),
        list('bulletList', item('listItem', false, text('c'))),
        list('taskList', item('taskItem', true, text('d')), item('taskItem', false, text('e'))),
      ],
    ],
    [
      'code with its lines, and its language where it is one',
      '<pre class="highlight"><code class="hljs language-TS">a\n  <b>b</b>;\n</code></pre><pre data-language="on load=">c<br>d</pre><p><kbd>e</kbd></p>',
      [
        { type: 'codeBlock', attrs: { language: 'ts' }, content: [text('a\n  b;')] },
        { type: 'codeBlock', content: [text('c\nd')] },
        paragraph(text('e', { type: 'code' })),
      ],
    ],
    [
      'words that are struck out, however that is said',
      '<del>a</del><s>b</s><span style="text-decoration: line-through">c</span>',
      [paragraph(text('abc', { type: 'strike' }))],
    ],
    [
      'a quote with a heading, and a line across outside of it',
      '<blockquote><h2>a</h2>b<hr></blockquote><hr>',
      [
        {
          type: 'blockquote',
          content: [{ type: 'heading', attrs: { level: 2 }, content: [text('a')] }, paragraph(text('b'))],
        },
        { type: 'horizontalRule' },
      ],
    ],
    [
      'pictures from elsewhere, as links by their words, and those that are in it as words alone',
      '<p>a <img src="https://example.org/a?b=1&c=(2)*_" alt="gull"><img src="https://example.org/a?b=1&c=(2)*_"><img src="data:image/png;base64,AA" alt="dot"></p>',
      [paragraph(text('a '), text('gullhttps://example.org/a?b=1&c=(2)*_', LINK), text('dot'))],
    ],
    [
      'pictures, files and mentions of ours, by their ids or by their addresses',
      `<p>a <img data-file="${ID}" width="50%" alt="gull"> <a href="/api/files/${ID}">scan</a> <span data-mention="user" data-id="${ID}">@Anna</span>` +
        `<a href="/api/collections/${ID}/records/${ID}">b</a></p><span data-mention="user" data-id="x">@Bo</span>`,
      [
        paragraph(text('a')),
        { type: 'image', attrs: { file: ID, alt: 'gull', width: 50 } },
        { type: 'file', attrs: { file: ID } },
        paragraph(
          { type: 'mention', attrs: { kind: 'user', id: ID } },
          { type: 'mention', attrs: { kind: 'record', id: ID, collection: ID } },
        ),
        paragraph(text('@Bo')),
      ],
    ],
    ['nothing at all', ' <!-- nothing --> ', [paragraph()]],
  ] satisfies [string, string, RichNode[]][])('%s', (_name, html, content) => {
    expect(checked(readHtml(html))).toEqual(doc(...content))
  })

  test('is rejected if nested too deeply', () => {
    expect(readHtml('<div>'.repeat(10_000))).toBeUndefined()
    expect(readMarkdown('> '.repeat(10_000))).toBeUndefined()
  })
})
