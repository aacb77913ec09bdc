import { expect, test } from 'vitest'
import { FIRST_POLICIES, FIRST_ROLES } from '#domain/access/built-in-roles.ts'
import { POLICY_TEXTS, ROLE_TEXTS, builtInText } from './built-in-roles.ts'

const wordsOf = (rules: readonly { readonly id: string; readonly name: string; readonly about: string }[]) =>
  Object.fromEntries(rules.map(({ id, name, about }) => [id, { name, about }]))

test('built-in roles and policies are translated', () => {
  expect(ROLE_TEXTS).toEqual(wordsOf(FIRST_ROLES))
  expect(POLICY_TEXTS).toEqual(wordsOf(FIRST_POLICIES))
})

test("custom names don't change", () => {
  const renamed = { id: 'viewer', name: 'Guest', about: 'Looks around' }
  expect(builtInText(renamed)).toEqual(renamed)
  const own = { id: '01m82psm935hmavfvcbe0pspdh', name: 'Owner' }
  expect(builtInText(own)).toEqual(own)
})
