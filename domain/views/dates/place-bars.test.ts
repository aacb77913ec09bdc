import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitBars, placeBars, placeTimes } from './place-bars.ts'

const WEEK = { first: 100, count: 7 }

const item = fc
  .record({ first: fc.integer({ min: 90, max: 110 }), length: fc.nat(12), startMinute: fc.option(fc.nat(1_439)) })
  .map(({ first, length, startMinute }) => ({ first, last: first + length, startMinute }))
const items = fc.array(item, { maxLength: 40 })

const daysOf = ({ day, dayCount }: { readonly day: number; readonly dayCount: number }) =>
  Array.from({ length: dayCount }, (_, at) => day + at)

describe('bars in consecutive days', () => {
  test('show each record of those days once, and no others', () => {
    fc.assert(
      fc.property(items, (all) => {
        const placed = placeBars(all, WEEK).map((bar) => bar.item)
        const inSight = all.filter(({ first, last }) => first < 107 && last >= 100)
        expect(placed.length).toBe(inSight.length)
        expect(new Set(placed)).toEqual(new Set(inSight))
      }),
    )
  })

  test('never overlap, and need only as many lanes as the most crowded day has records', () => {
    fc.assert(
      fc.property(items, (all) => {
        const bars = placeBars(all, WEEK)
        const cells = bars.flatMap((bar) => daysOf(bar).map((day) => `${bar.lane} ${day}`))
        expect(new Set(cells).size).toBe(cells.length)
        const perDay = Array.from({ length: 7 }, (_, day) => bars.filter((bar) => daysOf(bar).includes(day)).length)
        expect(Math.max(0, ...bars.map(({ lane }) => lane + 1))).toBe(Math.max(...perDay))
      }),
    )
  })

  test('say whether a record continues outside these days', () => {
    const [bar] = placeBars([{ first: 98, last: 120, startMinute: null }], WEEK)
    expect(bar).toMatchObject({ day: 0, dayCount: 7, continuesBefore: true, continuesAfter: true })
  })

  test('place long records above short ones, and then by time of day', () => {
    const of = (name: string, last: number, startMinute: number | null) => ({ name, first: 100, last, startMinute })
    const bars = placeBars(
      [of('late', 100, 900), of('early', 100, 540), of('day', 100, null), of('long', 103, 60)],
      WEEK,
    )
    expect(bars.map((bar) => bar.item.name)).toEqual(['long', 'day', 'early', 'late'])
  })
})

test('records that have no room are counted on each of their days, and the last lane is left for the count', () => {
  fc.assert(
    fc.property(items, fc.integer({ min: 1, max: 6 }), (all, lanes) => {
      const bars = placeBars(all, WEEK)
      const { shown, hidden } = fitBars(bars, 7, lanes)
      for (let day = 0; day < 7; day += 1) {
        const isHere = (bar: { readonly day: number; readonly dayCount: number }) => daysOf(bar).includes(day)
        const [seen, everything] = [shown.filter(isHere), bars.filter(isHere)]
        expect(seen.length + (hidden[day] ?? 0)).toBe(everything.length)
        expect(seen.every(({ lane }) => lane < (hidden[day] === 0 ? lanes : lanes - 1))).toBe(true)
      }
    }),
  )
})

test('records of a day are side by side where they overlap in time', () => {
  const minute = fc.integer({ min: 0, max: 1_439 })
  const timed = fc
    .record({ startMinute: minute, length: fc.nat(600) })
    .map(({ startMinute, length }) => ({ startMinute, endMinute: Math.min(1_440, startMinute + length) }))
  fc.assert(
    fc.property(fc.array(timed, { maxLength: 30 }), (all) => {
      const placed = placeTimes(all)
      expect(placed.length).toBe(all.length)
      for (const one of placed) {
        expect(one.place).toBeLessThan(one.placeCount)
        expect(one.to - one.from).toBeGreaterThanOrEqual(30)
        for (const other of placed) {
          const isOverlapping = one !== other && one.from < other.to && other.from < one.to
          if (!isOverlapping) continue
          expect(one.place).not.toBe(other.place)
          expect(one.placeCount).toBe(other.placeCount)
        }
      }
    }),
  )
})
