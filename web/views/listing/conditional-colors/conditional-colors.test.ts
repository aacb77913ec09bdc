import { describe, expect, test } from 'vitest'
import type { RecordListItem } from '#api/records.ts'
import type { Field } from '#domain/fields/field.ts'
import type { TypedCollection } from '#web/shared/fields/typed-collection.ts'
import type { ColorRule } from '#web/views/listing/list-settings.ts'
import { colorRuleError, colorMatcher, type ColorContext } from './conditional-colors.ts'

const about = (name: string) => ({ id: `f-${name}`, name, label: name, required: false, unique: false, default: null })
const FIELDS: readonly Field[] = [
  { ...about('title'), kind: 'text', options: { max: 3 } },
  { ...about('status'), kind: 'select', options: { choices: [{ id: 'ch1', name: 'late', color: 'red' }] } },
  { ...about('due'), kind: 'date', options: {} },
  { ...about('owner'), kind: 'user', options: { many: false } },
  { ...about('client'), kind: 'relation', options: { collection: 'c2', many: false } },
  { ...about('story'), kind: 'rich-text', options: {} },
]
const tasks = { id: 'c1', name: 'tasks', label: 'Tasks', fields: FIELDS, titleField: 'title', version: 1 }
const clients = {
  id: 'c2',
  name: 'clients',
  label: 'Clients',
  fields: [
    { ...about('name'), kind: 'text', options: {} },
    { ...about('budget'), kind: 'number', options: {} },
  ],
  titleField: 'name',
  version: 1,
}
const world: ColorContext = {
  collection: tasks as unknown as TypedCollection,
  findCollection: (id) => (id === 'c2' ? (clients as unknown as TypedCollection) : undefined),
  userId: 'u1',
  now: new Date('2026-11-20T12:00:00Z'),
}

const record = (values: RecordListItem['values']): RecordListItem => ({
  id: 'r1',
  version: 1,
  createdAt: '2026-11-01T08:00:00.000Z',
  createdBy: 'u1',
  updatedAt: '2026-11-01T08:00:00.000Z',
  updatedBy: null,
  values,
})

const fitting = (values: RecordListItem['values'], ...filters: readonly string[]) => {
  const rules = filters.map((filter): ColorRule => ({ filter, color: 'red', field: null }))
  return colorMatcher(rules, world)(record(values)).map((at) => filters[at])
}

describe('a color rule uses the values of a record in a list', () => {
  test('a color rule can use options, dates, users and the current user', () => {
    const values = { status: 'late', due: '2026-11-19', owner: { id: 'u1', name: 'Ada' } }
    const filters = ['status = "late"', 'due < @today', 'owner = @me', 'owner ~ "ad"', 'createdBy = @me']
    expect(fitting(values, ...filters, 'due >= @today', 'status is empty')).toEqual(filters)
  })

  test('a color rule can compare two fields and read related records', () => {
    const values = {
      title: 'Ann',
      client: { id: 'k1', title: 'Ann' },
      due: '2026-11-19',
      owner: { id: 'u1', name: 'Ada' },
    }
    const filters = ['title = client.name', 'owner = createdBy', 'owner != updatedBy']
    expect(fitting(values, ...filters, 'due > due', 'title < client.name')).toEqual(filters)
    expect(colorRuleError('title = client.budget', world)).toContain(
      'At character 9: “title” contains a text and “client.budget” a number, which can’t be compared.',
    )
    expect(colorRuleError('createdAt > client.createdAt', world)).toBeDefined()
  })

  test('a color rule can read names of related records and text of documents', () => {
    const values = { client: { id: 'r9', title: 'Orchard & Sons' }, story: 'Once upon a time' }
    const filters = ['client ~ "orchard"', 'client is not empty', 'client.name = "Orchard & Sons"', 'story ~ "UPON"']
    expect(fitting(values, ...filters, 'client !~ "sons"', 'client is empty')).toEqual(filters)
  })

  test('a color rule accepts values stored before a limit was introduced', () => {
    expect(fitting({ title: 'longer than three' }, 'title ~ "than"', 'title is empty')).toEqual(['title ~ "than"'])
  })

  test('an empty or unsupported color rule matches nothing', () => {
    expect(fitting({ title: 'a' }, '', 'gone = 1', 'title ~ "a"', 'client.budget > 2')).toEqual(['title ~ "a"'])
  })
})

test('an unsupported color rule reports the reason', () => {
  expect(colorRuleError('status = "late"', world)).toBeUndefined()
  expect(colorRuleError('gone = 1', world)).toContain('There is no field “gone”')
  expect(colorRuleError('client.budget > 2', world)).toContain(
    'Color rules can only use fields of the record itself, not of linked records.',
  )
  expect(colorRuleError('createdBy ~ "ada"', world)).toContain(
    'Color rules can only use fields of the record itself, not of linked records.',
  )
})
