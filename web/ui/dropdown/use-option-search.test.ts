import { expect, test } from 'vitest'
import { isCreateOption } from './option-list.ts'
import { createOptions, foundPosition, noOptionsText } from './option.tsx'

test('a failed option search is reported differently from an empty result', () => {
  expect(noOptionsText('failed')).toBe('Search failed. Type again to retry.')
  expect(noOptionsText('found')).toBe('No results')
  expect(noOptionsText('searching')).toBe('Searching…')
})

test('creating an option is offered only for names not found by a completed search', () => {
  const found = { status: 'found', options: [{ value: '1', label: 'Kïel' }], total: 1 } as const
  const [offered, ...others] = createOptions(found, ' Bremen ')
  expect(offered).toMatchObject({ label: 'Create “Bremen”' })
  expect([offered && isCreateOption(offered), others]).toEqual([true, []])
  expect(createOptions(found, 'kiel')).toEqual([])
  expect(createOptions(found, ' ')).toEqual([])
  expect(createOptions({ ...found, status: 'searching' }, 'Bremen')).toEqual([])
})

test("an option's position is relative to all matches, or to an unknown total if the count is capped", () => {
  const found = { options: [{ value: '1', label: 'Kiel' }], total: 40 }
  expect(foundPosition(0, found, 0)).toEqual({ 'aria-posinset': 1, 'aria-setsize': 40 })
  expect(foundPosition(found.total, found, 1)).toEqual({ 'aria-posinset': 41, 'aria-setsize': 41 })
  expect(foundPosition(0, { ...found, isTotalCapped: true }, 1)).toMatchObject({ 'aria-setsize': -1 })
})
