import { expect, test } from 'vitest'
import { judgePicture } from './picture-limits.ts'

test('a photograph of a telephone is a picture', () => {
  expect(judgePicture({ width: 8160, height: 6120, bytes: 14_000_000 })).toBe('picture')
})

test('a plan scanned with too many pixels is kept, without smaller copies', () => {
  expect(judgePicture({ width: 20_000, height: 28_000, bytes: 1_000_000 })).toBe('too-many-pixels')
})

test('a small file that would fill the memory is a trap', () => {
  expect(judgePicture({ width: 16_383, height: 16_383, bytes: 33_000 })).toBe('trap')
})
