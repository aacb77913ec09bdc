import { describe, expect, test } from 'vitest'
import { toolsFor } from './slash-menu.ts'
import { LINE_TOOLS } from '#web/ui/editor/toolbar/toolbar-tools.ts'

const found = (typed: string) => toolsFor(typed, LINE_TOOLS).map(({ name }) => name)

describe('what is typed behind a slash', () => {
  test('finds everything while it is nothing', () => {
    expect(found('')).toHaveLength(LINE_TOOLS.length)
  })

  test('finds a tool by the beginning of any of its words, with and without the space', () => {
    expect(found('head')).toEqual(['heading-1', 'heading-2', 'heading-3'])
    expect(found('heading2')).toEqual(['heading-2'])
    expect(found('LIST')).toEqual(['bullet-list', 'ordered-list'])
  })

  test('finds it by what else people call it, behind those of that name', () => {
    expect(found('todo')).toEqual(['task-list'])
    expect(found('hr')).toEqual(['rule'])
    expect(found('t')[0]).toBe('text')
  })

  test('finds nothing in a path', () => {
    expect(found('usr/bin')).toEqual([])
  })
})
