import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GRID_KEYS } from './grid-key-list.ts'
import {
  commandFor,
  type GridExtent,
  type GridPosition,
  isMovement,
  type KeyPlace,
  type KeyPress,
  mirrored,
  moved,
} from './keyboard.ts'

function press(key: string, held: Partial<KeyPress> = {}): KeyPress {
  return { key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...held }
}

const extent: GridExtent = { headerLines: 1, bodyLines: 1_000_000, columns: 21, linesPerPage: 20 }

function after(key: KeyPress, from: GridPosition, place: KeyPlace = 'row'): GridPosition {
  const command = commandFor(key, place)
  return command && isMovement(command) ? moved(command, from, extent) : from
}

test('arrow keys move by one cell and stop at the edges', () => {
  expect(after(press('ArrowDown'), { line: 0, column: 0 })).toEqual({ line: 1, column: 0 })
  expect(after(press('ArrowLeft'), { line: 3, column: 0 })).toEqual({ line: 3, column: 0 })
  expect(after(press('ArrowDown'), { line: 1_000_000, column: 4 })).toEqual({ line: 1_000_000, column: 4 })
})

test('Ctrl+End moves to the last row of a million, not to the last rendered row', () => {
  expect(after(press('End', { ctrlKey: true }), { line: 4, column: 2 })).toEqual({ line: 1_000_000, column: 20 })
  expect(after(press('Home', { metaKey: true }), { line: 900_000, column: 2 })).toEqual({ line: 1, column: 0 })
})

test('Page Up and Page Down move by the number of visible rows and never enter the header', () => {
  expect(after(press('PageDown'), { line: 1, column: 3 })).toEqual({ line: 21, column: 3 })
  expect(after(press('PageUp'), { line: 5, column: 3 })).toEqual({ line: 1, column: 3 })
  expect(after(press('PageUp'), { line: 0, column: 3 })).toEqual({ line: 0, column: 3 })
})

test('Space opens a row or toggles a checkbox, Enter edits a cell or opens the row, Ctrl+Enter always opens the row', () => {
  expect(commandFor(press(' '), 'row')).toEqual({ do: 'toggleOrOpen' })
  expect(commandFor(press('Enter'), 'row')).toEqual({ do: 'editOrOpen' })
  expect(commandFor(press('Enter', { ctrlKey: true }), 'row')).toEqual({ do: 'open' })
  expect(commandFor(press('F2'), 'row')).toEqual({ do: 'edit' })
})

test('typing starts editing with the typed character', () => {
  for (const key of ['x', 'A', '7', 'ß', '漢', '😀', '=']) {
    expect(commandFor(press(key), 'row')).toEqual({ do: 'edit', seed: key })
  }
  expect(commandFor(press('@', { ctrlKey: true, altKey: true }), 'row')).toEqual({ do: 'edit', seed: '@' })
  expect(commandFor(press('å', { altKey: true }), 'row')).toEqual({ do: 'edit', seed: 'å' })
})

test('dead keys and input methods open an empty editor', () => {
  for (const key of ['Dead', 'Process']) expect(commandFor(press(key), 'row')).toEqual({ do: 'edit', seed: '' })
})

test('typing outside cells does nothing', () => {
  for (const place of ['header', 'filters', 'group'] as const) {
    for (const key of ['x', 'Delete', 'Dead']) expect(commandFor(press(key), place)).toBeUndefined()
  }
})

test('Ctrl+arrow moves to the end of the row or column', () => {
  const from = { line: 500, column: 4 }
  expect(after(press('ArrowDown', { ctrlKey: true }), from)).toEqual({ line: 1_000_000, column: 4 })
  expect(after(press('ArrowUp', { metaKey: true }), from)).toEqual({ line: 1, column: 4 })
  expect(after(press('ArrowLeft', { ctrlKey: true }), from)).toEqual({ line: 500, column: 0 })
  expect(after(press('ArrowRight', { ctrlKey: true }), from)).toEqual({ line: 500, column: 20 })
})

test('Shift extends the selection with every movement', () => {
  for (const key of ['ArrowUp', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown']) {
    for (const ctrlKey of [false, true]) {
      expect(commandFor(press(key, { shiftKey: true, ctrlKey }), 'row')).toMatchObject({ isExtending: true })
      expect(commandFor(press(key, { ctrlKey }), 'row')).not.toHaveProperty('isExtending')
    }
  }
})

test('the control after the last header can be focused only in the header row', () => {
  const wider = { ...extent, headerColumns: 22 }
  const right = { do: 'move', rows: 0, columns: 1 } as const
  expect(moved(right, { line: 0, column: 20 }, wider)).toEqual({ line: 0, column: 21 })
  expect(moved({ do: 'edge', to: 'rowEnd' }, { line: 0, column: 2 }, wider)).toEqual({ line: 0, column: 21 })
  expect(moved({ do: 'move', rows: 1, columns: 0 }, { line: 0, column: 21 }, wider)).toEqual({ line: 1, column: 20 })
  expect(moved(right, { line: 5, column: 20 }, wider)).toEqual({ line: 5, column: 20 })
})

test('shortcuts with Space select whole rows and columns, and Ctrl+A selects all cells', () => {
  expect(commandFor(press(' ', { shiftKey: true }), 'row')).toEqual({ do: 'selectCells', what: 'rows' })
  expect(commandFor(press(' ', { ctrlKey: true }), 'row')).toEqual({ do: 'selectCells', what: 'columns' })
  expect(commandFor(press(' ', { ctrlKey: true }), 'header')).toEqual({ do: 'selectCells', what: 'columns' })
  expect(commandFor(press('a', { ctrlKey: true }), 'row')).toEqual({ do: 'selectCells', what: 'all' })
  expect(commandFor(press('a', { ctrlKey: true }), 'header')).toEqual({ do: 'selectAll' })
})

test('keyboard shortcuts clear, fill, undo and redo cell edits', () => {
  expect(commandFor(press('Delete'), 'row')).toEqual({ do: 'clear' })
  expect(commandFor(press('Backspace'), 'row')).toEqual({ do: 'clear' })
  expect(commandFor(press('d', { ctrlKey: true }), 'row')).toEqual({ do: 'fill', to: 'down' })
  expect(commandFor(press('r', { ctrlKey: true }), 'row')).toEqual({ do: 'fill', to: 'end' })
  expect(commandFor(press('z', { metaKey: true }), 'row')).toEqual({ do: 'undo' })
  expect(commandFor(press('Z', { metaKey: true, shiftKey: true }), 'row')).toEqual({ do: 'redo' })
  expect(commandFor(press('y', { ctrlKey: true }), 'row')).toEqual({ do: 'redo' })
})

test('a column can be moved and fitted to its content with the keyboard', () => {
  const held = { ctrlKey: true, shiftKey: true }
  expect(commandFor(press('ArrowRight', held), 'header')).toEqual({ do: 'moveColumn', by: 1 })
  expect(commandFor(mirrored(press('ArrowRight', held)), 'header')).toEqual({ do: 'moveColumn', by: -1 })
  expect(commandFor(press('F', held), 'row')).toEqual({ do: 'fitColumn' })
})

test('in the header, Enter sorts, Shift+Enter adds to the sort order and Shift+arrow resizes the column', () => {
  expect(commandFor(press('Enter'), 'header')).toEqual({ do: 'sort', isAdding: false })
  expect(commandFor(press('Enter', { shiftKey: true }), 'header')).toEqual({ do: 'sort', isAdding: true })
  expect(commandFor(press('ArrowRight', { shiftKey: true }), 'header')).toEqual({ do: 'resize', steps: 1 })
})

test('arrow keys expand and collapse a focused group header', () => {
  expect(commandFor(press('ArrowLeft'), 'group')).toEqual({ do: 'toggleGroup', to: 'collapsed', isAll: false })
  expect(commandFor(press('ArrowRight'), 'group')).toEqual({ do: 'toggleGroup', to: 'expanded', isAll: false })
  expect(commandFor(press('ArrowLeft', { shiftKey: true }), 'group')).toMatchObject({ to: 'collapsed', isAll: true })
  expect(commandFor(press('ArrowDown'), 'group')).toEqual({ do: 'move', rows: 1, columns: 0 })
})

test('in a right-to-left layout, the left arrow moves to the next column', () => {
  expect(after(mirrored(press('ArrowLeft')), { line: 3, column: 2 })).toEqual({ line: 3, column: 3 })
  expect(mirrored(press('ArrowDown', { shiftKey: true }))).toEqual(press('ArrowDown', { shiftKey: true }))
})

test('unused keys are handled by the browser', () => {
  for (const key of ['Tab', 'F5', 'Shift', 'CapsLock', 'ContextMenu'])
    expect(commandFor(press(key), 'row')).toBeUndefined()
  for (const key of ['c', 'x', 'v', 'f', 't', '1'])
    expect(commandFor(press(key, { ctrlKey: true }), 'row')).toBeUndefined()
  expect(commandFor(press('d', { altKey: true }), 'row')).toBeUndefined()
  expect(commandFor(press('x', { metaKey: true, altKey: true }), 'row')).toBeUndefined()
  expect(commandFor(press('ArrowLeft', { altKey: true }), 'row')).toBeUndefined()
})

test('no key moves focus out of the grid', () => {
  const keys = fc.constantFrom('ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown')
  fc.assert(
    fc.property(fc.array(fc.tuple(keys, fc.boolean())), fc.nat(3), (presses, bodyLines) => {
      const small: GridExtent = { headerLines: 2, bodyLines, columns: 3, linesPerPage: 2 }
      let at: GridPosition = { line: 0, column: 0 }
      for (const [key, ctrlKey] of presses) {
        const command = commandFor(press(key, { ctrlKey }), 'row')
        if (command && isMovement(command)) at = moved(command, at, small)
        expect(at.line).toBeGreaterThanOrEqual(0)
        expect(at.line).toBeLessThan(2 + bodyLines)
        expect(at.column).toBeGreaterThanOrEqual(0)
        expect(at.column).toBeLessThan(3)
      }
    }),
  )
})

test('the summary row follows the last row, but Ctrl+Home and Ctrl+End move only within data rows', () => {
  const footed = { ...extent, footerLines: 1 }
  const go = (key: KeyPress, from: GridPosition, place: KeyPlace = 'row') => {
    const command = commandFor(key, place)
    return command && isMovement(command) ? moved(command, from, footed) : command
  }
  expect(go(press('ArrowDown'), { line: 1_000_000, column: 4 })).toEqual({ line: 1_000_001, column: 4 })
  expect(go(press('ArrowDown', { ctrlKey: true }), { line: 3, column: 4 })).toEqual({ line: 1_000_000, column: 4 })
  expect(go(press('ArrowUp', { shiftKey: true }), { line: 1_000_001, column: 4 }, 'footer')).toEqual({
    line: 1_000_000,
    column: 4,
  })
  for (const key of ['Enter', ' ', 'F2']) {
    expect(go(press(key), { line: 1_000_001, column: 4 }, 'footer')).toEqual({ do: 'enterCell' })
  }
  expect(go(press('x'), { line: 1_000_001, column: 4 }, 'footer')).toBeUndefined()
})

function pressFor(keys: string): KeyPress {
  const modifiers = keys.split('+')
  const key = modifiers.pop() ?? ''
  return {
    key: key === 'Space' ? ' ' : key,
    ctrlKey: modifiers.includes('Mod') || modifiers.includes('Control'),
    metaKey: false,
    shiftKey: modifiers.includes('Shift'),
    altKey: modifiers.includes('Alt'),
  }
}

test.each(GRID_KEYS)('$keys is bound as described in the shortcut list: $does', ({ keys, place, command }) => {
  expect(keys.map((one) => commandFor(pressFor(one), place)?.do)).toEqual(keys.map(() => command))
})
