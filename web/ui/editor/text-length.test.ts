import { expect, test } from 'vitest'
import { lengthOf } from './use-field-editor.ts'

test('words and characters are counted as displayed', () => {
  expect(lengthOf('')).toEqual({ words: 0, characters: 0 })
  expect(lengthOf('Seven otters, don’t they?\n3.5 km')).toEqual({ words: 6, characters: 31 })
  expect(lengthOf('東京都に住む').characters).toBe(6)
  expect(lengthOf('👍🏽').characters).toBeLessThanOrEqual(2)
})
