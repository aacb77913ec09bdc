import { expect, test } from 'vitest'
import { noOptionsText } from './use-option-search.ts'

test('a search that failed is not told as one that found nothing', () => {
  expect(noOptionsText('failed')).toBe('The search failed. Type again to retry.')
  expect(noOptionsText('found')).toBe('Nothing found')
  expect(noOptionsText('searching')).toBe('Searching…')
})
