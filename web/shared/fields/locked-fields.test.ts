import { describe, expect, test } from 'vitest'
import type { Field } from '#domain/fields/field.ts'
import { describeLockedFields, lockedFieldNames, type TypedCollection } from './typed-collection.ts'

const plain = { required: false, unique: false, default: null }
const state: Field<'state'> = {
  ...plain,
  id: 's',
  name: 'state',
  label: 'State',
  kind: 'state',
  options: {
    choices: [
      { id: 'd', name: 'Draft', color: 'gray' },
      { id: 'f', name: 'Final', color: 'green' },
    ],
  },
}
const text = (id: string): Field<'text'> => ({ ...plain, id, name: `the_${id}`, label: id, kind: 'text', options: {} })

const papers = (frozen: 'all' | string[]): TypedCollection => ({
  id: 'c',
  name: 'papers',
  label: 'Papers',
  fields: [text('title'), text('pages'), state],
  titleField: 'the_title',
  workflow: { field: 's', transitions: [], states: { f: { requiredToLeave: [], frozen } } },
  version: 1,
  timeZone: 'UTC',
  can: [],
})

describe('the locked fields of a record', () => {
  test('depend on its status', () => {
    expect(lockedFieldNames(papers(['pages']), { state: 'Final' })).toEqual(new Set(['the_pages']))
    expect(lockedFieldNames(papers(['pages']), { state: 'Draft' })).toEqual(new Set())
  })

  test('are all fields except the status if the whole record is locked', () => {
    expect(lockedFieldNames(papers('all'), { state: 'Final' })).toEqual(new Set(['the_title', 'the_pages']))
  })

  test('are listed in a sentence', () => {
    const reported = (frozen: 'all' | string[]) => {
      const collection = papers(frozen)
      return describeLockedFields(collection, lockedFieldNames(collection, { state: 'Final' }), 'Final')
    }
    expect(reported('all')).toBe('While the status is “Final”, this record can’t be edited.')
    expect(reported(['pages'])).toBe('While the status is “Final”, pages can’t be edited.')
  })

  test('are empty without a workflow', () => {
    const { workflow: _, ...rest } = papers('all')
    expect(lockedFieldNames(rest, { state: 'Final' })).toEqual(new Set())
  })
})
