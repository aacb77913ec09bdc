import { describe, expect, test } from 'vitest'
import { foundSections, hrefOf, movedPlace } from './found-lines.ts'

const item = (id: string) => ({ id, title: id, titleMarks: [], snippet: null })
const group = (name: string, hasMore: boolean, ...ids: string[]) => ({
  collection: { id: `c-${name}`, name, label: name.toUpperCase() },
  items: ids.map(item),
  hasMore,
})

describe('what was found', () => {
  test('is a line for each record, and one to all where there are more', () => {
    const sections = foundSections([group('tasks', true, 'a', 'b'), group('people', false, 'c')], 'two words')
    expect(sections.map(({ label, lines }) => [label, ...lines.map(hrefOf)])).toEqual([
      ['TASKS', '/collections/tasks/a', '/collections/tasks/b', '/collections/tasks?search=two+words'],
      ['PEOPLE', '/collections/people/c'],
    ])
  })

  test('is walked with the arrows, round and round', () => {
    expect(movedPlace('ArrowDown', -1, 3)).toBe(0)
    expect(movedPlace('ArrowDown', 2, 3)).toBe(0)
    expect(movedPlace('ArrowUp', 0, 3)).toBe(2)
    expect(movedPlace('ArrowUp', -1, 3)).toBe(2)
    expect(movedPlace('ArrowUp', 2, 3)).toBe(1)
    expect(movedPlace('ArrowDown', 0, 0)).toBeUndefined()
    expect(movedPlace('x', 0, 3)).toBeUndefined()
  })
})
