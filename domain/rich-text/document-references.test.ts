import { expect, test } from 'vitest'
import type { RichNode } from './document-schema.ts'
import { plainText } from './plain-text.ts'
import { fileIdsIn, mentionsIn } from './document-references.ts'

const [GULL, MAP, ANNA, STRIKE, STRIKES] = ['aa', 'bb', 'cc', 'dd', 'ee'].map((end) => `01k9x0000000000000000000${end}`)

const anna: RichNode = { type: 'mention', attrs: { kind: 'user', id: ANNA ?? '' } }
const strike: RichNode = { type: 'mention', attrs: { kind: 'record', id: STRIKE ?? '', collection: STRIKES ?? '' } }
const words = (text: string): RichNode => ({ type: 'text', text })
const paragraph = (...content: RichNode[]): RichNode => ({ type: 'paragraph', content })
const image = (alt?: string): RichNode => ({ type: 'image', attrs: { file: GULL ?? '', ...(alt && { alt }) } })
const cell = (...content: RichNode[]): RichNode => ({ type: 'tableCell', content })

const DOCUMENT: RichNode = {
  type: 'doc',
  content: [
    paragraph(words('Ask '), anna, words(' about '), strike),
    image('A gull'),
    { type: 'blockquote', content: [{ type: 'file', attrs: { file: MAP ?? '' } }, image()] },
    { type: 'taskList', content: [{ type: 'taskItem', content: [paragraph(words('call '), anna)] }] },
    { type: 'horizontalRule' },
    { type: 'codeBlock', content: [words('let a\nlet b')] },
    {
      type: 'table',
      content: [
        {
          type: 'tableRow',
          content: [cell(paragraph(words('one')), paragraph(words('two'))), cell(paragraph(strike))],
        },
      ],
    },
  ],
}

test('lists the files of images and cards without duplicates', () => {
  expect(fileIdsIn(DOCUMENT)).toEqual([GULL, MAP])
})

test('lists mentions without duplicates', () => {
  expect(mentionsIn(DOCUMENT)).toEqual([
    { kind: 'user', id: ANNA },
    { kind: 'record', id: STRIKE, collection: STRIKES },
  ])
})

test('replaces a mention with a placeholder character in plain text', () => {
  expect(plainText(DOCUMENT)).toBe(['Ask @ about @', 'A gull', 'call @', 'let a\nlet b', 'one two\t@'].join('\n'))
})
