import { expect, test } from 'vitest'
import type { Field } from '#domain/fields/field.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import { fieldAt, pathGroups } from './path-fields.ts'

const about = (name: string, label: string) => ({
  id: `id-${name}`,
  name,
  label,
  required: false,
  unique: false,
  default: null,
})
const text = (name: string, label: string): Field => ({ ...about(name, label), kind: 'text', options: {} })
const to = (name: string, label: string, collection: string): Field => ({
  ...about(name, label),
  kind: 'relation',
  options: { collection, many: false },
})
const known = (id: string, label: string, fields: readonly Field[]): TypedCollection => ({
  id,
  name: id,
  label,
  titleField: null,
  version: 1,
  timeZone: 'UTC',
  can: [],
  fields,
})
const books = known('books', 'Books', [text('title', 'Title'), to('author', 'Author', 'people')])
const people = known('people', 'People', [text('name', 'Name'), to('country', 'Country', 'lands')])
const lands = known('lands', 'Lands', [text('code', 'Code'), to('capital', 'Capital', 'towns')])
const towns = known('towns', 'Towns', [to('mayor', 'Mayor', 'people')])
const find = (id: string) => [books, people, lands, towns].find((each) => each.id === id)

const labels = (paths?: readonly string[]) => pathGroups(books, find, paths).map(({ label }) => label)

test("condition fields include the collection's own fields, system fields, and fields of directly linked records", () => {
  expect(labels()).toEqual(['Books', 'System fields', 'Fields of Author'])
  expect(fieldAt(pathGroups(books, find), 'author.createdAt')?.label).toBe('Author › Created')
})

test('fields of a longer relation path are offered only if a condition already uses them', () => {
  expect(labels(['author.country'])).toEqual([
    'Books',
    'System fields',
    'Fields of Author',
    'Fields of Author › Country',
  ])
  const groups = pathGroups(books, find, ['author.country.capital.mayor'])
  expect(fieldAt(groups, 'author.country.capital.mayor')?.label).toBe('Author › Country › Capital › Mayor')
  // A path can cross at most three relations.
  expect(groups.at(-1)?.label).toBe('Fields of Author › Country › Capital')
})

test('hidden collections and invalid paths offer no fields', () => {
  expect(pathGroups(books, () => undefined, ['author.name']).map(({ label }) => label)).toEqual([
    'Books',
    'System fields',
  ])
  expect(labels(['author.nothing.name'])).toEqual(labels())
})
