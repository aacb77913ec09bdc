import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  commandFor,
  type GridExtent,
  type GridPosition,
  type KeyPlace,
  type KeyPress,
  mirrored,
  moved,
} from './keyboard.ts'

function press(key: string, held: Partial<KeyPress> = {}): KeyPress {
  return { key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...held }
}

const extent: GridExtent = { headLines: 1, bodyLines: 1_000_000, columns: 21, linesPerPage: 20 }

function after(key: KeyPress, from: GridPosition, place: KeyPlace = 'row'): GridPosition {
  const command = commandFor(key, place)
  return command ? moved(command, from, extent) : from
}

test('arrows walk one cell and stop at the edges', () => {
  expect(after(press('ArrowDown'), { line: 0, column: 0 })).toEqual({ line: 1, column: 0 })
  expect(after(press('ArrowLeft'), { line: 3, column: 0 })).toEqual({ line: 3, column: 0 })
  expect(after(press('ArrowDown'), { line: 1_000_000, column: 4 })).toEqual({ line: 1_000_000, column: 4 })
})

test('control and End reaches the last row of a million, not the last one drawn', () => {
  expect(after(press('End', { ctrlKey: true }), { line: 4, column: 2 })).toEqual({ line: 1_000_000, column: 20 })
  expect(after(press('Home', { metaKey: true }), { line: 900_000, column: 2 })).toEqual({ line: 1, column: 0 })
})

test('a page is what the window shows, and a page up never falls into the header', () => {
  expect(after(press('PageDown'), { line: 1, column: 3 })).toEqual({ line: 21, column: 3 })
  expect(after(press('PageUp'), { line: 5, column: 3 })).toEqual({ line: 1, column: 3 })
  expect(after(press('PageUp'), { line: 0, column: 3 })).toEqual({ line: 0, column: 3 })
})

test('space selects a row, Enter opens it', () => {
  expect(commandFor(press(' '), 'row')).toEqual({ do: 'select' })
  expect(commandFor(press('Enter'), 'row')).toEqual({ do: 'open' })
})

test('in the header Enter sorts, shift and Enter adds a sort, shift and an arrow changes the width', () => {
  expect(commandFor(press('Enter'), 'header')).toEqual({ do: 'sort', isAdding: false })
  expect(commandFor(press('Enter', { shiftKey: true }), 'header')).toEqual({ do: 'sort', isAdding: true })
  expect(commandFor(press('ArrowRight', { shiftKey: true }), 'header')).toEqual({ do: 'resize', steps: 1 })
})

test('on the head of a group the arrows open and close it', () => {
  expect(commandFor(press('ArrowLeft'), 'group')).toEqual({ do: 'toggleGroup', to: 'collapsed' })
  expect(commandFor(press('ArrowRight'), 'group')).toEqual({ do: 'toggleGroup', to: 'expanded' })
  expect(commandFor(press('ArrowDown'), 'group')).toEqual({ do: 'move', rows: 1, columns: 0 })
})

test('read from right to left, the left arrow goes on to the next column', () => {
  expect(after(mirrored(press('ArrowLeft')), { line: 3, column: 2 })).toEqual({ line: 3, column: 3 })
  expect(mirrored(press('ArrowDown', { shiftKey: true }))).toEqual(press('ArrowDown', { shiftKey: true }))
})

test('keys the grid has no use for stay with the browser', () => {
  for (const key of ['Tab', 'x', 'F5', 'a']) expect(commandFor(press(key), 'row')).toBeUndefined()
  expect(commandFor(press('ArrowLeft', { altKey: true }), 'row')).toBeUndefined()
})

test('no key leads out of the grid', () => {
  const keys = fc.constantFrom('ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown')
  fc.assert(
    fc.property(fc.array(fc.tuple(keys, fc.boolean())), fc.nat(3), (presses, bodyLines) => {
      const small: GridExtent = { headLines: 2, bodyLines, columns: 3, linesPerPage: 2 }
      let at: GridPosition = { line: 0, column: 0 }
      for (const [key, ctrlKey] of presses) {
        const command = commandFor(press(key, { ctrlKey }), 'row')
        if (command) at = moved(command, at, small)
        expect(at.line).toBeGreaterThanOrEqual(0)
        expect(at.line).toBeLessThan(2 + bodyLines)
        expect(at.column).toBeGreaterThanOrEqual(0)
        expect(at.column).toBeLessThan(3)
      }
    }),
  )
})
