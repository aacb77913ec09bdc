import { expect, test } from 'vitest'
import { callAt, suggestionsAt } from './suggestions.ts'

const FIELDS = [
  { name: 'price', label: 'Unit price' },
  { name: 'dueOn', label: 'Due' },
]

/** The cursor is at the bar. */
const at = (marked: string) => [marked.replace('|', ''), marked.indexOf('|')] as const
const suggested = (marked: string) => suggestionsAt(...at(marked), FIELDS).map(({ text }) => text)

test('fields and functions are suggested by the word at the cursor', () => {
  expect(suggested('pri|')).toEqual(['price'])
  expect(suggested('1 + due|')).toEqual(['dueOn'])
  expect(suggested('rou|')).toEqual(['round(', 'rounddown(', 'roundup('])
  expect(suggested('unit|')).toEqual(['price'])
  expect(suggested('pri|ce * 2')).toEqual(['price'])
})

test('nothing is suggested within a text, or without a word', () => {
  expect(suggested('"pri|')).toEqual([])
  expect(suggested('"a" & pri|')).toEqual(['price'])
  expect(suggested('"a \\" pri|')).toEqual([])
  expect(suggested('1 + |')).toEqual([])
  expect(suggested('price|')).toEqual([])
})

test('fields of linked records are suggested after a dot', () => {
  const linked = (path: readonly string[]) =>
    path.join('.') === 'tasks.owner'
      ? [
          { name: 'hours', label: 'Hours' },
          { name: 'title', label: 'Title' },
        ]
      : []
  const after = (marked: string) => suggestionsAt(...at(marked), FIELDS, linked).map(({ text }) => text)
  expect(after('sum(tasks.owner.|')).toEqual(['hours', 'title'])
  expect(after('sum(tasks.owner.ho|')).toEqual(['hours'])
  expect(after('sum(tasks.pri|')).toEqual([])
  expect(after('joi|')).toEqual(['join('])
  expect(suggested('joi|')).toEqual([])
  expect(suggested('sum(tasks.|')).toEqual([])
})

test('a suggestion replaces the whole word', () => {
  const [first] = suggestionsAt(...at('1 + pr|ic * 2'), FIELDS)
  expect(first).toMatchObject({ text: 'price', from: 4, to: 8 })
})

test('the innermost function around the cursor is described', () => {
  expect(callAt(...at('round(len(title) + |1, 2)'))).toMatchObject({
    name: 'round',
    signature: 'round(value, [decimals])',
  })
  expect(callAt(...at('round(len(ti|tle), 2)'))).toMatchObject({ name: 'len' })
  expect(callAt(...at('round((1 + |'))).toMatchObject({ name: 'round' })
  expect(callAt(...at('join(tasks.|'))).toMatchObject({ name: 'join', signature: 'join(links.field)' })
  expect(callAt(...at('round(1)|'))).toBeUndefined()
})
