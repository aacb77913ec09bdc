import { describe, expect, test } from 'vitest'
import { arrangementOf, judgeArrangement, placedInGroup } from './arrangement.ts'
import { withLook } from './collection-look.ts'

const SIDEBAR = [
  { id: 'inbox' },
  { id: 'cases', group: 'Work' },
  { id: 'books', group: 'Library' },
  { id: 'people', group: 'Work' },
]

describe('the sidebar', () => {
  test('shows what stands in no group first, then each group where its first collection stands', () => {
    expect(arrangementOf(SIDEBAR)).toEqual([
      { name: null, collections: ['inbox'] },
      { name: 'Work', collections: ['cases', 'people'] },
      { name: 'Library', collections: ['books'] },
    ])
  })

  test('is arranged as a whole', () => {
    const wanted = [
      { name: 'Library', collections: ['books', 'cases'] },
      { name: null, collections: ['people', 'inbox'] },
    ]
    expect(judgeArrangement(SIDEBAR, wanted)).toEqual({
      ok: true,
      value: [{ id: 'people' }, { id: 'inbox' }, { id: 'books', group: 'Library' }, { id: 'cases', group: 'Library' }],
    })
  })

  test('keeps a collection that the arrangement does not name in its group, behind the others', () => {
    const judged = judgeArrangement(SIDEBAR, [{ name: 'Work', collections: ['people'] }])
    expect(judged.ok && judged.value).toEqual([
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
  ])('refuses an arrangement that cannot be', (wanted, code) => {
    expect(judgeArrangement(SIDEBAR, wanted)).toMatchObject({ ok: false, fault: { code } })
  })

  test('puts a collection that changes its group last in the new one, and no group elsewhere', () => {
    expect(placedInGroup(SIDEBAR, 'inbox', 'Library')).toEqual(['cases', 'people', 'books', 'inbox'])
    expect(placedInGroup(SIDEBAR, 'people', undefined)).toEqual(['inbox', 'people', 'cases', 'books'])
  })
})

test('a part of a look is taken away by null, and left by undefined', () => {
  const before = { id: 'cases', icon: 'bug', color: 'red', group: 'Work' } as const
  expect(withLook(before, { icon: null, color: 'blue' })).toEqual({ id: 'cases', color: 'blue', group: 'Work' })
})
