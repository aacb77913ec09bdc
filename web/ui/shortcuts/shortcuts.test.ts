import { describe, expect, test } from 'vitest'
import { keysOf, meaningOf, type ShortcutPress, SHORTCUTS } from './shortcuts.tsx'

const NO_KEYS = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, isTaken: false }

/** The presses that the keys of the list stand for. */
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

describe('the keys of the list', () => {
  test.each(SHORTCUTS)('$keys runs $command', ({ keys, command }) => {
    expect(after(pressesOf(keys))).toBe(command)
  })

  test('are each there once', () => {
    expect(new Set(SHORTCUTS.map(({ keys }) => keys)).size).toBe(SHORTCUTS.length)
  })

  test('are found by their command', () => {
    expect(keysOf('palette')).toBe('Mod+K')
    expect(keysOf('unheard-of')).toBeUndefined()
  })
})

describe('a press', () => {
  const press = (key: string, more: Partial<ShortcutPress> = {}) => ({ ...NO_KEYS, key, ...more })

  test('on a Mac is held with Command', () => {
    expect(after([press('k', { metaKey: true })])).toBe('palette')
  })

  test('of a sign may need Shift, as on the keyboard at hand', () => {
    expect(after([press('?', { shiftKey: true })])).toBe('shortcuts')
    expect(after([press('/', { shiftKey: true })])).toBe('search-list')
  })

  test('of a letter with Shift, or of anything with Alt, is none of ours', () => {
    expect(after([press('C', { shiftKey: true })])).toBeUndefined()
    expect(after([press('c', { altKey: true })])).toBeUndefined()
    expect(after([press('k', { ctrlKey: true, metaKey: true })])).toBeUndefined()
  })

  test('is a letter and nothing else where one writes; held keys are heard there, too', () => {
    expect(after([press('c', { isTaken: true })])).toBeUndefined()
    expect(after([press('k', { ctrlKey: true, isTaken: true })])).toBe('palette')
  })

  test('of a single key does nothing for those who have switched them off', () => {
    expect(after([press('?')], false)).toBeUndefined()
    expect(after([press('/', { ctrlKey: true })], false)).toBe('shortcuts')
  })

  test('that completes nothing is taken for itself', () => {
    expect(after([press('g'), press('c')])).toBe('new-record')
    expect(after([press('g'), press('x')])).toBeUndefined()
  })
})
