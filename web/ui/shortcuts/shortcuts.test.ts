import { describe, expect, test } from 'vitest'
import { keysOf, meaningOf, type ShortcutPress, SHORTCUTS } from './shortcuts.tsx'

const NO_KEYS = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, isTaken: false }

const pressesOf = (keys: string): ShortcutPress[] =>
  keys.split(' ').map((one) => {
    const isMod = one.startsWith('Mod+')
    return { ...NO_KEYS, key: (isMod ? one.slice(4) : one).toLowerCase(), ctrlKey: isMod }
  })

function after(presses: readonly ShortcutPress[], areSingleKeysOn = true): string | undefined {
  let waiting: string | undefined
  for (const press of presses) {
    const meaning = meaningOf(press, waiting, areSingleKeysOn)
    if (meaning && 'run' in meaning) return meaning.run
    waiting = meaning?.waitAfter
  }
  return undefined
}

describe('the shortcut list', () => {
  test.each(SHORTCUTS)('$keys runs $command', ({ keys, command }) => {
    expect(after(pressesOf(keys))).toBe(command)
  })

  test('contains no duplicate shortcuts', () => {
    expect(new Set(SHORTCUTS.map(({ keys }) => keys)).size).toBe(SHORTCUTS.length)
  })

  test('finds the keys of a command', () => {
    expect(keysOf('palette')).toBe('Mod+K')
    expect(keysOf('unheard-of')).toBeUndefined()
  })
})

describe('a key press', () => {
  const press = (key: string, more: Partial<ShortcutPress> = {}) => ({ ...NO_KEYS, key, ...more })

  test('uses Command on a Mac', () => {
    expect(after([press('k', { metaKey: true })])).toBe('palette')
  })

  test('matches symbols with or without Shift, because some keyboards require it', () => {
    expect(after([press('?', { shiftKey: true })])).toBe('shortcuts')
    expect(after([press('/', { shiftKey: true })])).toBe('search-list')
  })

  test('is ignored if it is a letter with Shift or any key with Alt', () => {
    expect(after([press('C', { shiftKey: true })])).toBeUndefined()
    expect(after([press('c', { altKey: true })])).toBeUndefined()
    expect(after([press('k', { ctrlKey: true, metaKey: true })])).toBeUndefined()
  })

  test('is ignored in text fields if it has no modifier', () => {
    expect(after([press('c', { isTaken: true })])).toBeUndefined()
    expect(after([press('k', { ctrlKey: true, isTaken: true })])).toBe('palette')
  })

  test('is ignored if it has no modifier and the user has turned off single-key shortcuts', () => {
    expect(after([press('?')], false)).toBeUndefined()
    expect(after([press('/', { ctrlKey: true })], false)).toBe('shortcuts')
  })

  test('starts a new sequence if it completes none', () => {
    expect(after([press('g'), press('c')])).toBe('new-record')
    expect(after([press('g'), press('x')])).toBeUndefined()
  })
})
