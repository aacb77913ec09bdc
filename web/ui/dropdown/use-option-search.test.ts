import { expect, test } from 'vitest'
import { noOptionsText } from './option.tsx'

test('reports a failed search differently from an empty result', () => {
  expect(noOptionsText('failed')).toBe('Search failed. Type again to retry.')
  expect(noOptionsText('found')).toBe('No results')
  expect(noOptionsText('searching')).toBe('Searching…')
})
