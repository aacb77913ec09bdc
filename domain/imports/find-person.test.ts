import { expect, test } from 'vitest'
import { type KnownPerson, createPersonFinder } from './find-person.ts'

const [ANN, BOB, EVE, OLD] = ['a', 'b', 'e', '0'].map((letter) => letter.repeat(26)) as [string, string, string, string]

const people = (eve: string): readonly KnownPerson[] => [
  { id: ANN, name: 'Ann', emailFold: 'ann@example.org', isSelectable: true },
  { id: BOB, name: 'Bob', emailFold: 'bob@example.org', isSelectable: true },
  { id: EVE, name: eve, emailFold: 'eve@example.org', isSelectable: true },
  { id: OLD, name: 'Old', emailFold: 'old@example.org', isSelectable: false },
]
const one = (id: string) => ({ type: 'one', id })
const [none, several] = [{ type: 'none' }, { type: 'several' }]

test.each([
  ['an id', ANN, 'Eve', one(ANN)],
  ['an email', ' Ann@Example.org ', 'Eve', one(ANN)],
  ['a name', 'ÁNN', 'Eve', one(ANN)],
  ['a name that two people have', 'ann', 'ANN', several],
  ['the email of somebody whose email another has as name', 'ann@example.org', 'Ann@example.org', one(ANN)],
  ['the same in wide letters', 'ann＠example.org', 'ann＠example.org', one(ANN)],
  ['an email that nobody has, but for a name', 'ceo@example.org', 'ceo@example.org', none],
  ['an email with a name, but for a name', 'Ann <ann@example.org>', 'Ann <ann@example.org>', none],
  ['the id of somebody whose id another has as name', ANN, ANN, one(ANN)],
  ['an id that nobody has, but for a name', 'c'.repeat(26), 'c'.repeat(26), none],
  ['the name of somebody who left', 'Old', 'Eve', none],
  ['the name of somebody who left, taken by another', 'Old', 'Old', several],
  ['the email of somebody who left', 'old@example.org', 'old@example.org', none],
  ['a member that every object has', 'constructor', 'Eve', none],
  ['nothing', '', 'Eve', none],
])('%s', (_, text, eve, found) => {
  expect(createPersonFinder(people(eve))(text)).toEqual(found)
})
