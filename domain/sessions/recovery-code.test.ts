import { describe, expect, test } from 'vitest'
import { RECOVERY_CODE_BYTES, readRecoveryCode, recoveryCodeFrom } from './recovery-code.ts'

const bytes = Uint8Array.from({ length: RECOVERY_CODE_BYTES }, (_, index) => index * 37)

describe('a recovery code', () => {
  test('is twelve characters in three groups', () => {
    expect(recoveryCodeFrom(bytes)).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){2}$/)
  })

  test('uses five bits of each byte, so it holds 60 bits', () => {
    const codes = Array.from({ length: 256 }, (_, byte) => recoveryCodeFrom(new Uint8Array(12).fill(byte)))
    expect(new Set(codes).size).toBe(32)
  })

  test('is read whatever way it was typed', () => {
    const code = recoveryCodeFrom(bytes)
    const plain = code.replaceAll('-', '')
    expect(readRecoveryCode(code)).toBe(plain)
    expect(readRecoveryCode(` ${code.toUpperCase().replaceAll('-', ' ')} `)).toBe(plain)
    expect(readRecoveryCode('OIL0-0000-0000')).toBe('011000000000')
  })

  test.each(['', '7kq2-m0xd', '7kq2-m0xd-r9a!', '7kq2-m0xd-r9ae-0'])('of another form is none: %j', (typed) => {
    expect(readRecoveryCode(typed)).toBeUndefined()
  })
})
