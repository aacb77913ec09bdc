import { expect, test } from 'vitest'
import { relativeTimeText } from './relative-time.tsx'

const now = new Date(2026, 10, 20, 12, 0, 0)
const MINUTE_MS = 60_000

test.each([
  [0, 'now'],
  [59_000, 'now'],
  [MINUTE_MS, '1 minute ago'],
  [59 * MINUTE_MS, '59 minutes ago'],
  [60 * MINUTE_MS, '1 hour ago'],
  [24 * 60 * MINUTE_MS, 'yesterday'],
  [3 * 24 * 60 * MINUTE_MS, '3 days ago'],
  [8 * 24 * 60 * MINUTE_MS, 'Nov 12'],
  [400 * 24 * 60 * MINUTE_MS, 'Oct 16, 2025'],
  [-5 * MINUTE_MS, 'in 5 minutes'],
])('%i ms ago is shown as %s', (agoMs, text) => {
  expect(relativeTimeText(new Date(now.getTime() - agoMs), now, 'en-US')).toBe(text)
})
