import { describe, expect, test } from 'vitest'
import { resultSections, hrefOf, nextPosition } from './result-rows.ts'

const item = (id: string) => ({ id, title: id, titleMarks: [], snippet: null })
const group = (name: string, hasMore: boolean, ...ids: string[]) => ({
  collection: { id: `c-${name}`, name, label: name.toUpperCase() },
  items: ids.map(item),
  hasMore,
})

describe('the rows of search results', () => {
  test('include one row per record, and a link to all results if there are more', () => {
    const sections = resultSections([group('tasks', true, 'a', 'b'), group('people', false, 'c')], 'two words')
    expect(sections.map(({ label, lines }) => [label, ...lines.map(hrefOf)])).toEqual([
      ['TASKS', '/collections/tasks/a', '/collections/tasks/b', '/collections/tasks?search=two+words'],
      ['PEOPLE', '/collections/people/c'],
    ])
  })

  test('can be navigated with arrow keys, wrapping at the ends', () => {
    expect(nextPosition('ArrowDown', -1, 3)).toBe(0)
    expect(nextPosition('ArrowDown', 2, 3)).toBe(0)
    expect(nextPosition('ArrowUp', 0, 3)).toBe(2)
    expect(nextPosition('ArrowUp', -1, 3)).toBe(2)
    expect(nextPosition('ArrowUp', 2, 3)).toBe(1)
    expect(nextPosition('ArrowDown', 0, 0)).toBeUndefined()
    expect(nextPosition('x', 0, 3)).toBeUndefined()
  })
})
