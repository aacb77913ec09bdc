import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseList, printList } from './list-text.ts'

test('splits at semicolons and drops empty names', () => {
  expect(parseList('Ada;  Grace ;; Edsger;')).toEqual(['Ada', 'Grace', 'Edsger'])
})

test('treats a quotation mark inside a name literally', () => {
  expect(parseList('5" disk; "quoted" and more')).toEqual(['5" disk', '"quoted" and more'])
})

test('round-trips any names', () => {
  const title = fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[a;" ]*$/)).filter((text) => text !== '')
  fc.assert(
    fc.property(fc.array(title), (titles) => {
      expect(parseList(printList(titles))).toEqual(titles)
    }),
  )
})
