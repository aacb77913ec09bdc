import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseTitles, printTitles } from './title-list.ts'

test('titles are parted by semicolons, and empty ones left out', () => {
  expect(parseTitles('Ada;  Grace ;; Edsger;')).toEqual(['Ada', 'Grace', 'Edsger'])
})

test('a quotation mark inside a title means itself', () => {
  expect(parseTitles('5" disk; "quoted" and more')).toEqual(['5" disk', '"quoted" and more'])
})

test('any titles printed are read back the same', () => {
  const title = fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[a;" ]*$/)).filter((text) => text !== '')
  fc.assert(
    fc.property(fc.array(title), (titles) => {
      expect(parseTitles(printTitles(titles))).toEqual(titles)
    }),
  )
})
