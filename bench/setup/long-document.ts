import type { RichDocument, RichNode } from '#domain/rich-text/document-schema.ts'

const WORDS_A_PAGE = 500
const WORDS_A_PARAGRAPH = 80

const WORDS =
  'the harbour keeps its ledger of every ship that came in before the storm and of whatever was left on the quay when it went'.split(
    ' ',
  )

/** Returns the same words for the same arguments. */
const wordsFrom = (from: number, count: number): string =>
  Array.from({ length: count }, (_, at) => WORDS[(from * 7 + at * at + at) % WORDS.length]).join(' ')

const text = (from: number, count: number): RichNode => ({ type: 'text', text: wordsFrom(from, count) })
const paragraph = (from: number, count: number): RichNode => ({ type: 'paragraph', content: [text(from, count)] })

function pageOf(nth: number): readonly RichNode[] {
  const paragraphs = Array.from({ length: Math.floor(WORDS_A_PAGE / WORDS_A_PARAGRAPH) - 1 }, (_, at): RichNode => {
    const bold: RichNode = { type: 'text', text: ` ${wordsFrom(nth + at, 3)} `, marks: [{ type: 'bold' }] }
    return { type: 'paragraph', content: [text(nth * 10 + at, 40), bold, text(nth + at, WORDS_A_PARAGRAPH - 43)] }
  })
  const items = [1, 2, 3, 4].map((at): RichNode => ({ type: 'listItem', content: [paragraph(nth + at, 12)] }))
  const cell = (at: number): RichNode => ({ type: 'tableCell', content: [paragraph(nth + at, 4)] })
  const rows = [1, 2, 3].map((row): RichNode => ({ type: 'tableRow', content: [cell(row), cell(row + 1)] }))
  return [
    { type: 'heading', attrs: { level: 2 }, content: [text(nth, 5)] },
    ...paragraphs,
    { type: 'bulletList', content: items },
    { type: 'table', content: rows },
  ]
}

export const longDocument = (pages: number): RichDocument => ({
  type: 'doc',
  content: Array.from({ length: pages }, (_, nth) => pageOf(nth)).flat(),
})
