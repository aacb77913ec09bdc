import { expect, test } from 'vitest'
import { documentFromMarkdown } from './document-from-markdown.ts'

test('converts headings, lists, paragraphs and every mark to nodes', () => {
  const markdown =
    '## When\n\n- by *day*\n- by **night**\n\n1. <u>first</u>\n\nSee [the map](https://example.org/).\nMore.'

  const item = (...content: unknown[]): unknown => ({ type: 'listItem', content: [{ type: 'paragraph', content }] })
  expect(documentFromMarkdown(markdown)).toEqual({
    type: 'doc',
    content: [
      { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'When' }] },
      {
        type: 'bulletList',
        content: [
          item({ type: 'text', text: 'by ' }, { type: 'text', text: 'day', marks: [{ type: 'italic' }] }),
          item({ type: 'text', text: 'by ' }, { type: 'text', text: 'night', marks: [{ type: 'bold' }] }),
        ],
      },
      { type: 'orderedList', content: [item({ type: 'text', text: 'first', marks: [{ type: 'underline' }] })] },
      {
        type: 'paragraph',
        content: [
          { type: 'text', text: 'See ' },
          { type: 'text', text: 'the map', marks: [{ type: 'link', attrs: { href: 'https://example.org/' } }] },
          { type: 'text', text: '. More.' },
        ],
      },
    ],
  })
})
