import { expect, test } from 'vitest'
import { noOptionsText } from './option.tsx'

test('a search that failed is not told as one that found nothing', () => {
  expect(noOptionsText('failed')).toBe('Search failed. Type again to retry.')
  expect(noOptionsText('found')).toBe('No results')
  expect(noOptionsText('searching')).toBe('Searching…')
})
