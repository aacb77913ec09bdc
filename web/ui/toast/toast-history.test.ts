import { expect, test } from 'vitest'
import { createToastEntries, createToastHistory, MAX_REMEMBERED } from './toast-entries.ts'

const AT = '2026-11-20T09:00:00.000Z'

test('the toast history keeps the last fifty notifications, newest first', () => {
  const entries = createToastEntries()
  const history = createToastHistory()
  for (let said = 1; said <= MAX_REMEMBERED + 5; said += 1)
    history.note(entries.join('info', `No. ${said}`, {}).entry, AT)
  expect(history.get()).toHaveLength(MAX_REMEMBERED)
  expect(history.get()[0]).toMatchObject({ text: `No. ${MAX_REMEMBERED + 5}` })
})

test('a repeated notification moves to the front of the history with a count', () => {
  const entries = createToastEntries()
  const history = createToastHistory()
  for (const text of ['Saved', 'Moved', 'Saved']) history.note(entries.join('info', text, {}).entry, AT)
  expect(history.get().map(({ text, times }) => [text, times])).toEqual([
    ['Saved', 2],
    ['Moved', 1],
  ])
})
