import { expect, test } from 'vitest'
import { createOptions, isCreateOption, noOptionsText } from './option.tsx'

test('reports a failed search differently from an empty result', () => {
  expect(noOptionsText('failed')).toBe('Search failed. Type again to retry.')
  expect(noOptionsText('found')).toBe('No results')
  expect(noOptionsText('searching')).toBe('Searching…')
})

test('offers to create only what a finished search did not find', () => {
  const found = { status: 'found', options: [{ value: '1', label: 'Kïel' }], total: 1 } as const
  const [offered, ...others] = createOptions(found, ' Bremen ')
  expect(offered).toMatchObject({ label: 'Create “Bremen”' })
  expect([offered && isCreateOption(offered), others]).toEqual([true, []])
  expect(createOptions(found, 'kiel')).toEqual([])
  expect(createOptions(found, ' ')).toEqual([])
  expect(createOptions({ ...found, status: 'searching' }, 'Bremen')).toEqual([])
})
