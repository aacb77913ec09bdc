import { expect, test } from 'vitest'
import type { PolicyBody } from '#api/roles.ts'
import { collectionRows, EVERYWHERE } from './subject-matrix.tsx'
import {
  describeCell,
  EVERY_COLLECTION,
  type GrantBody,
  describePlace,
  sourcesAt,
  sourcesOf,
  describeIn,
} from './matrix.ts'

const grant = (part: Partial<GrantBody>): GrantBody => ({
  id: 'g',
  permission: 'records:read',
  collection: null,
  where: null,
  fields: null,
  presets: null,
  ...part,
})
const policy = (name: string, ...grants: readonly GrantBody[]): PolicyBody => ({
  id: name,
  name,
  about: '',
  grants: [...grants],
  examples: [],
  roles: [],
  version: 1,
})

const STAFF = {
  ...EVERY_COLLECTION,
  id: 'staff',
  name: 'staff',
  label: 'Staff',
  fields: [
    {
      id: 'f1',
      name: 'salary',
      label: 'Salary',
      kind: 'number',
      required: false,
      unique: false,
      default: null,
      options: {},
    },
  ],
} as const
const words = describeIn(STAFF, { findCollection: () => undefined })
const cell = (policies: readonly PolicyBody[], collection: string | null) =>
  describeCell(sourcesAt(sourcesOf(policies), 'records:read', collection), collection, words)

test('grants for all collections apply to each of them and are marked as inherited', () => {
  const all = policy('All', grant({}))
  expect(cell([all], null)).toEqual({ coverage: 'all', text: 'all', isInherited: false })
  expect(cell([all], 'staff')).toEqual({ coverage: 'all', text: 'all', isInherited: true })
  expect(cell([], 'staff')).toEqual({ coverage: 'none', text: 'no', isInherited: false })
})

test('a cell combines the policies of a role and shows their display names', () => {
  const some = policy('Some', grant({ collection: 'staff', fields: { except: ['f1'] } }))
  const own = policy('Own', grant({ where: { field: 'createdBy', op: '=', value: { marker: '@me' } } }))
  expect(cell([some], 'staff')).toEqual({ coverage: 'some', text: 'without Salary', isInherited: false })
  expect(cell([some, own], 'staff').text).toBe(
    'all records · without Salary; also only records they created · all fields',
  )
  expect(cell([some], 'other').coverage).toBe('none')
})

test('the first row applies to all collections, and a fixed role has every permission', () => {
  const lines = collectionRows({ sources: [], collections: [STAFF], wordsOf: () => words, isFixed: true })
  expect(lines.map(({ key, name }) => [key, name])).toEqual([
    [EVERYWHERE, 'All collections'],
    ['staff', 'Staff'],
  ])
  expect(lines.map(({ cellOf }) => cellOf('records:delete').text)).toEqual(['all', 'all'])
})

test('a cell is identified by action and collection', () => {
  expect(describePlace({ permission: 'records:read', collection: 'staff' }, 'Staff')).toBe('View · Staff')
  expect(describePlace({ permission: 'users:manage', collection: null }, 'All collections')).toBe('Manage users')
})
