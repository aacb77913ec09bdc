import { type Command, EditorState, Plugin, type PluginSpec, type Transaction } from '@tiptap/pm/state'
import { describe, expect, test } from 'vitest'
import { editorSchema } from '#web/ui/editor/extensions.ts'
import {
  afterRedo,
  afterUndo,
  emptyStacks,
  historyCommandOf,
  historyPlugin,
  nextToRedo,
  nextToUndo,
  redo,
  remember,
  undo,
  type UndoStacks,
} from './history.ts'

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

describe('undoing automatic formatting', () => {
  /** Tiptap's input-rule plugin stores the typed text that triggered a rule. */
  const spec: PluginSpec<null> & { readonly isInputRules: true } = { isInputRules: true }
  const rules = new Plugin(spec)

  test('restores the typed text, then removes it, and can be redone', () => {
    let state = EditorState.create({ schema, plugins: [rules, historyPlugin()] })
    const dispatch = (tr: Transaction) => {
      state = state.apply(tr)
    }
    dispatch(state.tr.insertText('#', 1).setTime(0))
    const heading = state.tr.delete(1, 2).setNodeMarkup(0, schema.nodes['heading'], { level: 1 })
    dispatch(heading.setMeta(rules, { from: 2, to: 2, text: ' ' }).setTime(10))
    const seen = () => [state.doc.firstChild?.type.name, state.doc.textContent, state.selection.from]
    expect(seen()).toEqual(['heading', '', 1])
    undo(state, dispatch)
    expect(seen()).toEqual(['paragraph', '# ', 3])
    redo(state, dispatch)
    expect(seen()).toEqual(['heading', '', 1])
    undo(state, dispatch)
    undo(state, dispatch)
    expect(seen()).toEqual(['paragraph', '', 1])
    expect(undo(state, dispatch)).toBe(false)
  })

  test('keeps the text of a URL that became a link', () => {
    let state = EditorState.create({ schema, plugins: [historyPlugin()] })
    const dispatch = (tr: Transaction) => {
      state = state.apply(tr)
    }
    dispatch(state.tr.insertText('example.org ', 1).setTime(0))
    const link = schema.mark('link', { href: 'https://example.org' })
    dispatch(state.tr.addMark(1, 12, link).setMeta('appendedTransaction', true).setTime(0))
    undo(state, dispatch)
    expect(state.doc.textContent).toBe('example.org ')
    expect(state.doc.rangeHasMark(1, 12, link.type)).toBe(false)
  })
})

describe('undo in a document', () => {
  test('undoes the last hundred of a hundred and fifty steps', () => {
    const editor = anEditor()
    for (let at = 0; at < 150; at += 1) editor.type('x', at * 2000)
    let undone = 0
    while (editor.run(undo)) undone += 1
    expect(undone).toBe(100)
    expect(editor.text()).toBe('x'.repeat(50))
  })

  test('undoes two edits made in different places within one second as a single step', () => {
    const editor = anEditor()
    editor.type('a long line of words', 0)
    editor.type('END', 2000)
    editor.type('START', 2010, 1)
    editor.run(undo)
    expect(editor.text()).toBe('a long line of words')
  })

  test('restores the caret to the position of the change', () => {
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

  test('is cleared when the document is replaced from outside the editor', () => {
    const editor = anEditor()
    editor.type('mine', 0)
    editor.replace('theirs')
    expect(editor.run(undo)).toBe(false)
    expect(editor.text()).toBe('theirs')
  })
})

function typing(times: readonly number[]): UndoStacks<number> {
  return times.reduce((stacks, atMs) => remember(stacks, atMs, atMs), emptyStacks<number>())
}

describe('the undo stack', () => {
  test('groups five seconds of steady typing into five steps', () => {
    const everyTenthOfASecond = Array.from({ length: 50 }, (_, at) => at * 100)
    expect(typing(everyTenthOfASecond).done).toHaveLength(5)
  })

  test('groups edits by the time since the first change in the group, not since the last', () => {
    const { done } = typing([0, 600, 999, 1000])
    expect(done.map((group) => group.changes)).toEqual([[0, 600, 999], [1000]])
  })

  test('keeps exactly the newest hundred of a hundred and fifty steps', () => {
    const { done } = typing(Array.from({ length: 150 }, (_, at) => at * 2000))
    expect(done).toHaveLength(100)
    expect(done[0]?.changes).toEqual([50 * 2000])
  })

  test('adds a change caused by another one to the same step, however late it arrives', () => {
    const stacks = remember(typing([0]), 5000, 5000, 'follow-up')
    expect(stacks.done.map((group) => group.changes)).toEqual([[0, 5000]])
  })

  test('separates a standalone change from typing before and after it', () => {
    const typed = remember(typing([0]), 100, 100, 'alone')
    expect(remember(typed, 200, 200).done.map((group) => group.changes)).toEqual([[0], [100], [200]])
  })

  test('clears the redo stack after new input', () => {
    const undone = afterUndo(typing([0]), { changes: [0] })
    expect(nextToRedo(undone)).toEqual({ changes: [0] })
    expect(nextToRedo(remember(undone, 100, 100))).toBeUndefined()
  })

  test('starts a new step after undo or redo, even within the same second', () => {
    const undone = afterUndo(typing([0, 1500]), { changes: [1500] })
    expect(remember(undone, 1600, 1600).done).toHaveLength(2)
    const redone = afterRedo(undone, { changes: [1500] })
    expect(remember(redone, 1700, 1700).done).toHaveLength(3)
  })

  test('does nothing if it is empty', () => {
    expect(nextToUndo(emptyStacks())).toBeUndefined()
    expect(nextToRedo(emptyStacks())).toBeUndefined()
  })
})

describe('the undo and redo shortcuts', () => {
  const none = { key: 'z', code: 'KeyZ', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
  const ctrl = { ...none, ctrlKey: true }
  const cmd = { ...none, metaKey: true }

  test('never undo with Shift, regardless of Caps Lock', () => {
    for (const key of ['z', 'Z']) {
      expect(historyCommandOf({ ...ctrl, key, shiftKey: true }, false)).toBe('redo')
      expect(historyCommandOf({ ...cmd, key, shiftKey: true }, true)).toBe('redo')
      expect(historyCommandOf({ ...ctrl, key }, false)).toBe('undo')
      expect(historyCommandOf({ ...cmd, key }, true)).toBe('undo')
    }
  })

  test('include Ctrl+Y and Cmd+Y for redo', () => {
    expect(historyCommandOf({ ...ctrl, key: 'y', code: 'KeyY' }, false)).toBe('redo')
    expect(historyCommandOf({ ...cmd, key: 'y', code: 'KeyY' }, true)).toBe('redo')
  })

  test('use the letter on a Latin keyboard layout and the key position on others', () => {
    expect(historyCommandOf({ ...ctrl, key: 'z', code: 'KeyY' }, false)).toBe('undo')
    expect(historyCommandOf({ ...ctrl, key: 'я', code: 'KeyZ' }, false)).toBe('undo')
  })

  test('do nothing with Alt, with the wrong modifier or without a modifier', () => {
    expect(historyCommandOf(none, false)).toBeUndefined()
    expect(historyCommandOf({ ...ctrl, altKey: true }, false)).toBeUndefined()
    expect(historyCommandOf(ctrl, true)).toBeUndefined()
    expect(historyCommandOf(cmd, false)).toBeUndefined()
  })
})
