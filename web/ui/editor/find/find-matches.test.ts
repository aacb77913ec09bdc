import { describe, expect, test } from 'vitest'
import { editorSchema } from '#web/ui/editor/extensions.ts'
import { findMatches, firstFrom } from './find.tsx'

const schema = editorSchema()
const doc = schema.nodeFromJSON({
  type: 'doc',
  content: [
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'Otters play, ' },
        { type: 'text', text: 'otters', marks: [{ type: 'bold' }] },
        { type: 'hardBreak' },
        { type: 'text', text: 'sleep (a lot).' },
      ],
    },
    { type: 'codeBlock', content: [{ type: 'text', text: 'const otter = 1' }] },
  ],
})
const found = (words: string, isCaseKept = false) =>
  findMatches(doc, { words, isCaseKept }).map(({ from, to }) => doc.textBetween(from, to))

describe('find in a document', () => {
  test('ignores case unless case matching is selected', () => {
    expect(found('otter')).toEqual(['Otter', 'otter', 'otter'])
    expect(found('Otter', true)).toEqual(['Otter'])
  })

  test('matches text across marks, but not across line breaks', () => {
    expect(found('play, otters')).toEqual(['play, otters'])
    expect(found('otterssleep')).toEqual([])
  })

  test('treats special characters literally', () => {
    expect(found('(a lot).')).toEqual(['(a lot).'])
    expect(found('o.ters')).toEqual([])
    expect(found('')).toEqual([])
  })

  test('starts at the caret, or at the top if there is no match after it', () => {
    const matches = findMatches(doc, { words: 'otter', isCaseKept: false })
    expect(firstFrom(matches, 5)).toBe(1)
    expect(firstFrom(matches, 500)).toBe(0)
  })
})
