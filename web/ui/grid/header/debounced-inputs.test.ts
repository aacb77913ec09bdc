import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TABLE } from '#domain/specification.ts'
import { createDebouncedApply } from './debounced-inputs.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function aBox() {
  const applied: string[] = []
  return { applied, box: createDebouncedApply((text) => applied.push(text)) }
}

test('typed text is applied once, 400 ms after the last keystroke', () => {
  const { applied, box } = aBox()
  box.later('a')
  vi.advanceTimersByTime(TABLE.filterDelayMs - 1)
  box.later('ab')
  vi.advanceTimersByTime(TABLE.filterDelayMs - 1)
  expect(applied).toEqual([])
  vi.advanceTimersByTime(1)
  expect(applied).toEqual(['ab'])
})

test('Enter applies the text immediately and cancels the delay', () => {
  const { applied, box } = aBox()
  box.later('ab')
  box.now('ab')
  vi.advanceTimersByTime(TABLE.filterDelayMs * 2)
  expect(applied).toEqual(['ab'])
})

test('two inputs changed within the same delay are both applied', () => {
  const [first, second] = [aBox(), aBox()]
  first.box.later('one')
  second.box.later('two')
  vi.advanceTimersByTime(TABLE.filterDelayMs)
  expect([first.applied, second.applied]).toEqual([['one'], ['two']])
})

test('an unmounted input applies its pending text only once', () => {
  const { applied, box } = aBox()
  box.later('ab')
  box.flush()
  box.flush()
  vi.advanceTimersByTime(TABLE.filterDelayMs)
  expect(applied).toEqual(['ab'])
})

test('a value set from outside discards the pending text', () => {
  const { applied, box } = aBox()
  box.later('ab')
  box.cancel()
  vi.advanceTimersByTime(TABLE.filterDelayMs)
  expect(applied).toEqual([])
})
