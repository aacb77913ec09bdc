import { describe, expect, test } from 'vitest'
import {
  RECOVERY_CODE_BYTES,
  includesSecondFactor,
  printSecondFactorPolicy,
  readRecoveryCode,
  readTotpCode,
  recoveryCodeFrom,
  requiresSecondFactor,
  secondStepMethods,
  stepUpMethods,
  totpStepAt,
  totpStepsAt,
} from './second-factors.ts'

const nothing = { hasTotp: false, passkeyCount: 0, recoveryCodesLeft: 0 }

describe('the second step', () => {
  test('is skipped without a second factor, even if recovery codes remain', () => {
    expect(secondStepMethods(nothing)).toEqual([])
    expect(secondStepMethods({ ...nothing, recoveryCodesLeft: 3 })).toEqual([])
  })

  test('offers every enrolled method', () => {
    expect(secondStepMethods({ hasTotp: true, passkeyCount: 2, recoveryCodesLeft: 1 })).toEqual([
      'passkey',
      'totp',
      'recovery-code',
    ])
    expect(secondStepMethods({ ...nothing, passkeyCount: 1 })).toEqual(['passkey'])
  })
})

describe('re-authentication', () => {
  test('accepts the password only if the user has no second factor', () => {
    expect(stepUpMethods(nothing, true)).toEqual(['password'])
    expect(stepUpMethods({ ...nothing, hasTotp: true }, true)).toEqual(['totp'])
    expect(stepUpMethods(nothing, false)).toEqual([])
  })
})

describe('TOTP time steps', () => {
  test('advance every thirty seconds', () => {
    expect(totpStepAt(new Date(59_999))).toBe(1)
    expect(totpStepAt(new Date(60_000))).toBe(2)
  })

  test('include the current and the previous step, never the next', () => {
    expect(totpStepsAt(new Date(60_000))).toEqual([2, 1])
  })
})

describe('a code', () => {
  test.each(['123456', '123 456', ' 123-456 '])('can contain spaces: %j', (typed) => {
    expect(readTotpCode(typed)).toBe('123456')
  })

  test.each(['', '12345', '1234567', '12345a', '１２３４５６'])('must have exactly six digits: %j', (typed) => {
    expect(readTotpCode(typed)).toBeUndefined()
  })
})

const bytes = Uint8Array.from({ length: RECOVERY_CODE_BYTES }, (_, index) => index * 37)

describe('a recovery code', () => {
  test('has twelve characters in three groups', () => {
    expect(recoveryCodeFrom(bytes)).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){2}$/)
  })

  test('uses five bits of each random byte, 60 bits in total', () => {
    const codes = Array.from({ length: 256 }, (_, byte) => recoveryCodeFrom(new Uint8Array(12).fill(byte)))
    expect(new Set(codes).size).toBe(32)
  })

  test('is accepted with any separators, letter case and look-alike letters', () => {
    const code = recoveryCodeFrom(bytes)
    const plain = code.replaceAll('-', '')
    expect(readRecoveryCode(code)).toBe(plain)
    expect(readRecoveryCode(` ${code.toUpperCase().replaceAll('-', ' ')} `)).toBe(plain)
    expect(readRecoveryCode('OIL0-0000-0000')).toBe('011000000000')
  })

  test.each(['', '7kq2-m0xd', '7kq2-m0xd-r9a!', '7kq2-m0xd-r9ae-0'])('in another format is rejected: %j', (typed) => {
    expect(readRecoveryCode(typed)).toBeUndefined()
  })
})

test('a second-factor policy applies to everyone or to members of its roles', () => {
  expect(requiresSecondFactor({ everyone: true, roles: [] }, [])).toBe(true)
  expect(requiresSecondFactor({ everyone: false, roles: ['owner'] }, ['viewer', 'owner'])).toBe(true)
  expect(requiresSecondFactor({ everyone: false, roles: ['owner'] }, ['viewer'])).toBe(false)
})

test('a password or an invitation doesn’t count as a second factor', () => {
  expect(['password', 'link', 'password,link'].map((methods) => includesSecondFactor(methods.split(',')))).toEqual([
    false,
    false,
    false,
  ])
  expect(['password,totp', 'passkey', 'provider'].every((methods) => includesSecondFactor(methods.split(',')))).toBe(
    true,
  )
})

test('a second-factor policy is printed with role names', () => {
  const nameOf = (role: string) => (role === 'gone' ? undefined : role.toUpperCase())
  expect(printSecondFactorPolicy({ everyone: true, roles: ['a'] }, nameOf)).toBe('everyone')
  expect(printSecondFactorPolicy({ everyone: false, roles: ['a', 'gone', 'b'] }, nameOf)).toBe('A, B')
  expect(printSecondFactorPolicy({ everyone: false, roles: [] }, nameOf)).toBe('nobody')
})
