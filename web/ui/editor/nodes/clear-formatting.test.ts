import { AllSelection, EditorState, TextSelection } from '@tiptap/pm/state'
import { describe, expect, test } from 'vitest'
import { clearFormatting } from './clear-formatting.ts'
import { editorSchema } from '#web/ui/editor/extensions.ts'

const schema = editorSchema()
const bold = {
  type: 'text',
  text: 'words',
  marks: [{ type: 'bold' }, { type: 'link', attrs: { href: 'https://a.example' } }],
}
const text = (words: string) => ({ type: 'paragraph', content: [{ type: 'text', text: words }] })
const item = (...content: object[]) => ({ type: 'listItem', content })
const list = (...content: object[]) => ({ type: 'bulletList', content })

function aDocument(...content: object[]) {
  const doc = schema.nodeFromJSON({ type: 'doc', content })
  doc.check()
  return doc
}

function blocksAfterClearing(state: EditorState): string[] {
  const { doc } = state.apply(clearFormatting(state))
  doc.check()
  const blocks: string[] = []
  doc.forEach((node) => blocks.push(`${node.type.name} ${node.attrs['indent'] ?? ''} ${node.textContent}`.trim()))
  return blocks
}

describe('clearing the formatting', () => {
  test('converts headings, indented blocks and nested lists to plain paragraphs without marks', () => {
    const doc = aDocument(
      { type: 'heading', attrs: { level: 2, indent: 3 }, content: [bold] },
      list(item(text('one'), list(item(text('two'), list(item(text('three')))))), item(text('four'))),
      { type: 'orderedList', content: [{ ...item(text('five')), attrs: { indent: 4 } }] },
    )
    const state = EditorState.create({ doc, selection: new AllSelection(doc) })
    expect(blocksAfterClearing(state)).toEqual([
      'paragraph 0 words',
      'paragraph 0 one',
      'paragraph 0 two',
      'paragraph 0 three',
      'paragraph 0 four',
      'paragraph 0 five',
    ])
    expect(state.apply(clearFormatting(state)).doc.toString()).not.toContain('bold')
  })

  test('removes one item from its list without changing its siblings and children', () => {
    const doc = aDocument(list(item(text('one')), item(text('two'), list(item(text('below')))), item(text('three'))))
    const state = EditorState.create({ doc, selection: TextSelection.create(doc, 11, 13) })
    expect(doc.textBetween(11, 13)).toBe('wo')
    expect(blocksAfterClearing(state)).toEqual([
      'bulletList  one',
      'paragraph 0 two',
      'bulletList  below',
      'bulletList  three',
    ])
  })

  test('removes quotes and checklists, and converts code lines to line breaks', () => {
    const doc = aDocument(
      { type: 'blockquote', content: [text('one'), { type: 'blockquote', content: [text('two')] }] },
      { type: 'taskList', content: [{ type: 'taskItem', attrs: { checked: true }, content: [text('three')] }] },
      { type: 'codeBlock', content: [{ type: 'text', text: 'four\nfive' }] },
    )
    const state = EditorState.create({ doc, selection: new AllSelection(doc) })
    expect(blocksAfterClearing(state)).toEqual([
      'paragraph 0 one',
      'paragraph 0 two',
      'paragraph 0 three',
      'paragraph 0 fourfive',
    ])
    expect(state.apply(clearFormatting(state)).doc.toString()).toContain('hardBreak')
  })

  test('leaves tables unchanged', () => {
    const cell = { type: 'tableCell', content: [{ type: 'paragraph', content: [bold] }] }
    const doc = aDocument({ type: 'table', content: [{ type: 'tableRow', content: [cell, cell] }] })
    const state = EditorState.create({ doc, selection: new AllSelection(doc) })
    const { doc: cleared } = state.apply(clearFormatting(state))
    expect(cleared.toString()).toBe(
      'doc(table(tableRow(tableCell(paragraph("words")), tableCell(paragraph("words")))))',
    )
  })

  test('affects only the text typed next if nothing is selected', () => {
    const doc = aDocument({ type: 'heading', attrs: { level: 1 }, content: [bold] })
    const state = EditorState.create({ doc, selection: TextSelection.create(doc, 3) })
    const after = state.apply(clearFormatting(state))
    expect(after.doc.eq(doc)).toBe(true)
    expect(after.storedMarks).toEqual([])
  })
})
