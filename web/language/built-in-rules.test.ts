import { expect, test } from 'vitest'
import { FIRST_POLICIES, FIRST_ROLES } from '#domain/access/built-in-roles.ts'
import { POLICY_WORDS, ROLE_WORDS, ruleInWords } from './built-in-rules.ts'

const wordsOf = (rules: readonly { readonly id: string; readonly name: string; readonly about: string }[]) =>
  Object.fromEntries(rules.map(({ id, name, about }) => [id, { name, about }]))

test('the page has words for every role and policy a workspace begins with', () => {
  expect(ROLE_WORDS).toEqual(wordsOf(FIRST_ROLES))
  expect(POLICY_WORDS).toEqual(wordsOf(FIRST_POLICIES))
})

test('what somebody named is left as they named it', () => {
  const renamed = { id: 'viewer', name: 'Guest', about: 'Looks around' }
  expect(ruleInWords(renamed)).toEqual(renamed)
  const own = { id: '01m82psm935hmavfvcbe0pspdh', name: 'Owner' }
  expect(ruleInWords(own)).toEqual(own)
})
