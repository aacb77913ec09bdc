import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCharacter } from '#tests/support/documents/any-character.ts'
import { truncateFileName } from './truncate-file-name.ts'

const bytesOf = (text: string): number => Buffer.byteLength(text)

test('keeps a file name within the limit unchanged', () => {
  for (const name of ['plan.png', 'ж'.repeat(255), `${'x'.repeat(251)}.txt`, ''])
    expect(truncateFileName(name, { characters: 255 })).toBe(name)
})

test('keeps the extension of a 300-letter file name in any script', () => {
  expect(truncateFileName(`${'x'.repeat(300)}.txt`, { characters: 255 })).toBe(`${'x'.repeat(251)}.txt`)
  expect(truncateFileName(`${'報'.repeat(300)}.xlsx`, { characters: 255 })).toBe(`${'報'.repeat(250)}.xlsx`)
  expect(truncateFileName(`${'x'.repeat(300)}.tar.gz`, { characters: 255 })).toBe(`${'x'.repeat(248)}.tar.gz`)
})

test('limits the length in bytes if requested', () => {
  expect(truncateFileName(`${'報'.repeat(100)}.xlsx`, { characters: 255, bytes: 255 })).toBe(`${'報'.repeat(83)}.xlsx`)
  expect(truncateFileName(`${'🙂'.repeat(100)}.png`, { characters: 255, bytes: 255 })).toBe(`${'🙂'.repeat(62)}.png`)
})

test('never truncates a file name inside a grapheme', () => {
  const family = '👩‍👩‍👧‍👦'
  expect(truncateFileName(`${family.repeat(60)}.jpeg`, { characters: 255 })).toBe(`${family.repeat(35)}.jpeg`)
  expect(truncateFileName(`${'x\u0301\u0323'.repeat(120)}.md`, { characters: 255 })).toBe(
    `${'x\u0301\u0323'.repeat(84)}.md`,
  )
  expect(truncateFileName(`a${'\u0301'.repeat(400)}.md`, { characters: 255 })).toBe(`a${'\u0301'.repeat(251)}.md`)
})

test('leaves no space or dot before the extension', () => {
  expect(truncateFileName(`${'x'.repeat(248)} . ${'y'.repeat(50)}.txt`, { characters: 252 })).toBe(
    `${'x'.repeat(248)}.txt`,
  )
})

test('truncates an extension that is too long', () => {
  expect(truncateFileName(`${'x'.repeat(300)}.${'y'.repeat(21)}`, { characters: 255 })).toBe('x'.repeat(255))
})

test('never returns a file name longer than the limit', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (name) => {
      const short = truncateFileName(name, { characters: 60, bytes: 120 })
      expect([...short].length).toBeLessThanOrEqual(60)
      expect(bytesOf(short)).toBeLessThanOrEqual(120)
    }),
  )
})
