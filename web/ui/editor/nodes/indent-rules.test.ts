import type { Node } from '@tiptap/pm/model'
import { EditorState, TextSelection, type Transaction } from '@tiptap/pm/state'
import { describe, expect, test } from 'vitest'
import { editorSchema } from '#web/ui/editor/extensions.ts'
import { backspaceAtStart, indentLess, indentMore, isItem, itemLevel, tabIndentsHere } from './indent.ts'

const schema = editorSchema()

const text = (words: string) => ({ type: 'paragraph', content: [{ type: 'text', text: words }] })
const item = (words: string) => ({ type: 'listItem', content: [text(words)] })
const list = (...words: string[]) => ({ type: 'bulletList', content: words.map(item) })

function find(doc: Node, words: string): number {
  let found = -1
  doc.descendants((node, pos) => {
    if (node.text === words) found = pos
  })
  return found
}

function aState(blocks: readonly object[], start: string, end?: string): EditorState {
  const doc = schema.nodeFromJSON({ type: 'doc', content: blocks })
  doc.check()
  const to = end === undefined ? undefined : find(doc, end) + end.length
  return EditorState.create({ doc, selection: TextSelection.create(doc, find(doc, start), to) })
}

function repeat(state: EditorState, rule: (state: EditorState) => Transaction | undefined, times: number): EditorState {
  let now = state
  for (let at = 0; at < times; at += 1) {
    const tr = rule(now)
    if (tr) now = now.apply(tr)
    now.doc.check()
  }
  return now
}

function levelOf(state: EditorState, words: string): number {
  const $pos = state.doc.resolve(find(state.doc, words))
  const depth = $pos.depth - 1
  if (depth > 0 && isItem($pos.node(depth))) return itemLevel($pos, depth)
  return Number($pos.parent.attrs['indent'])
}

describe('indenting a paragraph', () => {
  test('increases its level to at most 8', () => {
    const state = repeat(aState([text('one')], 'one'), indentMore, 8)
    expect(levelOf(state, 'one')).toBe(8)
    expect(indentMore(state)).toBeUndefined()
  })

  test('is reversed by outdenting, then by Backspace at the start of the line', () => {
    const raised = repeat(aState([text('one')], 'one'), indentMore, 8)
    const lowered = repeat(raised, indentLess, 3)
    expect(levelOf(lowered, 'one')).toBe(5)
    expect(levelOf(repeat(lowered, backspaceAtStart, 1), 'one')).toBe(4)
  })

  test('cannot be reduced below level 0', () => {
    expect(indentLess(aState([text('one')], 'one'))).toBeUndefined()
  })

  test('indents every selected block that is below the maximum level', () => {
    const blocks = [{ ...text('one'), attrs: { indent: 8 } }, text('two'), list('three')]
    const state = repeat(aState(blocks, 'one', 'three'), indentMore, 1)
    expect(['one', 'two', 'three'].map((words) => levelOf(state, words))).toEqual([8, 1, 1])
  })
})

describe('indenting a list item', () => {
  test('indents the first item to level 8, because it cannot be nested', () => {
    const state = repeat(aState([list('one', 'two')], 'one'), indentMore, 10)
    expect(levelOf(state, 'one')).toBe(8)
  })

  test('nests the second item once, then indents it up to a total of 8 levels', () => {
    const nested = repeat(aState([list('one', 'two')], 'two'), indentMore, 1)
    expect(levelOf(nested, 'two')).toBe(1)
    expect(nested.doc.firstChild?.childCount).toBe(1)
    const state = repeat(nested, indentMore, 10)
    expect(levelOf(state, 'two')).toBe(8)
    expect(indentMore(state)).toBeUndefined()
  })

  test('changes one level at a time even after an indented item', () => {
    const blocks = [{ type: 'bulletList', content: [{ ...item('one'), attrs: { indent: 3 } }, item('two')] }]
    expect(levelOf(repeat(aState(blocks, 'two'), indentMore, 1), 'two')).toBe(1)
  })

  test('never moves nested items past level 8', () => {
    const deep = repeat(aState([list('one', 'two', 'three')], 'three'), indentMore, 8)
    const both = repeat(deep, indentMore, 1)
    expect(levelOf(both, 'three')).toBe(8)
    const caret = deep.apply(deep.tr.setSelection(TextSelection.create(deep.doc, find(deep.doc, 'two'))))
    const state = repeat(caret, indentMore, 9)
    expect(levelOf(state, 'three')).toBe(8)
  })

  test('is reversed one level at a time by outdenting, and the item remains in its list', () => {
    const nested = repeat(aState([list('one', 'two')], 'two'), indentMore, 4)
    const state = repeat(nested, indentLess, 10)
    expect(levelOf(state, 'two')).toBe(0)
    expect(state.doc.firstChild?.childCount).toBe(2)
  })

  test('ends at level 0, where Backspace removes the item from its list', () => {
    const raised = repeat(aState([list('one')], 'one'), indentMore, 1)
    const lowered = repeat(raised, backspaceAtStart, 1)
    expect(lowered.doc.firstChild?.type.name).toBe('bulletList')
    expect(repeat(lowered, backspaceAtStart, 1).doc.firstChild?.type.name).toBe('paragraph')
  })
})

describe('indenting a task', () => {
  const task = (words: string) => ({ type: 'taskItem', attrs: { checked: true }, content: [text(words)] })

  test('nests it like any list item, up to level 8, and keeps it checked', () => {
    const state = repeat(aState([{ type: 'taskList', content: [task('one'), task('two')] }], 'two'), indentMore, 9)
    expect(levelOf(state, 'two')).toBe(8)
    expect(state.doc.resolve(find(state.doc, 'two')).node(-1).attrs['checked']).toBe(true)
  })

  test('leaves selected code blocks unchanged', () => {
    const code = { type: 'codeBlock', content: [{ type: 'text', text: 'code' }] }
    const state = repeat(aState([text('one'), code, text('two')], 'one', 'two'), indentMore, 1)
    expect(levelOf(state, 'two')).toBe(1)
    expect(state.doc.child(1).attrs).toEqual({ language: '' })
  })
})

describe('Tab', () => {
  test('Tab moves between table cells, and inserts spaces in code', () => {
    const cell = { type: 'tableCell', content: [{ ...text('one'), attrs: { indent: 1 } }] }
    expect(tabIndentsHere(aState([{ type: 'table', content: [{ type: 'tableRow', content: [cell] }] }], 'one'))).toBe(
      false,
    )
    expect(tabIndentsHere(aState([{ type: 'codeBlock', content: [{ type: 'text', text: 'one' }] }], 'one'))).toBe(false)
  })

  test('Tab moves focus to the next element from a plain paragraph', () => {
    expect(tabIndentsHere(aState([text('one')], 'one'))).toBe(false)
  })

  test('Tab moves focus to the next element from the middle of a list item or an indented line', () => {
    for (const block of [list('one'), { ...text('one'), attrs: { indent: 1 } }]) {
      const start = aState([block], 'one')
      const caret = TextSelection.create(start.doc, find(start.doc, 'one') + 2)
      expect(tabIndentsHere(start.apply(start.tr.setSelection(caret)))).toBe(false)
    }
  })

  test('Tab indents at the start of a list item or an indented line, and with a selection', () => {
    expect(tabIndentsHere(aState([list('one')], 'one'))).toBe(true)
    expect(tabIndentsHere(aState([{ ...text('one'), attrs: { indent: 1 } }], 'one'))).toBe(true)
    expect(tabIndentsHere(aState([text('one')], 'one', 'one'))).toBe(true)
  })
})
