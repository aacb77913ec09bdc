import { describe, expect, test } from 'vitest'
import { readTotpCode, totpStepAt, totpStepsAt } from './totp.ts'

describe('the time steps of an authenticator', () => {
  test('change every thirty seconds', () => {
    expect(totpStepAt(new Date(59_999))).toBe(1)
    expect(totpStepAt(new Date(60_000))).toBe(2)
  })

  test('whose codes are taken are this one and the one before, never one to come', () => {
    expect(totpStepsAt(new Date(60_000))).toEqual([2, 1])
  })
})

describe('a code', () => {
  test.each(['123456', '123 456', ' 123-456 '])('is read with the spaces an app shows: %j', (typed) => {
    expect(readTotpCode(typed)).toBe('123456')
  })

  test.each(['', '12345', '1234567', '12345a', '１２３４５６'])('of anything but six digits is none: %j', (typed) => {
    expect(readTotpCode(typed)).toBeUndefined()
  })
})
