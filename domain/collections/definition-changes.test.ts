import { expect, test } from 'vitest'
import type { Field, SelectOption } from '../fields/field.ts'
import type { Collection } from './collection.ts'
import { definitionChanges } from './definition-changes.ts'

const field = (parts: Partial<Field>): Field =>
  ({
    id: 'f',
    name: 'code',
    label: 'Code',
    kind: 'text',
    required: false,
    unique: false,
    default: null,
    options: {},
    ...parts,
  }) as Field

const collection = (parts: Partial<Collection>): Collection => ({
  id: 'c',
  name: 'cases',
  label: 'Cases',
  fields: [field({})],
  titleField: null,
  version: 1,
  ...parts,
})

const changes = (before: Partial<Collection>, after: Partial<Collection>) =>
  definitionChanges(collection(before), collection(after))

const NONE = { before: null, after: null }

test('renames contain both names, other settings count once', () => {
  const after = {
    label: 'Files',
    icon: 'book',
    fields: [field({ label: 'Number', required: true, unique: true })],
  } as const
  expect(changes({}, after)).toEqual([
    { what: 'collection-renamed', field: null, before: 'Cases', after: 'Files' },
    { what: 'settings', field: null, ...NONE },
    { what: 'field-renamed', field: 'Number', before: 'Code', after: 'Number' },
    { what: 'field-settings', field: 'Number', ...NONE },
  ])
})

const choice = (id: string, color: SelectOption['color'] = 'gray'): SelectOption => ({ id, name: 'Same', color })
const select = (choices: readonly SelectOption[]) => field({ kind: 'select', options: { choices } })

test('another type has other options, which don’t count', () => {
  expect(changes({}, { fields: [select([choice('a')])] })).toEqual([
    { what: 'field-type', field: 'Code', before: 'text', after: 'select' },
  ])
})

test('options with the same names but other colors or values count', () => {
  const options = [{ what: 'field-options', field: 'Code', ...NONE }]
  expect(changes({ fields: [select([choice('a')])] }, { fields: [select([choice('a', 'red')])] })).toEqual(options)
  expect(changes({ fields: [select([choice('a')])] }, { fields: [select([choice('b')])] })).toEqual(options)
})

test('rules are not named', () => {
  const rule = { id: 'r', when: null, then: { field: 'f', op: 'is empty' }, message: 'Secret', field: null } as const
  expect(changes({}, { rules: [rule] })).toEqual([{ what: 'rules', field: null, ...NONE }])
})
