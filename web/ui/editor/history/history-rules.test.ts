import { describe, expect, test } from 'vitest'
import {
  afterRedo,
  afterUndo,
  emptyStacks,
  historyCommandOf,
  nextToRedo,
  nextToUndo,
  remember,
  type UndoStacks,
} from './history-rules.ts'

function typing(times: readonly number[]): UndoStacks<number> {
  return times.reduce((stacks, atMs) => remember(stacks, atMs, atMs), emptyStacks<number>())
}

describe('the undo stack', () => {
  test('makes five steps of five seconds of steady typing', () => {
    const everyTenthOfASecond = Array.from({ length: 50 }, (_, at) => at * 100)
    expect(typing(everyTenthOfASecond).done).toHaveLength(5)
  })

  test('groups by the first change of the group, not by the pause before the last', () => {
    const { done } = typing([0, 600, 999, 1000])
    expect(done.map((group) => group.changes)).toEqual([[0, 600, 999], [1000]])
  })

  test('keeps exactly the newest hundred of a hundred and fifty steps', () => {
    const { done } = typing(Array.from({ length: 150 }, (_, at) => at * 2000))
    expect(done).toHaveLength(100)
    expect(done[0]?.changes).toEqual([50 * 2000])
  })

  test('joins a change that follows from another into its step, however late it arrives', () => {
    const stacks = remember(typing([0]), 5000, 5000, 'follow-up')
    expect(stacks.done.map((group) => group.changes)).toEqual([[0, 5000]])
  })

  test('keeps a standalone change apart from the typing before and after it', () => {
    const typed = remember(typing([0]), 100, 100, 'alone')
    expect(remember(typed, 200, 200).done.map((group) => group.changes)).toEqual([[0], [100], [200]])
  })

  test('clears the redo stack after new input', () => {
    const undone = afterUndo(typing([0]), { changes: [0] })
    expect(nextToRedo(undone)).toEqual({ changes: [0] })
    expect(nextToRedo(remember(undone, 100, 100))).toBeUndefined()
  })

  test('starts a new step after undo and redo, even within the same second', () => {
    const undone = afterUndo(typing([0, 1500]), { changes: [1500] })
    expect(remember(undone, 1600, 1600).done).toHaveLength(2)
    const redone = afterRedo(undone, { changes: [1500] })
    expect(remember(redone, 1700, 1700).done).toHaveLength(3)
  })

  test('does nothing when the stack is empty', () => {
    expect(nextToUndo(emptyStacks())).toBeUndefined()
    expect(nextToRedo(emptyStacks())).toBeUndefined()
  })
})

describe('undo and redo keys', () => {
  const none = { key: 'z', code: 'KeyZ', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
  const ctrl = { ...none, ctrlKey: true }
  const cmd = { ...none, metaKey: true }

  test('are never undo with Shift, whatever Caps Lock makes of the letter', () => {
    for (const key of ['z', 'Z']) {
      expect(historyCommandOf({ ...ctrl, key, shiftKey: true }, false)).toBe('redo')
      expect(historyCommandOf({ ...cmd, key, shiftKey: true }, true)).toBe('redo')
      expect(historyCommandOf({ ...ctrl, key }, false)).toBe('undo')
      expect(historyCommandOf({ ...cmd, key }, true)).toBe('undo')
    }
  })

  test('include Ctrl+Y and Cmd+Y', () => {
    expect(historyCommandOf({ ...ctrl, key: 'y', code: 'KeyY' }, false)).toBe('redo')
    expect(historyCommandOf({ ...cmd, key: 'y', code: 'KeyY' }, true)).toBe('redo')
  })

  test('use the letter on a Latin layout and the key position on any other', () => {
    expect(historyCommandOf({ ...ctrl, key: 'z', code: 'KeyY' }, false)).toBe('undo')
    expect(historyCommandOf({ ...ctrl, key: 'я', code: 'KeyZ' }, false)).toBe('undo')
  })

  test('do nothing with Alt, with the other modifier or without a modifier', () => {
    expect(historyCommandOf(none, false)).toBeUndefined()
    expect(historyCommandOf({ ...ctrl, altKey: true }, false)).toBeUndefined()
    expect(historyCommandOf(ctrl, true)).toBeUndefined()
    expect(historyCommandOf(cmd, false)).toBeUndefined()
  })
})
