/** A malicious rich-text document, as a value, or as JSON text if serialization would normalize it. */
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

/** URLs that run scripts, read local files or mislead users. */
const ADDRESSES: readonly (readonly [what: string, href: string])[] = [
  ['javascript: URL', 'javascript:alert(1)'],
  ['mixed case', 'JaVaScRiPt:alert(1)'],
  ['tab in the scheme', 'java\tscript:alert(1)'],
  ['line break in the scheme', 'java\nscript:alert(1)'],
  ['leading space', ' javascript:alert(1)'],
  ['leading control character', '\u0001javascript:alert(1)'],
  ['zero-width character', 'java\u200bscript:alert(1)'],
  ['full-width characters', 'ｊａｖａｓｃｒｉｐｔ：alert(1)'],
  ['long s', 'java\u017fcript:alert(1)'],
  ['HTML entities', '&#106;avascript:alert(1)'],
  ['percent-encoded', 'javascript%3Aalert(1)'],
  ['data: URL of a page', 'data:text/html,<script>alert(1)</script>'],
  ['data: URL of an SVG', 'data:image/svg+xml,<svg onload=alert(1)>'],
  ['vbscript: URL', 'vbscript:msgbox(1)'],
  ['blob: URL', 'blob:https://example.org/1'],
  ['file: URL', 'file:///etc/passwd'],
  ['view-source: URL', 'view-source:https://example.org/'],
  ['no scheme', '//example.org/'],
  ['no scheme, backslashes', '\\\\example.org\\'],
  ['relative URL', '/api/auth/logout'],
  ['no host', 'https:///example.org'],
  ['lone surrogate', 'https://example.org/\ud800'],
  ['right-to-left override', 'https://example.org/\u202egpj.exe'],
  ['URL with 3,000 characters', `https://example.org/${'a'.repeat(3000)}`],
]

/** Documents that can't be created in the editor. */
const DOCUMENTS: readonly HostileDocument[] = [
  ...ADDRESSES.map(([what, href]) => ({ what: `link: ${what}`, body: link(href) })),
  { what: 'link: array as a URL', body: link(['javascript:alert(1)']) },
  { what: 'link: object as a URL', body: link({ toString: 'javascript:alert(1)' }) },
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
  { what: 'script node', body: doc({ type: 'script', content: [words('alert(1)')] }) },
  { what: 'HTML node', body: doc({ type: 'html', attrs: { html: '<script>alert(1)</script>' } }) },
  { what: 'iframe node', body: doc({ type: 'iframe', attrs: { src: 'https://example.org/' } }) },
  {
    what: 'unknown mark',
    body: doc(paragraph(words('x', { type: 'textStyle', attrs: { color: 'red;}*{x:y' } }))),
  },
  {
    what: '1,000 marks',
    body: doc(paragraph(words('x', ...Array.from({ length: 1000 }, () => ({ type: 'bold' }))))),
  },
  { what: 'node named constructor', body: doc({ type: 'constructor' }) },
  { what: 'mark named toString', body: doc(paragraph(words('x', { type: 'toString' }))) },
  {
    what: '__proto__ key',
    json: '{"type":"doc","__proto__":{"content":[]},"content":[{"type":"paragraph","attrs":{"__proto__":{"indent":3}}}]}',
  },
  {
    what: 'constructor key',
    json: '{"type":"doc","constructor":{"prototype":{"isAdmin":true}},"content":[{"type":"paragraph"}]}',
  },
  { what: 'duplicate keys', json: '{"type":"doc","content":[{"type":"paragraph"}],"type":"script"}' },
  { what: 'content is a string', body: { type: 'doc', content: '<script>' } },
  { what: 'content is an object', body: { type: 'doc', content: { length: 1, 0: paragraph() } } },
  { what: 'text is an array', body: doc(paragraph(words(['<script>']))) },
  { what: 'text is an object', body: doc(paragraph(words({ toString: '<script>' }))) },
  { what: 'type is an array', body: doc({ type: ['paragraph'] }) },
  { what: 'marks are a string', body: doc(paragraph({ type: 'text', text: 'x', marks: 'bold' })) },
  { what: 'attributes are an array', body: doc({ type: 'heading', attrs: ['level', 1] }) },
  { what: 'HTML in a level', body: doc({ type: 'heading', attrs: { level: '1><script>' } }) },
  { what: 'infinite indent', json: '{"type":"doc","content":[{"type":"paragraph","attrs":{"indent":1e999}}]}' },
  {
    what: 'negative start',
    body: doc({ type: 'orderedList', attrs: { start: -1 }, content: [{ type: 'listItem', content: [paragraph()] }] }),
  },
  {
    what: 'lone surrogate',
    json: '{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"a\\ud800b"}]}]}',
  },
  {
    what: 'null character',
    json: '{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"a\\u0000b"}]}]}',
  },
  { what: 'text that looks like HTML', body: doc(paragraph(words('</p><img src=x onerror=alert(1)><!--'))) },
  {
    what: 'code with closing tags',
    body: doc({
      type: 'codeBlock',
      attrs: { language: 'js' },
      content: [{ type: 'text', text: '</code></pre><script>alert(1)</script>' }],
    }),
  },
  {
    what: 'HTML in a code language',
    body: doc({ type: 'codeBlock', attrs: { language: 'js" onload="alert(1)' } }),
  },
  {
    what: 'external image',
    body: doc({ type: 'image', attrs: { src: 'https://example.org/who-reads.png' } }),
  },
  { what: 'image ID is a path', body: doc({ type: 'image', attrs: { file: '../auth/logout' } }) },
  {
    what: 'missing image',
    body: doc({ type: 'image', attrs: { file: ID, alt: '"><script>alert(1)</script>' } }),
  },
  { what: 'file ID is a URL', body: doc({ type: 'file', attrs: { file: 'javascript:alert(1)' } }) },
  {
    what: 'mention with a name',
    body: doc(paragraph({ type: 'mention', attrs: { kind: 'user', id: ID, label: '<img src=x onerror=alert(1)>' } })),
  },
  {
    what: 'mention of a system table',
    body: doc(paragraph({ type: 'mention', attrs: { kind: 'record', id: ID, collection: 'users; drop table' } })),
  },
  {
    what: 'cell spanning a million columns',
    body: doc({
      type: 'table',
      content: [
        { type: 'tableRow', content: [{ type: 'tableCell', attrs: { colspan: 1_000_000 }, content: [paragraph()] }] },
      ],
    }),
  },
  {
    what: 'rows of different lengths',
    body: doc({
      type: 'table',
      content: [1, 2].map((length) => ({
        type: 'tableRow',
        content: Array.from({ length }, () => ({ type: 'tableCell', content: [paragraph()] })),
      })),
    }),
  },
  { what: 'nested document', body: doc(doc(paragraph())) },
  {
    what: 'quotes nested 10,000 deep',
    json: within(10_000, '{"type":"blockquote","content":[', '', ']}')
      .replace(/^/, '{"type":"doc","content":[')
      .replace(/$/, ']}'),
  },
  { what: 'lists nested 100,000 deep', json: `{"type":"doc","content":${within(100_000, '[{"content":', '1', '}]')}}` },
  { what: '60,000 paragraphs', body: doc(...Array.from({ length: 60_000 }, () => ({ type: 'paragraph' }))) },
  { what: '2,000,000 characters', body: doc(paragraph(words('x'.repeat(2_000_000)))) },
  { what: '50 MB', json: JSON.stringify(doc(paragraph(words('x'.repeat(50_000_000))))) },
]

/** HTML that has bypassed other sanitizers or is slow to parse. */
const HTML: readonly HostileDocument[] = [
  html('complete and malformed scripts', '<script>alert(1)</script><scr<script>ipt>alert(1)</scr</script>ipt>a'),
  html(
    'event handlers',
    '<p onclick=alert(1)>a<img src=x onerror=alert(1)><b onmouseover="alert(1)">b</b><details open ontoggle=alert(1)>c',
  ),
  html('link with entities', '<a href="&#x6A;avascript&colon;alert(1)">a</a><a href="java&Tab;script:alert(1)">b</a>'),
  html(
    'active styles',
    '<p style="background:url(javascript:alert(1));position:fixed;width:expression(alert(1))">a</p><style>@import "//x"</style>',
  ),
  html('the app’s classes and IDs', '<div id="root" class="document toolbar" data-indent="99">a</div>'),
  html(
    'DOM clobbering',
    '<form name="cookie"><input name="getElementById"><img name="body"></form><a id="location">a</a>',
  ),
  html(
    'frames, objects and nested pages',
    '<iframe srcdoc="<script>alert(1)</script>">b</iframe><object data="x">c</object><embed src=x><base href="//x"><meta http-equiv=refresh content="0;//x">a',
  ),
  html(
    'SVG with a script',
    '<svg><script>alert(1)</script><a xlink:href="javascript:alert(1)"><text>b</text></a></svg>a',
  ),
  html('SVG with an onload handler', '<svg/onload=alert(1)>a'),
  html('HTML inside SVG', '<svg><foreignObject><p onclick=alert(1)>b</p></foreignObject></svg>a'),
  html(
    'HTML inside MathML',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  ),
  html('MathML and a form', '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>'),
  html('SVG and a paragraph', '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">'),
  html('noscript', '<noscript><p title="</noscript><img src=x onerror=alert(1)>">a'),
  html('textarea', '<textarea></textarea><img src=x onerror=alert(1)></textarea>a'),
  html('title', '<title><p title="</title><img src=x onerror=alert(1)>">a'),
  html('plaintext', 'a<plaintext><script>alert(1)</script>'),
  html('template', '<template><script>alert(1)</script></template>a'),
  html('comments that end early', '<!--><img src=x onerror=alert(1)>--><!--!><p>a<![CDATA[<script>]]>'),
  html('select', '<select><option><script>alert(1)</script></select><p>a'),
  html('foster-parented table content', '<table><a href="javascript:alert(1)">a<tr><td>b'),
  html(
    'external images',
    '<img src="https://example.org/who.png" alt="who"><img src="data:image/svg+xml,<svg onload=alert(1)>" alt="what"><picture><source srcset="//x"></picture>',
  ),
  html(
    'invalid file reference',
    `<img data-file="x" src="/api/auth/logout" alt="a"><a data-file="${ID}x" href="javascript:alert(1)">b</a>`,
  ),
  html('mention with a script', `<span data-mention="user" data-id="${ID}"><script>alert(1)</script></span>`),
  html('null character', 'a\0<scr\0ipt>alert(1)</script>b<img alt="\0">'),
  html('lone surrogate', 'a\ud800b'),
  html('cell spanning a million cells', '<table><tr><td colspan=1000000 rowspan=1000000>a</td></tr></table>'),
  html('1,000 merged cells', `<table>${'<tr><td colspan=1000 rowspan=1000>a'.repeat(1000)}</table>`),
  html('divs nested 100,000 deep', '<div>'.repeat(100_000)),
  html('bold nested 50,000 deep', '<b>'.repeat(50_000)),
  html('unclosed nested links', '<a href="https://example.org/"><p>'.repeat(20_000)),
  html('20,000 attributes', `<p ${Array.from({ length: 20_000 }, (_, nth) => `a${nth}`).join(' ')}>a`),
  html('5 MB attribute', `<p title="${'x'.repeat(5_000_000)}">a`),
  html('100,000 formatted words', '<b>a</b>b'.repeat(100_000)),
  html('60,000 lines', '<p>a'.repeat(60_000)),
  html('forms in tables nested 10,000 deep', '<table><tr><td><form>'.repeat(10_000)),
]

/** Markdown that has bypassed other parsers or is slow to parse. */
const MARKDOWN: readonly HostileDocument[] = [
  markdown(
    'javascript: links',
    '[a](javascript:alert(1)) [b](<java\nscript:alert(1)>) [c](JAVASCRIPT&colon;alert(1)) [d][1] <javascript:alert(1)>\n\n[1]: data:text/html,x',
  ),
  markdown(
    'javascript: images',
    '![a](javascript:alert(1)) ![b](data:image/svg+xml,x) ![c](https://example.org/who.png "x\\" onerror=alert(1)")',
  ),
  markdown('embedded HTML', 'a <script>alert(1)</script>\n\n<img src=x onerror=alert(1)>\n\n<svg/onload=alert(1)>'),
  markdown('HTML in a code language', '``` js"><script>alert(1)</script>\na\n```'),
  markdown('quotes nested 100,000 deep', '> '.repeat(100_000)),
  markdown('lists nested 1,000 deep', Array.from({ length: 1000 }, (_, nth) => `${' '.repeat(2 * nth)}- a`).join('\n')),
  markdown('unclosed emphasis', '*a_'.repeat(30_000)),
  markdown('unclosed brackets', '['.repeat(20_000)),
  markdown('nested images', '!['.repeat(10_000)),
  markdown('backticks of every length', Array.from({ length: 2000 }, (_, nth) => '`'.repeat(nth)).join(' ')),
  markdown('reference link used 50,000 times', `[a]: https://example.org/\n\n${'[a]'.repeat(50_000)}`),
  markdown('table with 100,000 rows', `|a|b|\n|-|-|\n${'|c|d|\n'.repeat(100_000)}`),
  markdown('table with 10,000 columns', `${'|a'.repeat(10_000)}|\n${'|-'.repeat(10_000)}|`),
  markdown('unclosed comments', '<!-- a '.repeat(20_000)),
]

export const HOSTILE_DOCUMENTS: readonly HostileDocument[] = [...DOCUMENTS, ...HTML, ...MARKDOWN]
