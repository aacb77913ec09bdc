import { describe, expect, test } from 'vitest'
import {
  arrangementOfRows,
  groupKey,
  sidebarRowsOf,
  withCollectionIn,
  withGroupNamed,
  withGroupOrder,
} from './arrange-collections.ts'

const COLLECTIONS = [
  { id: 'inbox', label: 'Inbox' },
  { id: 'cases', label: 'Cases', group: 'Work' },
  { id: 'books', label: 'Books', group: 'Library' },
]
const LINES = sidebarRowsOf(COLLECTIONS)
const AS_IT_IS = arrangementOfRows(LINES)

describe('sidebar rows', () => {
  test('start with ungrouped collections, followed by each group and its collections', () => {
    expect(LINES.map(({ key }) => key)).toEqual(['inbox', groupKey('Work'), 'cases', groupKey('Library'), 'books'])
  })

  test('add a collection to the group above it', () => {
    const [inbox, work, cases, library, books] = LINES
    const moved = [work, cases, inbox, library, books].flatMap((line) => line ?? [])
    expect(arrangementOfRows(moved)).toEqual([
      { name: null, collections: [] },
      { name: 'Work', collections: ['cases', 'inbox'] },
      { name: 'Library', collections: ['books'] },
    ])
  })
})

describe('the sidebar layout', () => {
  test('can reorder groups, with ungrouped collections always first', () => {
    const names = withGroupOrder(AS_IT_IS, ['Library', 'Work']).map(({ name }) => name)
    expect(names).toEqual([null, 'Library', 'Work'])
  })

  test('merges groups when one is renamed to the name of another', () => {
    expect(withGroupNamed(AS_IT_IS, 'Library', 'Work')).toEqual([
      { name: null, collections: ['inbox'] },
      { name: 'Work', collections: ['cases', 'books'] },
    ])
    expect(withGroupNamed(AS_IT_IS, 'Library', null)[0]).toEqual({ name: null, collections: ['inbox', 'books'] })
    expect(withGroupNamed(AS_IT_IS, 'Library', 'Shelf').map(({ name }) => name)).toEqual([null, 'Work', 'Shelf'])
  })

  test('can create a group for a collection', () => {
    expect(withCollectionIn(AS_IT_IS, 'inbox', 'New').at(-1)).toEqual({ name: 'New', collections: ['inbox'] })
    expect(withCollectionIn(AS_IT_IS, 'books', 'Work')).toContainEqual({
      name: 'Work',
      collections: ['cases', 'books'],
    })
  })
})
