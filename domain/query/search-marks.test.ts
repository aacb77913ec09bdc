import { describe, expect, test } from 'vitest'
import { marksIn, snippetOf } from './search-marks.ts'

describe('marks', () => {
  test('stand by the name of the field, for texts and for what names others', () => {
    const values = {
      title: 'Äpfel',
      count: 12,
      none: null,
      author: { id: 'x', title: 'Ann Apfel' },
      scans: [{ name: 'a.png' }, { name: 'apfel.png' }],
      tags: ['apfel', 'birne'],
      hidden: 'apfel',
    }
    expect(marksIn(values, ['apf', 'ann'], ['title', 'count', 'none', 'author', 'scans', 'tags', 'gone'])).toEqual({
      title: [[0, 3]],
      author: [
        [0, 3],
        [4, 7],
      ],
      scans: [[0, 3, 1]],
      tags: [[0, 3, 0]],
    })
  })
})

describe('a snippet', () => {
  test('is the whole text where it is short', () => {
    expect(snippetOf('a short\ntext', [[2, 7]])).toEqual({ text: 'a short text', marks: [[2, 7]] })
  })

  test('shows the first hit with some words around, and the marks inside', () => {
    const text = `${'word '.repeat(40)}needle ${'more '.repeat(40)}needle`
    const { text: shown, marks } = snippetOf(text, [
      [200, 206],
      [text.length - 6, text.length],
    ])
    expect(shown).toMatch(/^…word .*needle more .*…$/)
    expect(shown.length).toBeLessThanOrEqual(142)
    expect(marks.map(([from, to]) => shown.slice(from, to))).toEqual(['needle'])
  })

  test('never cuts a character in two', () => {
    const text = '😀'.repeat(200)
    expect(snippetOf(text, [[101, 103]]).text.isWellFormed()).toBe(true)
  })
})
