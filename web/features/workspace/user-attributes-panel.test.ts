import { expect, test } from 'vitest'
import { attributeName } from '#web/features/workspace/user-attributes-panel.tsx'

test.each([
  ['Region', 'region'],
  ['Sales région', 'sales_region'],
  ['2nd team', 'nd_team'],
  ['部門', 'note'],
])('the attribute “%s” becomes %s in conditions', (label, name) => {
  expect(attributeName(label, [])).toBe(name)
})

test('a number is appended to a duplicate attribute name', () => {
  expect(attributeName('Region', ['region', 'region_2'])).toBe('region_3')
  expect(attributeName('E-mail', ['email', 'name'])).toBe('e_mail')
})
