import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  assignSlots,
  BLOCK_ROWS,
  blockSpan,
  blocksOf,
  drawnLines,
  planRequests,
  spansOf,
  visibleLines,
  windowLines,
} from './row-window.ts'

test('the viewport includes partially visible rows', () => {
  const span = visibleLines({ offsetPx: 3610, viewportPx: 720, rowPx: 36, lineCount: 1000 })
  expect(span).toEqual({ first: 100, end: 121 })
})

test('the rendered rows cover the viewport and never exceed the list', () => {
  const anyMove = fc.record({ offsetPx: fc.nat(4_000_000), movedLines: fc.integer({ min: -300, max: 300 }) })
  fc.assert(
    fc.property(fc.nat(100_000), fc.nat(3000), fc.array(anyMove), (lineCount, viewportPx, moves) => {
      let drawn = { first: 0, end: 0 }
      for (const { offsetPx, movedLines } of moves) {
        const visible = visibleLines({ offsetPx, viewportPx, rowPx: 36, lineCount })
        drawn = drawnLines({ visible, drawn, lineCount, movedLines })
        expect(drawn.first).toBeLessThanOrEqual(visible.first)
        expect(drawn.end).toBeGreaterThanOrEqual(visible.end)
        expect(drawn.first).toBeGreaterThanOrEqual(0)
        expect(drawn.end).toBeLessThanOrEqual(lineCount)
      }
    }),
  )
})

test('scrolling a short distance renders nothing new', () => {
  const drawn = { first: 96, end: 130 }
  expect(drawnLines({ visible: { first: 101, end: 121 }, drawn, lineCount: 1000, movedLines: 1 })).toBe(drawn)
})

test('faster scrolling renders more rows ahead, except during flick scrolling', () => {
  const drawn = { first: 0, end: 0 }
  const visible = { first: 100, end: 120 }
  const movedBy = (movedLines: number) => drawnLines({ visible, drawn, lineCount: 1000, movedLines })
  expect(movedBy(1)).toEqual({ first: 96, end: 128 })
  expect(movedBy(11)).toEqual({ first: 96, end: 156 })
  expect(movedBy(-11)).toEqual({ first: 64, end: 124 })
  expect(movedBy(111)).toEqual({ first: 96, end: 124 })
})

test('a row that must remain rendered is rendered once and in list order', () => {
  expect(windowLines({ first: 5, end: 8 }, 2)).toEqual([2, 5, 6, 7])
  expect(windowLines({ first: 5, end: 8 }, 6)).toEqual([5, 6, 7])
  expect(windowLines({ first: 5, end: 8 }, 9)).toEqual([5, 6, 7, 9])
  expect(windowLines({ first: 5, end: 8 }, undefined)).toEqual([5, 6, 7])
})

test('the blocks for a range of rows contain all of them, and no unneeded block', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.integer({ min: 1, max: 500 }), (first, count) => {
      const blocks = blocksOf([{ first, end: first + count }])
      const spans = blocks.map((block) => blockSpan(block, 2_000_000))
      expect(spans[0]?.first).toBeLessThanOrEqual(first)
      expect(spans.at(-1)?.end).toBeGreaterThanOrEqual(first + count)
      expect((spans.at(-1)?.first ?? 0) - (spans[0]?.end ?? 0)).toBeLessThan(count)
    }),
  )
  expect(blocksOf([])).toEqual([])
})

test('rows in two distant groups are requested as two ranges, without the rows between them', () => {
  expect(spansOf([4, 5, 6, 900_000])).toEqual([
    { first: 4, end: 7 },
    { first: 900_000, end: 900_001 },
  ])
  expect(blocksOf(spansOf([4, 5, 99, 100, 900_000]))).toEqual([0, 1, 9000])
})

test('the last block ends at the end of the list', () => {
  expect(blockSpan(32, 3201)).toEqual({ first: 3200, end: 3201 })
  expect(blockSpan(40, 3201)).toEqual({ first: 3201, end: 3201 })
})

test('only missing blocks are requested, and requests for blocks scrolled out of view are aborted', () => {
  const plan = planRequests({ needed: [4, 5, 6], loaded: (block) => block === 4, running: [2, 5] })
  expect(plan).toEqual({ ask: [6], cancel: [2] })
  expect(BLOCK_ROWS).toBe(100)
})

test('a row keeps its DOM element while it is rendered, and no two rows share one', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ first: fc.nat(10_000), count: fc.integer({ min: 1, max: 40 }) })), (windows) => {
      let slots = new Map<number, number>()
      for (const { first, count } of windows) {
        const lines = windowLines({ first, end: first + count }, 77)
        const next = assignSlots(slots, lines)
        expect(new Set(next.values()).size).toBe(lines.length)
        const stayed = lines.filter((line) => slots.has(line))
        expect(stayed.map((line) => next.get(line))).toEqual(stayed.map((line) => slots.get(line)))
        slots = next
      }
    }),
  )
})

test('scrolling by one row reuses the DOM element of the row that left the viewport', () => {
  const before = assignSlots(new Map(), [0, 1, 2])
  expect([...assignSlots(before, [1, 2, 3]).entries()]).toEqual([
    [1, 1],
    [2, 2],
    [3, 0],
  ])
})
