import { expect, test } from 'vitest'
import { changedAppearance } from './collection-appearance.ts'

const BEFORE = { icon: 'book', description: 'All loans' } as const

test('a description is trimmed, left unchanged if omitted, and removed if null or blank', () => {
  expect(changedAppearance(BEFORE, { description: ' Lent books\n' })).toEqual({
    icon: 'book',
    description: 'Lent books',
  })
  expect(changedAppearance(BEFORE, { icon: null })).toEqual({ description: 'All loans' })
  expect(changedAppearance(BEFORE, { description: null })).toEqual({ icon: 'book' })
  expect(changedAppearance(BEFORE, { description: ' \n ' })).toEqual({ icon: 'book' })
})
