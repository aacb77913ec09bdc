import { type Command, EditorState } from '@tiptap/pm/state'
import { describe, expect, test } from 'vitest'
import { editorSchema } from '#web/ui/editor/extensions.ts'
import { historyPlugin, redo, undo } from './history.ts'

const schema = editorSchema()

function anEditor() {
  let state = EditorState.create({ schema, plugins: [historyPlugin()] })
  return {
    type(words: string, atMs: number, place = state.doc.content.size - 1) {
      state = state.apply(state.tr.insertText(words, place).setTime(atMs))
    },
    replace(words: string) {
      state = state.apply(state.tr.insertText(words, 1, state.doc.content.size - 1).setMeta('addToHistory', false))
    },
    run(command: Command) {
      return command(state, (tr) => {
        state = state.apply(tr)
      })
    },
    text: () => state.doc.textContent,
    caret: () => state.selection.from,
  }
}

describe('undo in a document', () => {
  test('undoes the last hundred of a hundred and fifty steps, then stops', () => {
    const editor = anEditor()
    for (let at = 0; at < 150; at += 1) editor.type('x', at * 2000)
    let undone = 0
    while (editor.run(undo)) undone += 1
    expect(undone).toBe(100)
    expect(editor.text()).toBe('x'.repeat(50))
  })

  test('undoes two distant edits within one second together', () => {
    const editor = anEditor()
    editor.type('a long line of words', 0)
    editor.type('END', 2000)
    editor.type('START', 2010, 1)
    editor.run(undo)
    expect(editor.text()).toBe('a long line of words')
  })

  test('restores the caret position of the change', () => {
    const editor = anEditor()
    editor.type('words', 0)
    const before = editor.caret()
    editor.type('more', 2000, 1)
    editor.run(undo)
    expect(editor.caret()).toBe(before)
  })

  test('can be redone', () => {
    const editor = anEditor()
    editor.type('one', 0)
    editor.type(' two', 2000)
    editor.run(undo)
    editor.run(undo)
    expect(editor.text()).toBe('')
    editor.run(redo)
    expect(editor.text()).toBe('one')
    editor.run(redo)
    expect(editor.text()).toBe('one two')
    expect(editor.run(redo)).toBe(false)
    editor.run(undo)
    expect(editor.text()).toBe('one')
  })

  test('is cleared when the document is replaced from outside', () => {
    const editor = anEditor()
    editor.type('mine', 0)
    editor.replace('theirs')
    expect(editor.run(undo)).toBe(false)
    expect(editor.text()).toBe('theirs')
  })
})
