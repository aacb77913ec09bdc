import { expect, test } from 'vitest'
import { parseAddresses, nameOfAddress } from '#web/features/users/invite-dialog.tsx'

test.each([
  ['ada@example.org', ['ada@example.org']],
  ['ada@example.org, grace@example.org;hedy@example.org', ['ada@example.org', 'grace@example.org', 'hedy@example.org']],
  ['Ada Lovelace <ada@example.org>\n"Grace" <GRACE@example.org>', ['ada@example.org', 'grace@example.org']],
  ['ada@example.org ada@example.org', ['ada@example.org']],
  ['nobody', []],
])('the input %j contains the addresses %j', (text, addresses) => {
  expect(parseAddresses(text)).toEqual(addresses)
})

test('a name is suggested from the email address', () => {
  expect(nameOfAddress('ada.lovelace@example.org')).toBe('Ada Lovelace')
  expect(nameOfAddress('hedy@example.org')).toBe('Hedy')
})
