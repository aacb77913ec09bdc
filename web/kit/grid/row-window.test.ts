import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assignSlots, BLOCK_ROWS, blockSpan, blocksOf, lineWindow, planRequests, windowLines } from './row-window.ts'

test('the window covers the viewport and a little more on both sides', () => {
  const span = lineWindow({ offsetPx: 3600, viewportPx: 720, rowPx: 36, lineCount: 1000, overscan: 4 })
  expect(span).toEqual({ first: 96, end: 124 })
})

test('the window never leaves the list', () => {
  fc.assert(
    fc.property(
      fc.nat(1_000_000),
      fc.nat(40_000_000),
      fc.nat(3000),
      fc.nat(50),
      (lineCount, offsetPx, viewportPx, overscan) => {
        const span = lineWindow({ offsetPx, viewportPx, rowPx: 36, lineCount, overscan })
        expect(span.first).toBeGreaterThanOrEqual(0)
        expect(span.end).toBeLessThanOrEqual(lineCount)
        expect(span.end).toBeGreaterThanOrEqual(span.first)
      },
    ),
  )
})

test('the kept line stands in the order of the list, and only once', () => {
  expect(windowLines({ first: 5, end: 8 }, 2)).toEqual([2, 5, 6, 7])
  expect(windowLines({ first: 5, end: 8 }, 6)).toEqual([5, 6, 7])
  expect(windowLines({ first: 5, end: 8 }, 9)).toEqual([5, 6, 7, 9])
  expect(windowLines({ first: 5, end: 8 }, undefined)).toEqual([5, 6, 7])
})

test('the blocks of a window hold every row of it, and no block is idle', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.integer({ min: 1, max: 500 }), (first, count) => {
      const blocks = blocksOf({ first, end: first + count })
      const spans = blocks.map((block) => blockSpan(block, 2_000_000))
      expect(spans[0]?.first).toBeLessThanOrEqual(first)
      expect(spans.at(-1)?.end).toBeGreaterThanOrEqual(first + count)
      expect((spans.at(-1)?.first ?? 0) - (spans[0]?.end ?? 0)).toBeLessThan(count)
    }),
  )
  expect(blocksOf({ first: 7, end: 7 })).toEqual([])
})

test('the last block ends with the list', () => {
  expect(blockSpan(32, 3201)).toEqual({ first: 3200, end: 3201 })
  expect(blockSpan(40, 3201)).toEqual({ first: 3201, end: 3201 })
})

test('only missing blocks are asked for, and requests that scrolled away are called off', () => {
  const plan = planRequests({ needed: [4, 5, 6], loaded: (block) => block === 4, running: [2, 5] })
  expect(plan).toEqual({ ask: [6], cancel: [2] })
  expect(BLOCK_ROWS).toBe(100)
})

test('a line keeps its place for as long as it is drawn, and no two lines share one', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ first: fc.nat(10_000), count: fc.integer({ min: 1, max: 40 }) })), (windows) => {
      let slots = new Map<number, number>()
      for (const { first, count } of windows) {
        const lines = windowLines({ first, end: first + count }, 77)
        const next = assignSlots(slots, lines)
        expect(new Set(next.values()).size).toBe(lines.length)
        for (const line of lines) if (slots.has(line)) expect(next.get(line)).toBe(slots.get(line))
        slots = next
      }
    }),
  )
})

test('scrolling on by a row reuses the place of the row that left', () => {
  const before = assignSlots(new Map(), [0, 1, 2])
  expect([...assignSlots(before, [1, 2, 3]).entries()]).toEqual([
    [1, 1],
    [2, 2],
    [3, 0],
  ])
})
