import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseList, printList } from './list-text.ts'

test('names are parted by semicolons, and empty ones left out', () => {
  expect(parseList('Ada;  Grace ;; Edsger;')).toEqual(['Ada', 'Grace', 'Edsger'])
})

test('a quotation mark inside a name means itself', () => {
  expect(parseList('5" disk; "quoted" and more')).toEqual(['5" disk', '"quoted" and more'])
})

test('any names printed are read back the same', () => {
  const title = fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[a;" ]*$/)).filter((text) => text !== '')
  fc.assert(
    fc.property(fc.array(title), (titles) => {
      expect(parseList(printList(titles))).toEqual(titles)
    }),
  )
})
