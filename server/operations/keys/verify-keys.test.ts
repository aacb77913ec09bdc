import { describe, expect, test } from 'vitest'
import { compareKeyIds } from './verify-keys.ts'

describe("the server's keys", () => {
  test('can be new if the database was never used', () => {
    expect(compareKeyIds({ known: [], present: undefined, isUsed: false })).toBe('match')
    expect(compareKeyIds({ known: [], present: ['a'], isUsed: false })).toBe('match')
  })

  test('are missing if the database was already used', () => {
    expect(compareKeyIds({ known: [], present: undefined, isUsed: true })).toBe('missing')
    expect(compareKeyIds({ known: ['a'], present: undefined, isUsed: false })).toBe('missing')
  })

  test('match if they include all that the database remembers', () => {
    expect(compareKeyIds({ known: ['a'], present: ['a'], isUsed: true })).toBe('match')
    expect(compareKeyIds({ known: ['a'], present: ['b', 'a'], isUsed: true })).toBe('match')
  })

  test('count as replaced when one is missing, as in an older copy of the file', () => {
    expect(compareKeyIds({ known: ['a'], present: ['b'], isUsed: true })).toBe('replaced')
    expect(compareKeyIds({ known: ['b', 'a'], present: ['a'], isUsed: true })).toBe('replaced')
  })
})
