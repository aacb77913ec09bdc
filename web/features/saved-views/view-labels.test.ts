import { expect, test } from 'vitest'
import { MAX_VIEW_NAME } from '#domain/views/view.ts'
import { copyName, describeMissingParts } from './view-labels.ts'

test('a copied view gets a unique name within the length limit', () => {
  expect(copyName('Open', [{ name: 'Open' }])).toBe('Open 2')
  expect(copyName('Open 2', [{ name: 'Open' }, { name: 'Open 2' }])).toBe('Open 3')
  expect(copyName('x'.repeat(MAX_VIEW_NAME), []).length).toBeLessThanOrEqual(MAX_VIEW_NAME)
})

test('missing parts of a view are described in one sentence', () => {
  expect(describeMissingParts(['filter'])).toMatch(
    /^This view was filtered by a field or option that no longer exists\./,
  )
  expect(describeMissingParts(['filter', 'sort'])).toMatch(/filtered by and sorted by a field or option/)
})
