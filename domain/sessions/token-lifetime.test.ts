import { describe, expect, test } from 'vitest'
import { tokenAge } from './token-lifetime.ts'

const EXPIRES_AT_MS = 1_000_000

describe('a token', () => {
  test('is valid until 501 ms before its expiry', () => {
    expect(tokenAge(EXPIRES_AT_MS, EXPIRES_AT_MS - 501)).toBe('valid')
  })

  test('is expired from 500 ms before its expiry on', () => {
    expect(tokenAge(EXPIRES_AT_MS, EXPIRES_AT_MS - 500)).toBe('expired')
    expect(tokenAge(EXPIRES_AT_MS, EXPIRES_AT_MS + 1)).toBe('expired')
  })

  test('without an expiry is of unknown age, never expired', () => {
    expect(tokenAge(undefined, EXPIRES_AT_MS)).toBe('unknown')
  })
})
