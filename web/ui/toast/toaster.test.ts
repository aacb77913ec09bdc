import { expect, test } from 'vitest'
import { bottomOffset } from './toaster.tsx'

const stack = { heightPx: 60, windowPx: 800, leastPx: 16 }

test('toasts are at the bottom if they cover no controls there', () => {
  expect(bottomOffset([], stack)).toBe(16)
  expect(bottomOffset([{ top: 100, bottom: 140 }], stack)).toBe(16)
})

test('toasts move up if they would cover controls', () => {
  const pager = { top: 750, bottom: 780 }
  expect(bottomOffset([pager], stack)).toBe(800 - (750 - 8))
  const above = { top: 690, bottom: 710 }
  expect(bottomOffset([above, pager], stack)).toBe(800 - (690 - 8))
})

test('toasts remain at the bottom if there is no free position', () => {
  const everywhere = Array.from({ length: 20 }, (_, at) => ({ top: at * 40, bottom: at * 40 + 30 }))
  expect(bottomOffset(everywhere, stack)).toBe(16)
})
