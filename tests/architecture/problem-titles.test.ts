import { describe, expect, test } from 'vitest'
import { PROBLEMS, type ProblemCode } from '#domain/shared/problem.ts'
import { problemTitle } from '#web/data/api/error-messages.ts'

// The keys of the object literal are the names of its type.
const CODES = Object.keys(PROBLEMS) as ProblemCode[]

describe.each(CODES)('the problem "%s"', (code) => {
  test('is said to people in a short calm sentence', () => {
    expect(problemTitle(code)).toMatch(/^\p{Lu}[^!]{2,78}[^!.…]$/u)
  })

  test('is answered with a status that means failure', () => {
    expect(PROBLEMS[code]).toBeGreaterThanOrEqual(400)
    expect(PROBLEMS[code]).toBeLessThan(600)
  })
})
