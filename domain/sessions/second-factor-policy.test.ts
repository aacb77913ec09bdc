import { expect, test } from 'vitest'
import { includesSecondFactor, printSecondFactorPolicy, requiresSecondFactor } from './second-factor-policy.ts'

test('applies to everyone, or to whoever holds one of its roles', () => {
  expect(requiresSecondFactor({ everyone: true, roles: [] }, [])).toBe(true)
  expect(requiresSecondFactor({ everyone: false, roles: ['owner'] }, ['viewer', 'owner'])).toBe(true)
  expect(requiresSecondFactor({ everyone: false, roles: ['owner'] }, ['viewer'])).toBe(false)
})

test('a password or an invitation alone is no second factor', () => {
  expect(['password', 'link', 'password,link'].map((methods) => includesSecondFactor(methods.split(',')))).toEqual([
    false,
    false,
    false,
  ])
  expect(['password,totp', 'passkey', 'provider'].every((methods) => includesSecondFactor(methods.split(',')))).toBe(
    true,
  )
})

test('is printed by the names of its roles', () => {
  const nameOf = (role: string) => (role === 'gone' ? undefined : role.toUpperCase())
  expect(printSecondFactorPolicy({ everyone: true, roles: ['a'] }, nameOf)).toBe('everyone')
  expect(printSecondFactorPolicy({ everyone: false, roles: ['a', 'gone', 'b'] }, nameOf)).toBe('A, B')
  expect(printSecondFactorPolicy({ everyone: false, roles: [] }, nameOf)).toBe('nobody')
})
