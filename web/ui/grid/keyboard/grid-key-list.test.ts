import { expect, test } from 'vitest'
import { GRID_KEYS } from './grid-key-list.ts'
import { commandFor, type KeyPress } from './keyboard.ts'

function pressOf(keys: string): KeyPress {
  const held = keys.split('+')
  const key = held.pop() ?? ''
  return {
    key: key === 'Space' ? ' ' : key,
    ctrlKey: held.includes('Mod') || held.includes('Control'),
    metaKey: false,
    shiftKey: held.includes('Shift'),
    altKey: held.includes('Alt'),
  }
}

test.each(GRID_KEYS)('$keys is bound to what the sheet says: $does', ({ keys, place, command }) => {
  expect(keys.map((one) => commandFor(pressOf(one), place)?.do)).toEqual(keys.map(() => command))
})
