import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareTexts, shortenParts } from './text-difference.ts'

const printed = (before: string, after: string) =>
  compareTexts(before, after)
    .map(({ is, text }) => (is === 'same' ? text : is === 'added' ? `[+${text}]` : `[-${text}]`))
    .join('')

test('changed words are marked as a whole', () => {
  expect(printed('I am glad to hear from you.', 'I am very glad to hear from you.')).toMatch(
    /^I am\[\+ very\] glad to|^I am \[\+very \]glad to/,
  )
  expect(printed('The red boat', 'The blue boat')).toBe('The [-red][+blue] boat')
  expect(printed('restore', 'restored now')).toBe('[-restore][+restored now]')
  expect(printed('a thousand years', 'two thousand years')).toBe('[-a][+two] thousand years')
  expect(printed('one', 'one')).toBe('one')
  expect(printed('one\ntwo', 'one')).toBe('one[-\ntwo]')
  expect(printed('😀', '😁')).toBe('[-😀][+😁]')
})

test('the parts contain both texts completely', () => {
  const text = fc.array(fc.constantFrom('red', 'boat', ' ', '\n', '.', '日本', '😀')).map((words) => words.join(''))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const parts = compareTexts(before, after)
      const without = (is: string) => parts.flatMap((part) => (part.is === is ? [] : part.text)).join('')
      expect(without('added')).toBe(before)
      expect(without('removed')).toBe(after)
    }),
  )
})

test('long unchanged text is shortened to the surroundings of the changes', () => {
  const long = 'word '.repeat(100)
  const parts = shortenParts(compareTexts(`${long}old ${long}`, `${long}new ${long}`))
  expect(parts.map(({ is }) => is)).toEqual(['same', 'removed', 'added', 'same'])
  expect(parts.every(({ text }) => text.length < 140)).toBe(true)
})
