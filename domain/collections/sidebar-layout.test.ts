import { describe, expect, test } from 'vitest'
import { sidebarLayoutOf, applySidebarLayout, orderWithinGroup } from './sidebar-layout.ts'
import { withAppearance } from './collection-appearance.ts'

const SIDEBAR = [
  { id: 'inbox' },
  { id: 'cases', group: 'Work' },
  { id: 'books', group: 'Library' },
  { id: 'people', group: 'Work' },
]

describe('a sidebar layout', () => {
  test('puts ungrouped collections first, and each group at the position of its first collection', () => {
    expect(sidebarLayoutOf(SIDEBAR)).toEqual([
      { name: null, collections: ['inbox'] },
      { name: 'Work', collections: ['cases', 'people'] },
      { name: 'Library', collections: ['books'] },
    ])
  })

  test('replaces the entire previous order', () => {
    const wanted = [
      { name: 'Library', collections: ['books', 'cases'] },
      { name: null, collections: ['people', 'inbox'] },
    ]
    expect(applySidebarLayout(SIDEBAR, wanted)).toEqual({
      ok: true,
      value: [{ id: 'people' }, { id: 'inbox' }, { id: 'books', group: 'Library' }, { id: 'cases', group: 'Library' }],
    })
  })

  test('puts unlisted collections last in their group', () => {
    const result = applySidebarLayout(SIDEBAR, [{ name: 'Work', collections: ['people'] }])
    expect(result.ok && result.value).toEqual([
      { id: 'inbox' },
      { id: 'people', group: 'Work' },
      { id: 'cases', group: 'Work' },
      { id: 'books', group: 'Library' },
    ])
  })

  test.each([
    [[{ name: null, collections: ['cases', 'cases'] }], 'named-twice'],
    [[{ name: null, collections: ['nothing'] }], 'unknown-collection'],
    [
      [
        { name: 'Work', collections: [] },
        { name: 'Work', collections: [] },
      ],
      'name-taken',
    ],
  ])('rejects an invalid layout', (wanted, code) => {
    expect(applySidebarLayout(SIDEBAR, wanted)).toMatchObject({ ok: false, fault: { code } })
  })

  test('puts a moved collection last in its new group', () => {
    expect(orderWithinGroup(SIDEBAR, 'inbox', 'Library')).toEqual(['cases', 'people', 'books', 'inbox'])
    expect(orderWithinGroup(SIDEBAR, 'people', undefined)).toEqual(['inbox', 'people', 'cases', 'books'])
  })
})

test('null removes an appearance setting and undefined leaves it unchanged', () => {
  const before = { id: 'cases', icon: 'bug', color: 'red', group: 'Work' } as const
  expect(withAppearance(before, { icon: null, color: 'blue' })).toEqual({ id: 'cases', color: 'blue', group: 'Work' })
})
