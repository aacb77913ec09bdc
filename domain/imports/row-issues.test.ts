import { expect, test } from 'vitest'
import { createIssueCollector } from './row-issues.ts'

const unread = (row: number, text: string) => ({
  row,
  at: 1,
  column: 'Price',
  code: 'not-number',
  text,
  message: `“${text}”`,
})

test('rejected rows are grouped by column and cause, with the rejected values sorted by frequency', () => {
  const collector = createIssueCollector()
  collector.add([
    unread(2, 'x'),
    unread(3, 'free'),
    { row: 3, column: 'Name', at: 0, code: 'required', text: '', message: 'Required.' },
  ])
  collector.add([unread(9, 'free'), { row: 9, column: '', message: 'A rule is broken.' }])
  expect(collector.rowCount()).toBe(3)
  expect(collector.issues()).toMatchObject([
    {
      at: 1,
      code: 'not-number',
      rowCount: 3,
      firstRow: 2,
      message: '“x”',
      texts: [
        { text: 'free', count: 2 },
        { text: 'x', count: 1 },
      ],
    },
    { at: 0, code: 'required', rowCount: 1, texts: [] },
    { at: null, code: 'invalid', rowCount: 1 },
  ])
})

test('a row that has several invalid values with the same cause counts once', () => {
  const collector = createIssueCollector()
  collector.add([unread(4, 'a'), unread(4, 'b')])
  expect(collector.issues()).toMatchObject([{ rowCount: 1, textCount: 2 }])
})

test('the number of stored rejected values is limited', () => {
  const collector = createIssueCollector()
  for (let row = 1; row <= 2_000; row += 1) collector.add([unread(row, `text ${row}`)])
  expect(collector.issues()).toMatchObject([{ rowCount: 2_000, textCount: 1_000 }])
})
