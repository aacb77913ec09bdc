import { expect, test } from 'vitest'
import { asks, steps } from './use-address-query.ts'

test('what is typed further is one step; whatever comes between or later is another', () => {
  const goesOn = steps()
  expect(goesOn({ search: 'bos' }, 0)).toBe(false)
  expect(goesOn({ search: 'boston' }, 900)).toBe(true)
  expect(goesOn({ search: 'boston m' }, 3000)).toBe(true)
  expect(goesOn({ filter: 'a = 1' }, 3100)).toBe(false)
  expect(goesOn({ search: 'boston' }, 3200)).toBe(false)
  expect(goesOn({ search: '' }, 9000)).toBe(false)
  expect(goesOn({ sort: [] }, 9100)).toBe(false)
  expect(goesOn({ search: 'x' }, 9200)).toBe(false)
  expect(goesOn({ search: '', filter: '' }, 9300)).toBe(false)
})

test('an address that comes late, when more was asked for, is not the newest', () => {
  const asked = asks()
  asked.ask('a')
  asked.ask('ab')
  expect(asked.isOutdated('a')).toBe(true)
  expect(asked.isOutdated('ab')).toBe(false)
  asked.ask('abc')
  asked.ask('abcd')
  // One may overtake another.
  expect(asked.isOutdated('abcd')).toBe(false)
  asked.ask('e')
  // Somebody went elsewhere meanwhile.
  expect(asked.isOutdated('z')).toBe(false)
  expect(asked.isOutdated('e')).toBe(false)
})
