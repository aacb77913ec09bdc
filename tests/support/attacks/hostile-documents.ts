/** Something that is sent in the place of a rich text: a value, or the text of the value where JSON would tidy it up. */
export type HostileDocument = { readonly what: string } & ({ readonly body: unknown } | { readonly json: string })

const ID = '01k9x0000000000000000000aa'

const doc = (...content: unknown[]) => ({ type: 'doc', content })
const paragraph = (...content: unknown[]) => ({ type: 'paragraph', content })
const words = (text: unknown, ...marks: unknown[]) => ({ type: 'text', text, marks })
const link = (href: unknown) => doc(paragraph(words('press here', { type: 'link', attrs: { href } })))
const html = (what: string, text: string): HostileDocument => ({ what: `HTML: ${what}`, body: { html: text } })
const markdown = (what: string, text: string): HostileDocument => ({
  what: `Markdown: ${what}`,
  body: { markdown: text },
})
const within = (depth: number, open: string, inner: string, close: string): string =>
  open.repeat(depth) + inner + close.repeat(depth)

/** Addresses that run, read or mislead, however they are written. */
const ADDRESSES: readonly (readonly [what: string, href: string])[] = [
  ['a script', 'javascript:alert(1)'],
  ['a script in mixed letters', 'JaVaScRiPt:alert(1)'],
  ['a script with a tab in it', 'java\tscript:alert(1)'],
  ['a script with a line break in it', 'java\nscript:alert(1)'],
  ['a script behind a space', ' javascript:alert(1)'],
  ['a script behind a control character', '\u0001javascript:alert(1)'],
  ['a script with an invisible character', 'java\u200bscript:alert(1)'],
  ['a script in wide letters', 'ｊａｖａｓｃｒｉｐｔ：alert(1)'],
  ['a script with a long s', 'java\u017fcript:alert(1)'],
  ['a script written with entities', '&#106;avascript:alert(1)'],
  ['a script written with percents', 'javascript%3Aalert(1)'],
  ['a page of data', 'data:text/html,<script>alert(1)</script>'],
  ['a picture of data that runs', 'data:image/svg+xml,<svg onload=alert(1)>'],
  ['a script of another kind', 'vbscript:msgbox(1)'],
  ['a blob', 'blob:https://example.org/1'],
  ['a file', 'file:///etc/passwd'],
  ['the source of a page', 'view-source:https://example.org/'],
  ['an address without a scheme', '//example.org/'],
  ['an address without a scheme, leaning back', '\\\\example.org\\'],
  ['an address beside the page', '/api/auth/logout'],
  ['no host', 'https:///example.org'],
  ['half a character', 'https://example.org/\ud800'],
  ['a direction that turns around', 'https://example.org/\u202egpj.exe'],
  ['an address of 3,000 letters', `https://example.org/${'a'.repeat(3000)}`],
]

/** Documents that no editor makes. */
const DOCUMENTS: readonly HostileDocument[] = [
  ...ADDRESSES.map(([what, href]) => ({ what: `link: ${what}`, body: link(href) })),
  { what: 'link: a list for an address', body: link(['javascript:alert(1)']) },
  { what: 'link: an object for an address', body: link({ toString: 'javascript:alert(1)' }) },
  {
    what: 'link: handlers, classes, styles, targets',
    body: doc(
      paragraph(
        words('x', {
          type: 'link',
          attrs: {
            href: 'https://example.org/',
            onclick: 'alert(1)',
            class: 'button',
            style: 'position:fixed',
            target: '_top',
            id: 'root',
          },
        }),
      ),
    ),
  },
  { what: 'a script as a node', body: doc({ type: 'script', content: [words('alert(1)')] }) },
  { what: 'HTML as a node', body: doc({ type: 'html', attrs: { html: '<script>alert(1)</script>' } }) },
  { what: 'a frame as a node', body: doc({ type: 'iframe', attrs: { src: 'https://example.org/' } }) },
  {
    what: 'a mark nobody knows',
    body: doc(paragraph(words('x', { type: 'textStyle', attrs: { color: 'red;}*{x:y' } }))),
  },
  {
    what: 'a thousand marks',
    body: doc(paragraph(words('x', ...Array.from({ length: 1000 }, () => ({ type: 'bold' }))))),
  },
  { what: 'a node named like what all objects have', body: doc({ type: 'constructor' }) },
  { what: 'a mark named like what all objects have', body: doc(paragraph(words('x', { type: 'toString' }))) },
  {
    what: 'a prototype, put in by its name',
    json: '{"type":"doc","__proto__":{"content":[]},"content":[{"type":"paragraph","attrs":{"__proto__":{"indent":3}}}]}',
  },
  {
    what: 'a constructor, put in by its name',
    json: '{"type":"doc","constructor":{"prototype":{"isAdmin":true}},"content":[{"type":"paragraph"}]}',
  },
  { what: 'keys that come twice', json: '{"type":"doc","content":[{"type":"paragraph"}],"type":"script"}' },
  { what: 'content that is a text', body: { type: 'doc', content: '<script>' } },
  { what: 'content that is an object', body: { type: 'doc', content: { length: 1, 0: paragraph() } } },
  { what: 'a text that is a list', body: doc(paragraph(words(['<script>']))) },
  { what: 'a text that is an object', body: doc(paragraph(words({ toString: '<script>' }))) },
  { what: 'a type that is a list', body: doc({ type: ['paragraph'] }) },
  { what: 'marks that are a text', body: doc(paragraph({ type: 'text', text: 'x', marks: 'bold' })) },
  { what: 'attributes that are a list', body: doc({ type: 'heading', attrs: ['level', 1] }) },
  { what: 'a level of its own', body: doc({ type: 'heading', attrs: { level: '1><script>' } }) },
  { what: 'an indent without end', json: '{"type":"doc","content":[{"type":"paragraph","attrs":{"indent":1e999}}]}' },
  {
    what: 'a start below nothing',
    body: doc({ type: 'orderedList', attrs: { start: -1 }, content: [{ type: 'listItem', content: [paragraph()] }] }),
  },
  {
    what: 'half a character',
    json: '{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"a\\ud800b"}]}]}',
  },
  {
    what: 'the character of code 0',
    json: '{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"a\\u0000b"}]}]}',
  },
  { what: 'words that look like HTML', body: doc(paragraph(words('</p><img src=x onerror=alert(1)><!--'))) },
  {
    what: 'code that ends its own frame',
    body: doc({
      type: 'codeBlock',
      attrs: { language: 'js' },
      content: [{ type: 'text', text: '</code></pre><script>alert(1)</script>' }],
    }),
  },
  {
    what: 'code in a language that breaks out',
    body: doc({ type: 'codeBlock', attrs: { language: 'js" onload="alert(1)' } }),
  },
  {
    what: 'a picture from elsewhere',
    body: doc({ type: 'image', attrs: { src: 'https://example.org/who-reads.png' } }),
  },
  { what: 'a picture whose id is a path', body: doc({ type: 'image', attrs: { file: '../auth/logout' } }) },
  {
    what: 'a picture that is not there',
    body: doc({ type: 'image', attrs: { file: ID, alt: '"><script>alert(1)</script>' } }),
  },
  { what: 'a file whose id is an address', body: doc({ type: 'file', attrs: { file: 'javascript:alert(1)' } }) },
  {
    what: 'a mention that brings its name',
    body: doc(paragraph({ type: 'mention', attrs: { kind: 'user', id: ID, label: '<img src=x onerror=alert(1)>' } })),
  },
  {
    what: 'a mention of a table',
    body: doc(paragraph({ type: 'mention', attrs: { kind: 'record', id: ID, collection: 'users; drop table' } })),
  },
  {
    what: 'a table of a million cells',
    body: doc({
      type: 'table',
      content: [
        { type: 'tableRow', content: [{ type: 'tableCell', attrs: { colspan: 1_000_000 }, content: [paragraph()] }] },
      ],
    }),
  },
  {
    what: 'rows that differ in length',
    body: doc({
      type: 'table',
      content: [1, 2].map((length) => ({
        type: 'tableRow',
        content: Array.from({ length }, () => ({ type: 'tableCell', content: [paragraph()] })),
      })),
    }),
  },
  { what: 'a document in a document', body: doc(doc(paragraph())) },
  {
    what: 'quotes 10,000 deep',
    json: within(10_000, '{"type":"blockquote","content":[', '', ']}')
      .replace(/^/, '{"type":"doc","content":[')
      .replace(/$/, ']}'),
  },
  { what: 'lists 100,000 deep', json: `{"type":"doc","content":${within(100_000, '[{"content":', '1', '}]')}}` },
  { what: '60,000 paragraphs', body: doc(...Array.from({ length: 60_000 }, () => ({ type: 'paragraph' }))) },
  { what: 'two million letters', body: doc(paragraph(words('x'.repeat(2_000_000)))) },
  { what: '50 MB', json: JSON.stringify(doc(paragraph(words('x'.repeat(50_000_000))))) },
]

/** HTML that has got through other sanitizers, or holds up whoever reads it. */
const HTML: readonly HostileDocument[] = [
  html('scripts, whole and broken', '<script>alert(1)</script><scr<script>ipt>alert(1)</scr</script>ipt>a'),
  html(
    'handlers',
    '<p onclick=alert(1)>a<img src=x onerror=alert(1)><b onmouseover="alert(1)">b</b><details open ontoggle=alert(1)>c',
  ),
  html(
    'a link with entities',
    '<a href="&#x6A;avascript&colon;alert(1)">a</a><a href="java&Tab;script:alert(1)">b</a>',
  ),
  html(
    'styles that act',
    '<p style="background:url(javascript:alert(1));position:fixed;width:expression(alert(1))">a</p><style>@import "//x"</style>',
  ),
  html('classes and ids of ours', '<div id="root" class="document toolbar" data-indent="99">a</div>'),
  html(
    'names that hide what all pages have',
    '<form name="cookie"><input name="getElementById"><img name="body"></form><a id="location">a</a>',
  ),
  html(
    'frames, objects and pages in pages',
    '<iframe srcdoc="<script>alert(1)</script>">b</iframe><object data="x">c</object><embed src=x><base href="//x"><meta http-equiv=refresh content="0;//x">a',
  ),
  html(
    'a drawing with a script',
    '<svg><script>alert(1)</script><a xlink:href="javascript:alert(1)"><text>b</text></a></svg>a',
  ),
  html('a drawing that loads', '<svg/onload=alert(1)>a'),
  html('a drawing that brings HTML', '<svg><foreignObject><p onclick=alert(1)>b</p></foreignObject></svg>a'),
  html(
    'a formula that brings HTML',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  ),
  html('a formula and a form', '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>'),
  html('a drawing and a paragraph', '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">'),
  html('words without scripts', '<noscript><p title="</noscript><img src=x onerror=alert(1)>">a'),
  html('a text field', '<textarea></textarea><img src=x onerror=alert(1)></textarea>a'),
  html('a title', '<title><p title="</title><img src=x onerror=alert(1)>">a'),
  html('plain words without end', 'a<plaintext><script>alert(1)</script>'),
  html('a template', '<template><script>alert(1)</script></template>a'),
  html('comments that end early', '<!--><img src=x onerror=alert(1)>--><!--!><p>a<![CDATA[<script>]]>'),
  html('a select', '<select><option><script>alert(1)</script></select><p>a'),
  html('a table that throws out what is in it', '<table><a href="javascript:alert(1)">a<tr><td>b'),
  html(
    'pictures from elsewhere',
    '<img src="https://example.org/who.png" alt="who"><img src="data:image/svg+xml,<svg onload=alert(1)>" alt="what"><picture><source srcset="//x"></picture>',
  ),
  html(
    'a file that is none of ours',
    `<img data-file="x" src="/api/auth/logout" alt="a"><a data-file="${ID}x" href="javascript:alert(1)">b</a>`,
  ),
  html('a mention with a script', `<span data-mention="user" data-id="${ID}"><script>alert(1)</script></span>`),
  html('the character of code 0', 'a\0<scr\0ipt>alert(1)</script>b<img alt="\0">'),
  html('half a character', 'a\ud800b'),
  html('a merged cell of a million', '<table><tr><td colspan=1000000 rowspan=1000000>a</td></tr></table>'),
  html('a thousand merged cells', `<table>${'<tr><td colspan=1000 rowspan=1000>a'.repeat(1000)}</table>`),
  html('divisions 100,000 deep', '<div>'.repeat(100_000)),
  html('bold 50,000 deep', '<b>'.repeat(50_000)),
  html('links in links, never ended', '<a href="https://example.org/"><p>'.repeat(20_000)),
  html('20,000 attributes', `<p ${Array.from({ length: 20_000 }, (_, nth) => `a${nth}`).join(' ')}>a`),
  html('an attribute of 5 MB', `<p title="${'x'.repeat(5_000_000)}">a`),
  html('100,000 words that are set', '<b>a</b>b'.repeat(100_000)),
  html('60,000 lines', '<p>a'.repeat(60_000)),
  html('forms in tables, 10,000 deep', '<table><tr><td><form>'.repeat(10_000)),
]

/** Markdown that has got through other readers, or holds up whoever reads it. */
const MARKDOWN: readonly HostileDocument[] = [
  markdown(
    'links that run',
    '[a](javascript:alert(1)) [b](<java\nscript:alert(1)>) [c](JAVASCRIPT&colon;alert(1)) [d][1] <javascript:alert(1)>\n\n[1]: data:text/html,x',
  ),
  markdown(
    'pictures that run',
    '![a](javascript:alert(1)) ![b](data:image/svg+xml,x) ![c](https://example.org/who.png "x\\" onerror=alert(1)")',
  ),
  markdown('HTML in it', 'a <script>alert(1)</script>\n\n<img src=x onerror=alert(1)>\n\n<svg/onload=alert(1)>'),
  markdown('code in a language that breaks out', '``` js"><script>alert(1)</script>\na\n```'),
  markdown('quotes 100,000 deep', '> '.repeat(100_000)),
  markdown('lists 1,000 deep', Array.from({ length: 1000 }, (_, nth) => `${' '.repeat(2 * nth)}- a`).join('\n')),
  markdown('emphasis that never ends', '*a_'.repeat(30_000)),
  markdown('brackets that never close', '['.repeat(20_000)),
  markdown('pictures in pictures', '!['.repeat(10_000)),
  markdown('ticks of every length', Array.from({ length: 2000 }, (_, nth) => '`'.repeat(nth)).join(' ')),
  markdown('names for links, used without end', `[a]: https://example.org/\n\n${'[a]'.repeat(50_000)}`),
  markdown('a table of 100,000 rows', `|a|b|\n|-|-|\n${'|c|d|\n'.repeat(100_000)}`),
  markdown('a table of 10,000 columns', `${'|a'.repeat(10_000)}|\n${'|-'.repeat(10_000)}|`),
  markdown('comments that never end', '<!-- a '.repeat(20_000)),
]

/** Everything that is tried. */
export const HOSTILE_DOCUMENTS: readonly HostileDocument[] = [...DOCUMENTS, ...HTML, ...MARKDOWN]
