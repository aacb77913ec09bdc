import { describe, expect, test } from 'vitest'
import { judgeArrival } from './judge-arrival.ts'
import { LATE_LOOKS, LATE_MS, MOST_OPEN_OF_ALL, MOST_OPEN_OF_ONE } from './turn-limits.ts'

const quiet = { own: 0, all: 0, lateMs: [0, 0, 0] }
const late = Array.from({ length: LATE_LOOKS }, () => LATE_MS)

describe('a request that arrives', () => {
  test('is welcome where there is little to do, and as the last that there is room for', () => {
    expect(judgeArrival(quiet)).toBe('welcome')
    expect(judgeArrival({ ...quiet, own: MOST_OPEN_OF_ONE - 1, all: MOST_OPEN_OF_ALL - 1 })).toBe('welcome')
  })

  test('is too many at once where its asker has too much open, whatever the others have', () => {
    expect(judgeArrival({ ...quiet, own: MOST_OPEN_OF_ONE })).toBe('too-many-at-once')
    expect(judgeArrival({ own: MOST_OPEN_OF_ONE, all: MOST_OPEN_OF_ALL, lateMs: late })).toBe('too-many-at-once')
  })

  test('is refused where all together have too much open', () => {
    expect(judgeArrival({ ...quiet, all: MOST_OPEN_OF_ALL })).toBe('overloaded')
  })

  test('is refused where the server has been late again and again, and not for having been late once', () => {
    expect(judgeArrival({ ...quiet, lateMs: late })).toBe('overloaded')
    expect(judgeArrival({ ...quiet, lateMs: [...late, 0] })).toBe('welcome')
    expect(judgeArrival({ ...quiet, lateMs: [60_000, 0, 0] })).toBe('welcome')
    expect(judgeArrival({ ...quiet, lateMs: late.slice(1) })).toBe('welcome')
  })
})
