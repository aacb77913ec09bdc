import { describe, expect, test } from 'vitest'
import type { Field, FieldKind } from '../fields/field.ts'
import { marksIn, snippetOf } from './search-marks.ts'

const field = (name: string, kind: FieldKind): Field => {
  const plain = { id: name, name, label: name, required: false, unique: false, default: null, options: {} }
  // Marks read nothing of a field but its name and its kind.
  return { ...plain, kind } as unknown as Field
}

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
    const fields = [
      field('title', 'text'),
      field('count', 'auto-number'),
      field('none', 'text'),
      field('author', 'relation'),
      field('scans', 'files'),
      field('tags', 'multi-select'),
      field('gone', 'text'),
    ]
    expect(marksIn(values, ['apf', 'ann'], fields)).toEqual({
      title: [[0, 3]],
      author: [
        [0, 3],
        [4, 7],
      ],
      scans: [[0, 3, 1]],
      tags: [[0, 3, 0]],
    })
  })

  test('stand on the digits of telephone numbers, whatever is between them', () => {
    const phones = { phone: '+43 (1) 234-56', other: 'call' }
    expect(marksIn(phones, ['1234', 'call'], [field('phone', 'phone')])).toEqual({ phone: [[5, 11]] })
    expect(marksIn(phones, ['+431'], [field('phone', 'phone')])).toEqual({ phone: [[0, 6]] })
    expect(marksIn(phones, ['ext'], [field('phone', 'phone')])).toEqual({})
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
