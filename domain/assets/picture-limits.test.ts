import { expect, test } from 'vitest'
import { canBeDecoded, isHeavy, classifyPicture, type PictureHeader } from './picture-limits.ts'

const header = (width: number, height: number, rest: Partial<PictureHeader> = {}): PictureHeader => ({
  width,
  height,
  format: 'jpeg',
  depth: 'uchar',
  ...rest,
})

test('accepts a phone photo for thumbnails', () => {
  expect(classifyPicture(header(8160, 6120), 14_000_000)).toBe('picture')
})

test('stores a scan with too many pixels, but creates no thumbnails', () => {
  expect(classifyPicture(header(20_000, 28_000), 1_000_000)).toBe('too-large')
})

test('rejects small files that need too much memory to decode', () => {
  expect(classifyPicture(header(16_383, 16_383, { format: 'png' }), 33_000)).toBe('bomb')
  expect(classifyPicture(header(7000, 7000, { format: 'heif' }), 1338)).toBe('bomb')
})

test('limits decoding based on the memory that each format needs', () => {
  expect(canBeDecoded(header(6000, 4000, { format: 'heif' }))).toBe(true)
  expect(canBeDecoded(header(7000, 7000, { format: 'heif' }))).toBe(false)
  expect(canBeDecoded(header(7000, 7000, { format: 'png', depth: 'ushort', isProgressive: true }))).toBe(true)
  expect(canBeDecoded(header(6000, 4000, { format: 'heif', depth: 'ushort' }))).toBe(false)
})

test('decodes ordinary photos concurrently and memory-heavy ones one at a time', () => {
  expect(isHeavy(header(6000, 4000))).toBe(false)
  expect(isHeavy(header(6000, 4000, { isProgressive: true }))).toBe(true)
  expect(isHeavy(header(1920, 1080, { format: 'gif' }))).toBe(false)
})
