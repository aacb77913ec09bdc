import { describe, expect, test } from 'vitest'
import {
  arrangementOfRows,
  groupKey,
  sidebarRowsOf,
  withCollectionIn,
  withGroupNamed,
  withGroupOrder,
} from './sidebar-rows.ts'

const COLLECTIONS = [
  { id: 'inbox', label: 'Inbox' },
  { id: 'cases', label: 'Cases', group: 'Work' },
  { id: 'books', label: 'Books', group: 'Library' },
]
const LINES = sidebarRowsOf(COLLECTIONS)
const AS_IT_IS = arrangementOfRows(LINES)

describe('the lines of the sidebar', () => {
  test('are what stands in no group, then each head with what follows it', () => {
    expect(LINES.map(({ key }) => key)).toEqual(['inbox', groupKey('Work'), 'cases', groupKey('Library'), 'books'])
  })

  test('put a collection into the group whose head is above it', () => {
    const [inbox, work, cases, library, books] = LINES
    const moved = [work, cases, inbox, library, books].flatMap((line) => line ?? [])
    expect(arrangementOfRows(moved)).toEqual([
      { name: null, collections: [] },
      { name: 'Work', collections: ['cases', 'inbox'] },
      { name: 'Library', collections: ['books'] },
    ])
  })
})

describe('an arrangement', () => {
  test('has its groups in another order, with what stands in none before them', () => {
    const names = withGroupOrder(AS_IT_IS, ['Library', 'Work']).map(({ name }) => name)
    expect(names).toEqual([null, 'Library', 'Work'])
  })

  test('joins a group that takes the name of another', () => {
    expect(withGroupNamed(AS_IT_IS, 'Library', 'Work')).toEqual([
      { name: null, collections: ['inbox'] },
      { name: 'Work', collections: ['cases', 'books'] },
    ])
    expect(withGroupNamed(AS_IT_IS, 'Library', null)[0]).toEqual({ name: null, collections: ['inbox', 'books'] })
    expect(withGroupNamed(AS_IT_IS, 'Library', 'Shelf').map(({ name }) => name)).toEqual([null, 'Work', 'Shelf'])
  })

  test('takes a collection into a group that is made for it', () => {
    expect(withCollectionIn(AS_IT_IS, 'inbox', 'New').at(-1)).toEqual({ name: 'New', collections: ['inbox'] })
    expect(withCollectionIn(AS_IT_IS, 'books', 'Work')).toContainEqual({
      name: 'Work',
      collections: ['cases', 'books'],
    })
  })
})
