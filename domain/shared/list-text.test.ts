import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseList, printList } from './list-text.ts'

test('splits a list at semicolons and drops empty names', () => {
  expect(parseList('Ada;  Grace ;; Edsger;')).toEqual(['Ada', 'Grace', 'Edsger'])
})

test('treats a quotation mark inside a name as a literal character', () => {
  expect(parseList('5" disk; "quoted" and more')).toEqual(['5" disk', '"quoted" and more'])
})

test('prints and parses any names without changing them', () => {
  const title = fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[a;" ]*$/)).filter((text) => text !== '')
  fc.assert(
    fc.property(fc.array(title), (titles) => {
      expect(parseList(printList(titles))).toEqual(titles)
    }),
  )
})
