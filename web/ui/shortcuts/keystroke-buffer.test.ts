import { expect, test } from 'vitest'
import { bufferKeysAfter } from './commands.ts'

const PLAIN = { ctrlKey: false, metaKey: false, altKey: false, isComposing: false }

const typed = (...keys: string[]): string | undefined =>
  keys.reduce<string | undefined>(
    (text, key) => (text === undefined ? text : bufferKeysAfter(text, { ...PLAIN, key })),
    '',
  )

test('characters are kept in order in any script, and Backspace removes a whole character', () => {
  expect(typed('>', 'n', 'é', '𝒳', '名')).toBe('>né𝒳名')
  expect(typed('a', '𝒳', 'Backspace')).toBe('a')
  expect(typed('Backspace', 'a')).toBe('a')
})

test('Enter on the focused element is passed through and adds no character', () => {
  expect(typed('a', 'Enter', 'b')).toBe('ab')
})

test('browser, system and input method keys are ignored', () => {
  expect(typed('a', 'Escape')).toBeUndefined()
  expect(typed('Tab')).toBeUndefined()
  expect(bufferKeysAfter('a', { ...PLAIN, key: 'c', ctrlKey: true })).toBeUndefined()
  expect(bufferKeysAfter('a', { ...PLAIN, key: 'c', metaKey: true })).toBeUndefined()
  expect(bufferKeysAfter('a', { ...PLAIN, key: 'd', altKey: true })).toBeUndefined()
  expect(bufferKeysAfter('a', { ...PLAIN, key: 'k', isComposing: true })).toBeUndefined()
})

test('a character typed with AltGr is text', () => {
  expect(bufferKeysAfter('ada', { ...PLAIN, key: '@', ctrlKey: true, altKey: true })).toBe('ada@')
})
