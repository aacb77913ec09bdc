import { describe, expect, test } from 'vitest'
import { PROBLEMS, type ProblemCode } from '#domain/shared/problem.ts'
import { problemTitle } from '#web/data/api/error-messages.ts'

// The object has exactly the problem codes as keys.
const CODES = Object.keys(PROBLEMS) as ProblemCode[]

describe.each(CODES)('the problem "%s"', (code) => {
  test('has a short title', () => {
    expect(problemTitle(code)).toMatch(/^\p{Lu}[^!]{2,78}[^!.…]$/u)
  })

  test('has an error status', () => {
    expect(PROBLEMS[code]).toBeGreaterThanOrEqual(400)
    expect(PROBLEMS[code]).toBeLessThan(600)
  })
})
