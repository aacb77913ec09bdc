import { describe, expect, test } from 'vitest'
import type { Field } from '#domain/fields/field.ts'
import { groupKeysOf, groupsOfField, valueAfterMove } from './board-columns.ts'

const plain = { label: 'Tags', required: false, unique: false, default: null } as const
const choices = ['Red', 'Green', 'Blue'].map((name) => ({ id: name.toLowerCase(), name, color: 'gray' as const }))
const tags: Field<'multi-select'> = { ...plain, id: 't', name: 'tags', kind: 'multi-select', options: { choices } }
const people: Field<'user'> = { ...plain, id: 'p', name: 'people', kind: 'user', options: { many: true } }

const [red, green, , none] = groupsOfField(tags, [], true)

describe('a card of a field with several values', () => {
  test('is in the column of each value, or in the one without a value', () => {
    expect(groupKeysOf(tags, { tags: ['Red', 'Blue'] })).toEqual(['"Red"', '"Blue"'])
    expect(groupKeysOf(tags, { tags: [] })).toEqual(['null'])
    expect(groupKeysOf(people, { people: [{ id: 'a', name: 'Ada' }] })).toEqual(['"a"'])
  })

  test('replaces the value of its former column by that of the new one', () => {
    if (!red || !green || !none) throw new Error('There are three columns and one without a value.')
    const after = (values: readonly string[], from = red, to = green) =>
      valueAfterMove(tags, { tags: values }, from, to)
    expect(after(['Blue', 'Red'])).toEqual(['Blue', 'Green'])
    expect(after(['Red', 'Green'])).toEqual(['Green'])
    expect(after([], none)).toEqual(['Green'])
    expect(after(['Red', 'Blue'], red, none)).toBeNull()
  })

  test('keeps the other people', () => {
    const [ada, ben] = [
      { id: 'a', name: 'Ada' },
      { id: 'b', name: 'Ben' },
    ]
    const answers = [ada, ben].map(({ id, name }) => ({ key: { people: id }, label: name, count: 1 }))
    const [from, to] = groupsOfField(people, answers, true)
    if (!from || !to) throw new Error('Each person has a column.')
    const grace = { id: 'g', name: 'Grace' }
    expect(valueAfterMove(people, { people: [grace, ada] }, from, to)).toEqual([grace, ben])
  })
})
