import { expect, test } from 'vitest'
import { canBeDecoded, isHeavy, classifyPicture, type PictureHeader } from './picture-limits.ts'

const header = (width: number, height: number, rest: Partial<PictureHeader> = {}): PictureHeader => ({
  width,
  height,
  format: 'jpeg',
  depth: 'uchar',
  ...rest,
})

test('a photograph of a telephone is a picture', () => {
  expect(classifyPicture(header(8160, 6120), 14_000_000)).toBe('picture')
})

test('a plan scanned with too many pixels is kept, without smaller copies', () => {
  expect(classifyPicture(header(20_000, 28_000), 1_000_000)).toBe('too-large')
})

test('a small file that would fill the memory is a trap, be it by its pixels or by how they are packed', () => {
  expect(classifyPicture(header(16_383, 16_383, { format: 'png' }), 33_000)).toBe('trap')
  expect(classifyPicture(header(7000, 7000, { format: 'heif' }), 1338)).toBe('trap')
})

test('what can be opened depends on how much memory its packing takes', () => {
  expect(canBeDecoded(header(6000, 4000, { format: 'heif' }))).toBe(true)
  expect(canBeDecoded(header(7000, 7000, { format: 'heif' }))).toBe(false)
  expect(canBeDecoded(header(7000, 7000, { format: 'png', depth: 'ushort', isProgressive: true }))).toBe(true)
  expect(canBeDecoded(header(6000, 4000, { format: 'heif', depth: 'ushort' }))).toBe(false)
})

test('everyday photographs are opened beside each other, what is packed to be held whole is opened alone', () => {
  expect(isHeavy(header(6000, 4000))).toBe(false)
  expect(isHeavy(header(6000, 4000, { isProgressive: true }))).toBe(true)
  expect(isHeavy(header(1920, 1080, { format: 'gif' }))).toBe(false)
})
