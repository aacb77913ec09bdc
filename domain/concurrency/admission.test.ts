import { describe, expect, test } from 'vitest'
import {
  decideAdmission,
  EVENT_LOOP_LAG_MS,
  EVENT_LOOP_LAG_SAMPLES,
  MAX_OPEN_PER_CLIENT,
  MAX_OPEN_TOTAL,
} from './admission.ts'

const quiet = { perClient: 0, total: 0, lagMs: [0, 0, 0] }
const late = Array.from({ length: EVENT_LOOP_LAG_SAMPLES }, () => EVENT_LOOP_LAG_MS)

describe('a request that arrives', () => {
  test('is welcome where there is little to do, and as the last that there is room for', () => {
    expect(decideAdmission(quiet)).toBe('admitted')
    expect(decideAdmission({ ...quiet, perClient: MAX_OPEN_PER_CLIENT - 1, total: MAX_OPEN_TOTAL - 1 })).toBe(
      'admitted',
    )
  })

  test('is too many at once where its asker has too much open, whatever the others have', () => {
    expect(decideAdmission({ ...quiet, perClient: MAX_OPEN_PER_CLIENT })).toBe('too-many-at-once')
    expect(decideAdmission({ perClient: MAX_OPEN_PER_CLIENT, total: MAX_OPEN_TOTAL, lagMs: late })).toBe(
      'too-many-at-once',
    )
  })

  test('is refused where all together have too much open', () => {
    expect(decideAdmission({ ...quiet, total: MAX_OPEN_TOTAL })).toBe('overloaded')
  })

  test('is refused where the server has been late again and again, and not for having been late once', () => {
    expect(decideAdmission({ ...quiet, lagMs: late })).toBe('overloaded')
    expect(decideAdmission({ ...quiet, lagMs: [...late, 0] })).toBe('admitted')
    expect(decideAdmission({ ...quiet, lagMs: [60_000, 0, 0] })).toBe('admitted')
    expect(decideAdmission({ ...quiet, lagMs: late.slice(1) })).toBe('admitted')
  })
})
