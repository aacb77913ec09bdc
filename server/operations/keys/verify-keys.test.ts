import { describe, expect, test } from 'vitest'
import { compareKeyIds } from './verify-keys.ts'

describe("the server's keys", () => {
  test('can be missing or new if the database was never used', () => {
    expect(compareKeyIds({ known: [], present: undefined, isUsed: false })).toBe('match')
    expect(compareKeyIds({ known: [], present: ['a'], isUsed: false })).toBe('match')
  })

  test('count as missing if there are none and the database was already used', () => {
    expect(compareKeyIds({ known: [], present: undefined, isUsed: true })).toBe('missing')
    expect(compareKeyIds({ known: ['a'], present: undefined, isUsed: false })).toBe('missing')
  })

  test('match if they include all keys recorded in the database', () => {
    expect(compareKeyIds({ known: ['a'], present: ['a'], isUsed: true })).toBe('match')
    expect(compareKeyIds({ known: ['a'], present: ['b', 'a'], isUsed: true })).toBe('match')
  })

  test('count as replaced if a recorded key is missing, as in an older copy of the file', () => {
    expect(compareKeyIds({ known: ['a'], present: ['b'], isUsed: true })).toBe('replaced')
    expect(compareKeyIds({ known: ['b', 'a'], present: ['a'], isUsed: true })).toBe('replaced')
  })
})
