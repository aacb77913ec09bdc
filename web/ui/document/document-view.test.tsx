import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { DocumentNode, RichTextDocument } from './embeds.tsx'
import { DocumentView } from './document-view.tsx'

function shown(...content: DocumentNode[]): string {
  return renderToStaticMarkup(<DocumentView document={{ type: 'doc', content }} />)
}

const words = (text: string, ...marks: NonNullable<DocumentNode['marks']>): DocumentNode => ({
  type: 'text',
  text,
  marks,
})

describe('a stored document', () => {
  test('shows headings, marks, lists, indents and breaks', () => {
    const html = shown(
      { type: 'heading', attrs: { level: 2 }, content: [words('Title')] },
      {
        type: 'paragraph',
        attrs: { indent: 3 },
        content: [
          words('bold', { type: 'bold' }, { type: 'italic' }),
          { type: 'hardBreak' },
          words('u', { type: 'underline' }),
        ],
      },
      {
        type: 'orderedList',
        attrs: { start: 4 },
        content: [{ type: 'listItem', content: [{ type: 'paragraph', content: [words('four')] }] }],
      },
    )
    expect(html).toBe(
      '<div class="document"><h2>Title</h2>' +
        '<p data-indent="3"><em><strong>bold</strong></em><br/><u>u</u></p>' +
        '<ol start="4"><li><p>four</p></li></ol></div>',
    )
  })

  test('shows task states, quotes, code, horizontal rules and tables', () => {
    const line = (text: string): DocumentNode => ({ type: 'paragraph', content: [words(text)] })
    expect(
      shown(
        { type: 'taskList', content: [{ type: 'taskItem', attrs: { checked: true }, content: [line('sent')] }] },
        { type: 'blockquote', content: [line('said')] },
        { type: 'codeBlock', attrs: { language: 'ts' }, content: [words('a\nb')] },
        { type: 'horizontalRule' },
        {
          type: 'table',
          content: [
            {
              type: 'tableRow',
              content: [
                { type: 'tableHeader', content: [line('name')] },
                { type: 'tableCell', content: [line('Ada')] },
              ],
            },
          ],
        },
      ),
    ).toBe(
      '<div class="document"><ul data-type="taskList"><li data-checked="true">' +
        '<span class="document-box" role="img" aria-label="Done"></span><div><p>sent</p></div></li></ul>' +
        '<blockquote><p>said</p></blockquote><pre tabindex="0"><code>a\nb</code></pre><hr/>' +
        '<div class="document-table" role="region" aria-label="Table" tabindex="0">' +
        '<table><tbody><tr><th><p>name</p></th><td><p>Ada</p></td></tr></tbody></table></div></div>',
    )
  })

  test('links only safe URLs and shows other links as text', () => {
    const link = (href: string) => words('here', { type: 'link', attrs: { href } })
    expect(shown({ type: 'paragraph', content: [link('https://example.com')] })).toContain(
      '<a href="https://example.com" target="_blank" rel="noopener noreferrer">here</a>',
    )
    expect(shown({ type: 'paragraph', content: [link('javascript:alert(1)')] })).toBe(
      '<div class="document"><p>here</p></div>',
    )
  })

  test('shows HTML source as text', () => {
    expect(shown({ type: 'paragraph', content: [words('<img src=x onerror=alert(1)>')] })).toContain('&lt;img')
  })

  test('is shown even if levels, indents or nesting exceed the limits', () => {
    const deep = Array.from({ length: 5000 }).reduce<DocumentNode>(
      (inner) => ({ type: 'bulletList', content: [{ type: 'listItem', content: [inner] }] }),
      { type: 'paragraph' },
    )
    expect(shown(deep)).toContain('<ul>')
    expect(shown({ type: 'heading', attrs: { level: 9, indent: 99 }, content: [words('x')] })).toContain('<h3>x</h3>')
  })

  test('shows the content of unknown nodes', () => {
    // Documents from other versions may contain nodes that `RichTextDocument` doesn't include.
    const stranger = { type: 'callout', content: [{ type: 'paragraph', content: [words('inside')] }] } as unknown
    expect(
      renderToStaticMarkup(<DocumentView document={{ type: 'doc', content: [stranger] } as RichTextDocument} />),
    ).toContain('<p>inside</p>')
  })
})
