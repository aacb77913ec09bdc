import { describe, expect, test } from 'vitest'
import { toolsFor } from './slash-menu.ts'
import { LINE_TOOLS } from '#web/ui/editor/toolbar/toolbar-tools.ts'

const found = (typed: string) => toolsFor(typed, LINE_TOOLS).map(({ name }) => name)

describe('a query in the slash menu', () => {
  test('matches everything if it is empty', () => {
    expect(found('')).toHaveLength(LINE_TOOLS.length)
  })

  test('matches the beginning of any word in a tool name, with or without spaces', () => {
    expect(found('head')).toEqual(['heading-1', 'heading-2', 'heading-3'])
    expect(found('heading2')).toEqual(['heading-2'])
    expect(found('LIST')).toEqual(['bullet-list', 'ordered-list'])
  })

  test('ranks synonyms after names', () => {
    expect(found('todo')).toEqual(['task-list'])
    expect(found('hr')).toEqual(['rule'])
    expect(found('t')[0]).toBe('text')
  })

  test('matches nothing in a file path', () => {
    expect(found('usr/bin')).toEqual([])
  })
})
