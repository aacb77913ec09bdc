import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  MAX_SPACER_PX,
  mustSettleNow,
  positionAt,
  SCROLL_START,
  scrolledTo,
  type ScrollPosition,
  scrollScale,
  settled,
  toPhysical,
  toVirtual,
} from './use-grid-viewport.ts'

const million = scrollScale(1_000_000 * 36, 800)

const anyScale = fc
  .record({ rows: fc.integer({ min: 0, max: 50_000_000 }), viewportPx: fc.integer({ min: 1, max: 4000 }) })
  .map(({ rows, viewportPx }) => scrollScale(rows * 36, viewportPx))

test('a list that fits the maximum element height uses native scroll positions', () => {
  const scale = scrollScale(10_000, 800)
  expect(scale.spacerPx).toBe(10_000)
  expect(scrolledTo(scale, SCROLL_START, 5000)).toEqual({ physicalPx: 5000, virtualPx: 5000 })
})

test('a million rows fit into a scroll height that every browser supports', () => {
  expect(million.spacerPx).toBe(MAX_SPACER_PX)
  expect(million.virtualRangePx).toBe(36_000_000 - 800)
})

test('the end of the scroll bar corresponds to the end of the list', () => {
  expect(toVirtual(million, million.physicalRangePx)).toBe(million.virtualRangePx)
  expect(scrolledTo(million, SCROLL_START, 99_999_999).virtualPx).toBe(million.virtualRangePx)
})

test('wheel scrolling in the middle moves the list by the same number of pixels', () => {
  const from = positionAt(million, 18_000_000)
  const to = scrolledTo(million, from, from.physicalPx + 400)
  expect(to.virtualPx - from.virtualPx).toBe(400)
})

test('dragging the scroll bar scrolls the list proportionally', () => {
  const from = positionAt(million, 0)
  expect(scrolledTo(million, from, million.physicalRangePx / 2).virtualPx).toBeCloseTo(million.virtualRangePx / 2, 3)
})

test('mapping list positions to scroll positions and back is lossless', () => {
  fc.assert(
    fc.property(anyScale, fc.double({ min: 0, max: 1, noNaN: true }), (scale, part) => {
      const virtual = scale.virtualRangePx * part
      expect(toVirtual(scale, toPhysical(scale, virtual))).toBeCloseTo(virtual, 2)
    }),
  )
})

test('the scroll mapping is monotonic', () => {
  fc.assert(
    fc.property(anyScale, fc.nat(9_000_000), fc.nat(10_000), (scale, physical, step) => {
      expect(toVirtual(scale, physical + step)).toBeGreaterThanOrEqual(toVirtual(scale, physical))
    }),
  )
})

test('when scrolling ends, the list position is kept and the scroll bar is corrected', () => {
  fc.assert(
    fc.property(anyScale, fc.array(fc.integer({ min: -4000, max: 4000 }), { maxLength: 40 }), (scale, deltas) => {
      const moved = deltas.reduce((at, delta) => scrolledTo(scale, at, at.physicalPx + delta), positionAt(scale, 1e7))
      const rested = settled(scale, moved)
      expect(rested.virtualPx).toBeCloseTo(moved.virtualPx, 6)
      expect(mustSettleNow(scale, rested)).toBe(false)
    }),
  )
})

/** Scrolls in short steps like a mouse wheel, settling only when required. */
function walk(from: ScrollPosition, step: number, mayStop: (at: ScrollPosition) => boolean): ScrollPosition[] {
  const way = [from]
  let at = from
  for (let turn = 0; turn < 200_000 && !mayStop(at); turn++) {
    at = scrolledTo(million, at, at.physicalPx + step)
    if (mustSettleNow(million, at)) at = settled(million, at)
    way.push(at)
  }
  return way
}

test('continuous wheel scrolling shows every row up to either end', () => {
  const down = walk(positionAt(million, 30_000_000), 400, (at) => at.virtualPx >= million.virtualRangePx)
  const up = walk(positionAt(million, 6_000_000), -400, (at) => at.virtualPx <= 0)
  for (const way of [down, up]) {
    const longest = way.reduce(
      (most, at, i) => Math.max(most, Math.abs(at.virtualPx - (way[i - 1] ?? at).virtualPx)),
      0,
    )
    expect(longest).toBeLessThanOrEqual(400)
  }
  expect(down.at(-1)).toEqual({ physicalPx: million.physicalRangePx, virtualPx: million.virtualRangePx })
  expect(up.at(-1)).toEqual({ physicalPx: 0, virtualPx: 0 })
})
