import { expect, test } from 'vitest'
import { bufferKeysAfter } from './commands.ts'

const PLAIN = { ctrlKey: false, metaKey: false, altKey: false, isComposing: false }

/** What is kept of some keys, one after the other; undefined from the first that is not for the field. */
const typed = (...keys: string[]): string | undefined =>
  keys.reduce<string | undefined>(
    (text, key) => (text === undefined ? text : bufferKeysAfter(text, { ...PLAIN, key })),
    '',
  )

test('signs are kept in their order, whatever their script, and Backspace takes back a whole one', () => {
  expect(typed('>', 'n', 'é', '𝒳', '名')).toBe('>né𝒳名')
  expect(typed('a', '𝒳', 'Backspace')).toBe('a')
  expect(typed('Backspace', 'a')).toBe('a')
})

test('Enter is kept from what has the keyboard and adds nothing', () => {
  expect(typed('a', 'Enter', 'b')).toBe('ab')
})

test('keys of the browser, of the system and of an input method are left to them', () => {
  expect(typed('a', 'Escape')).toBeUndefined()
  expect(typed('Tab')).toBeUndefined()
  expect(bufferKeysAfter('a', { ...PLAIN, key: 'c', ctrlKey: true })).toBeUndefined()
  expect(bufferKeysAfter('a', { ...PLAIN, key: 'c', metaKey: true })).toBeUndefined()
  expect(bufferKeysAfter('a', { ...PLAIN, key: 'd', altKey: true })).toBeUndefined()
  expect(bufferKeysAfter('a', { ...PLAIN, key: 'k', isComposing: true })).toBeUndefined()
})

test('a sign of the third level is a sign', () => {
  expect(bufferKeysAfter('ada', { ...PLAIN, key: '@', ctrlKey: true, altKey: true })).toBe('ada@')
})
