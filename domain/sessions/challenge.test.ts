import { describe, expect, test } from 'vitest'
import { secondStepMethods, stepUpMethods } from './challenge.ts'

const nothing = { hasTotp: false, passkeyCount: 0, recoveryCodesLeft: 0 }

describe('the second step', () => {
  test('is not asked of whoever has no second factor, even when old recovery codes are left', () => {
    expect(secondStepMethods(nothing)).toEqual([])
    expect(secondStepMethods({ ...nothing, recoveryCodesLeft: 3 })).toEqual([])
  })

  test('can be taken with whatever is set up', () => {
    expect(secondStepMethods({ hasTotp: true, passkeyCount: 2, recoveryCodesLeft: 1 })).toEqual([
      'passkey',
      'totp',
      'recovery-code',
    ])
    expect(secondStepMethods({ ...nothing, passkeyCount: 1 })).toEqual(['passkey'])
  })
})

describe('proving once more who one is', () => {
  test('takes the password only from whoever has no second factor', () => {
    expect(stepUpMethods(nothing, true)).toEqual(['password'])
    expect(stepUpMethods({ ...nothing, hasTotp: true }, true)).toEqual(['totp'])
    expect(stepUpMethods(nothing, false)).toEqual([])
  })
})
